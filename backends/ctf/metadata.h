// SPDX-License-Identifier: Apache-2.0
//
// Metadata: the file `metadata` of a CTF 1.8 trace, which says what the bytes of the others mean.
//
// It grows as event classes appear, and is valid whenever the process dies: a kernel that is
// stopped inside of a write(2) stops between two pages, and no declaration lies across the end of
// one. A declaration that is longer than a page, and a clock that is known only now, make the file
// anew beside the old one, which it replaces in one step.
//
//   Metadata metadata("matching engine");
//   uint32_t id = metadata.declare("io:mark", "text _message;\n", "");
//   Status status = metadata.flush(folder);  // before a packet that uses it is written
//
// The types that declarations may use: u8, u32, u64, i64, x64 (base 16), f64, text.
//
// Threads: one at a time. Lifetime: nothing that is passed in is kept.
#ifndef RINGSCRIBE_BACKENDS_CTF_METADATA_H_
#define RINGSCRIBE_BACKENDS_CTF_METADATA_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/ctf/trace_clock.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/backends/output/output_folder.h"

namespace ringscribe::ctf {

inline constexpr size_t kPageBytes = 4096;

class Metadata {
 public:
  using Uuid = std::array<char, 16>;

  static constexpr const char* kFile = "metadata";
  // What our traces begin with; the first line is what CTF asks for.
  static constexpr const char* kBegin = "/* CTF 1.8 */\n/* Written by Ringscribe */\n";

  // Makes a UUID of its own.
  explicit Metadata(std::string_view session_name);

  void set_clock(const TraceClock& clock);
  // `fields` are the members of the event's struct; `remark` is a comment() or "".
  // Returns the number of the new event class.
  uint32_t declare(std::string_view name, std::string_view fields, std::string_view remark);
  // Writes what is not on disk yet.
  Status flush(output::OutputFolder& folder);

  const Uuid& uuid() const noexcept { return uuid_; }
  size_t bytes() const noexcept { return events_.size(); }

 private:
  std::string head() const;

  std::string session_name_;
  Uuid uuid_{};
  std::string uuid_text_;
  TraceClock clock_;
  std::string events_;        // all declarations
  std::vector<size_t> ends_;  // in events_, of those that are not on disk
  size_t flushed_ = 0;        // of events_
  uint64_t bytes_on_disk_ = 0;
  bool must_replace_ = true;
  uint32_t next_id_ = 0;
};

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_METADATA_H_
