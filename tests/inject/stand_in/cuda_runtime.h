/* SPDX-License-Identifier: Apache-2.0
 *
 * As cuda.h beside it.
 */
#include "cuda.h"
#include "driver_types.h"
