// SPDX-License-Identifier: Apache-2.0
//
// SessionConfig: what SessionBegin was given, parsed. Each of our backends is made by a function
//   Result<std::unique_ptr<SessionBackend>> open_NAME_session(const SessionConfig& config);
// which the factory (backends/factory.h) knows by name.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_SESSION_CONFIG_H_
#define RINGSCRIBE_BACKENDS_NVTXW_SESSION_CONFIG_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ringscribe/backends/nvtxw/session_backend.h"

namespace ringscribe::nvtxw {

struct SessionConfig {
  std::string name;    // nvtxwSessionAttributes_t::name; "" if it was NULL
  std::string format;  // key `format`; if the key is missing, as open_backend() chose
  std::string output;  // key `output`: a path with the patterns of output_path.h; "" if missing
  // All other keys, in order, first appearance only. What a backend knows of them stands in its
  // BackendFormat (backend_format.h), so that the table can warn of the rest.
  std::vector<std::pair<std::string, std::string>> other;
  std::vector<std::string> not_entries;  // what has no '='
  // What is decoded is written on a thread of its own. No key says so: it is for conversions, whose
  // caller has nothing else to do than to decode.
  bool is_written_on_a_thread = false;
};

using OpenSession = Result<std::unique_ptr<SessionBackend>> (*)(const SessionConfig& config);

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_SESSION_CONFIG_H_
