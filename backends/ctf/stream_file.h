// SPDX-License-Identifier: Apache-2.0
//
// StreamFile: one file of events in order of time, in packets, as CTF 1.8 has it.
//
// A reader refuses a whole trace if the last packet of a file is not all there. So no packet lies
// across the end of a page of 4 KiB: a kernel that is stopped inside of a write(2), however long it
// is, stops between two pages, and what is on disk is whole packets.
//
//   page 0                           page 1
//   | packet         | packet | pad  | packet                     ...
//
// The pad belongs to the packet in front of it, or to one without events. An event that is too
// large for a page goes into a file of another form, which is written in one step (kWhole).
//
//   StreamFile file(description, "track_0", 0, StreamFile::Form::kPages);
//   if (file.takes(cycles)) file.add(cycles, id, front, body);
//   file.close_packet();
//   Status status = file.flush(folder);
//
// Packet: magic, UUID, stream class 0, the file's number; begin, end, sizes, number of the packet,
// events discarded so far, process and track by name; events.
//
// Threads: one at a time. Lifetime: the description has to outlive it.
#ifndef RINGSCRIBE_BACKENDS_CTF_STREAM_FILE_H_
#define RINGSCRIBE_BACKENDS_CTF_STREAM_FILE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ringscribe/backends/ctf/metadata.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/backends/output/output_folder.h"

namespace ringscribe::ctf {

// What all files of a track have alike.
struct StreamDescription {
  Metadata::Uuid uuid;
  int32_t vpid;
  int32_t vtid;
  std::string procname;  // at most kNameBytesMax
  std::string track;     // at most kNameBytesMax
};

class StreamFile {
 public:
  enum class Form : uint8_t { kPages, kWhole };

  static constexpr size_t kNameBytesMax = 96;

  StreamFile(const StreamDescription& description, std::string name, uint64_t number, Form form);

  // Whether an event of that time may follow.
  bool takes(uint64_t cycles) const noexcept { return cycles >= latest_; }
  // Whether an event with so many bytes of `front` and `body` has room on a page.
  static bool has_room(const StreamDescription& description, size_t bytes) noexcept;
  // Appends an event. REQUIRES: takes(), and has_room() in a file of kPages.
  void add(uint64_t cycles, uint32_t id, std::string_view front, std::string_view body);
  // Counts events that were lost before `cycles`: the next packet says so.
  void lose(uint64_t count, uint64_t cycles);
  // What is added next begins a packet; a loss that no packet has said becomes one.
  void close_packet();
  // Writes what was added and is not on disk, in one write. Closes the packet.
  Status flush(output::OutputFolder& folder);

  size_t bytes_waiting() const noexcept { return bytes_.size(); }

 private:
  void open_packet(uint64_t cycles);
  void end_packet(size_t pad);
  size_t left_in_page() const noexcept;

  const StreamDescription& description_;
  std::string name_;
  uint64_t number_;
  Form form_;
  bool is_open_ = false;
  std::string bytes_;  // not on disk; behind packet_ lies the open packet
  size_t packet_ = 0;
  uint64_t bytes_on_disk_ = 0;
  uint64_t latest_ = 0;
  uint64_t packets_ = 0;
  uint64_t discarded_ = 0;
  uint64_t discarded_said_ = 0;
};

}  // namespace ringscribe::ctf

#endif  // RINGSCRIBE_BACKENDS_CTF_STREAM_FILE_H_
