// SPDX-License-Identifier: Apache-2.0
//
// Any configuration string: what the parser takes out of it must come back when it is put together
// again.
#include <set>
#include <string>
#include <string_view>

#include "ringscribe/backends/nvtxw/config_string.h"
#include "ringscribe/backends/nvtxw/fuzz_input.h"

using namespace ringscribe;

std::vector<std::string> ringscribe::fuzz_seeds() { return {}; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::string text(all.substr(0, all.find('\0')));  // it comes as a C string
  const nvtxw::SessionConfig config = nvtxw::parse_session_config("name", text);
  fuzz_require(config.name == "name", "the session keeps its name");
  std::string again;
  std::set<std::string> keys;
  const auto append = [&](const std::string& key, const std::string& value) {
    fuzz_require(keys.insert(key).second, "a key appears once");
    fuzz_require(nvtxw::append_config(&again, key, value).ok(), "what was parsed can be written");
  };
  if (!config.format.empty()) append("format", config.format);
  if (!config.output.empty()) append("output", config.output);
  for (const auto& [key, value] : config.other) append(key, value);
  const nvtxw::SessionConfig same = nvtxw::parse_session_config("name", again);
  fuzz_require(same.format == config.format, "the format comes back");
  fuzz_require(same.output == config.output, "the output comes back");
  fuzz_require(same.other == config.other, "all other keys come back in order");
  return 0;
}
