// SPDX-License-Identifier: Apache-2.0
//
// A library for loader_test.cc that is no NVTXW backend.
extern "C" __attribute__((visibility("default"))) int something_else() { return 1; }
