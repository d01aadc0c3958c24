// SPDX-License-Identifier: Apache-2.0
//
// Where the library is that a program with NVTX calls loads (NVTX_INJECTION64_PATH), and whether it
// can be loaded: NVTX says nothing if it cannot.
//
//   Result<std::string> path = find_injection_library("", folder_of_tool());
//
// Threads: any.
#ifndef RINGSCRIBE_TOOLS_RUN_INJECTION_LIBRARY_H_
#define RINGSCRIBE_TOOLS_RUN_INJECTION_LIBRARY_H_

#include <string>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::tools {

// The folder of this program's file; "" if the system does not tell.
std::string folder_of_tool();

// The absolute path of `given` if it is not empty, else of libringscribe_inject.so in
// `tool_folder`, in ../lib of it, or in ../inject of it. Fails, naming the places, if there is no
// such file, and as check_injection_library() does.
Result<std::string> find_injection_library(const std::string& given,
                                           const std::string& tool_folder);

// Fails unless `path` is a shared library for this machine with the function that NVTX calls.
Status check_injection_library(const std::string& path);

}  // namespace ringscribe::tools

#endif  // RINGSCRIBE_TOOLS_RUN_INJECTION_LIBRARY_H_
