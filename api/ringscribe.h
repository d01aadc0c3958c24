// SPDX-License-Identifier: Apache-2.0
//
// Ringscribe: records what a program does, at very high event rates, without disturbing it.
// This header has all of the C++ API; read session.h, stream.h and live.h first.
#ifndef RINGSCRIBE_API_RINGSCRIBE_H_
#define RINGSCRIBE_API_RINGSCRIBE_H_

#if __cplusplus < 202002L
#error "ringscribe.h needs C++20: compile with -std=c++20. C has ringscribe_c.h."
#endif

#include "ringscribe/backend.h"
#include "ringscribe/color.h"
#include "ringscribe/counter.h"
#include "ringscribe/domain.h"
#include "ringscribe/entry_type.h"
#include "ringscribe/enum.h"
#include "ringscribe/event_args.h"
#include "ringscribe/flexible.h"
#include "ringscribe/float16.h"
#include "ringscribe/live.h"
#include "ringscribe/payload.h"
#include "ringscribe/schema.h"
#include "ringscribe/schema_description.h"
#include "ringscribe/scope.h"
#include "ringscribe/session.h"
#include "ringscribe/stream.h"
#include "ringscribe/time_domain.h"

#endif  // RINGSCRIBE_API_RINGSCRIBE_H_
