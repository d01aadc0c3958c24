// SPDX-License-Identifier: Apache-2.0
//
// Which backend a session writes to. Order: NVTXW3_LIBRARY if not empty, RINGSCRIBE_BACKEND, the
// application's choice, our own library, where the extension of the output says the format.
//
// A name ("perfetto", "journal", "chrome", "ctf", "sqlite", "null", …) means a backend of ours:
// linked into the program if it depends on //backends:linked, else our backend library. Anything
// with a '/' or ".so" in it is the path of an NVTXW library.
#ifndef RINGSCRIBE_RUNTIME_BACKEND_CHOICE_H_
#define RINGSCRIBE_RUNTIME_BACKEND_CHOICE_H_

#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/extension.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::runtime {

struct BackendWish {
  std::string_view nvtxw_library;  // NVTXW3_LIBRARY
  std::string_view environment;    // RINGSCRIBE_BACKEND
  std::string_view application;
};

struct Backend {
  const nvtxwInterface_v2_t* interface = nullptr;
  const nvtxw::Extension* extension = nullptr;  // nullptr: it is none of ours
  std::string format;  // what to put into the configuration; "" if nobody said
  std::string name;    // for messages: the format, the path, or "ringscribe"
};

Result<Backend> choose_backend(const BackendWish& wish);

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_BACKEND_CHOICE_H_
