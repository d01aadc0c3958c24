// SPDX-License-Identifier: Apache-2.0
//
// A library that records with texts of its own, and goes again; for corners_program.
#include <ringscribe/ringscribe.h>

extern "C" __attribute__((visibility("default"))) void record_in_library(
    const ringscribe::Stream* stream) {
  RINGSCRIBE_MARK(*stream, "text of an unloaded library",
                  {.category = "category of an unloaded library"});
}
