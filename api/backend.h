// SPDX-License-Identifier: Apache-2.0
//
// Backend: a loaded library of an NVTXW backend, shared by the sessions that write to it
// (nvtx.writer.Backend). Needed only by programs that load one themselves: Session::begin loads
// what SessionOptions::backend or the environment names.
//
//   Result<Backend> nsys = Backend::load("/opt/nvidia/libnsys_writer.so");
//   if (!nsys.ok()) return nsys.status().print();
//   auto session = Session::begin("run", {.backend = *nsys});
//
// Threads: any. Lifetime: cheap to copy; copies are the same backend. Closing is optional: a
// library that is not closed stays loaded and usable until the process ends, and a closed one stays
// loaded.
#ifndef RINGSCRIBE_API_BACKEND_H_
#define RINGSCRIBE_API_BACKEND_H_

#include <memory>
#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe {

namespace runtime {
class SharedBackend;
}  // namespace runtime

class Backend {
 public:
  // None.
  Backend() noexcept = default;

  // Loads the library at `path`; NVTXW3_LIBRARY in the environment goes before it, as NVTXW has it.
  // Fails with NVTXW's result codes: library not found, load failed, symbol missing, interface
  // version not supported, or failed (the library's own failure).
  static Result<Backend> load(std::string_view path);

  // Ends the sessions that were begun with this backend and are still open, then finalizes the
  // library (nvtxwFinalize) if no other Backend of the same file is open. Idempotent. Returns the
  // first failure of a session; the library is finalized all the same once all have ended.
  Status close();

  // False for none and for one that was closed.
  bool is_open() const noexcept;
  // The file that was loaded.
  std::string path() const;

 private:
  friend class Session;
  std::shared_ptr<runtime::SharedBackend> shared_;
};

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_BACKEND_H_
