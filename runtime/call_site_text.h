// SPDX-License-Identifier: Apache-2.0
//
// The copy of a call site's texts, apart from call_site.h so that what an application includes
// stays small.
#ifndef RINGSCRIBE_RUNTIME_CALL_SITE_TEXT_H_
#define RINGSCRIBE_RUNTIME_CALL_SITE_TEXT_H_

#include <cstdint>

#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

struct CallSiteText {
  String message;  // valid UTF-8
  String category;
  String file;
  uint32_t color = 0;
  uint32_t line = 0;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_CALL_SITE_TEXT_H_
