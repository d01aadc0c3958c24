// SPDX-License-Identifier: Apache-2.0
//
// What tests/dist/c_api_test.cc has a C99 program do: each function of ringscribe_c.h at least once
// (tests/dist/symbols_test.py sees to that). What is not as expected is said on stderr.
//
// Threads: one at a time.
#ifndef RINGSCRIBE_API_C_API_CALLS_H_
#define RINGSCRIBE_API_C_API_CALLS_H_

#include <ringscribe/ringscribe_c.h>

#ifdef __cplusplus
extern "C" {
#endif

// Records a session of everything into the journal `output`. Returns how many checks failed.
int c_api_calls_record(const char* output);
// Loads the backend library and records one mark through it.
int c_api_calls_load(const char* library, const char* output);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // RINGSCRIBE_API_C_API_CALLS_H_
