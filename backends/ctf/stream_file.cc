// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/ctf/stream_file.h"

#include <algorithm>
#include <utility>

#include "ringscribe/backends/ctf/bytes.h"

namespace ringscribe::ctf {
namespace {

constexpr uint32_t kMagic = 0xC1FC1FC1;
constexpr uint32_t kStreamClass = 0;
// Where the numbers of a packet stand, from its begin.
constexpr size_t kEndAt = 40;
constexpr size_t kContentSizeAt = 48;
constexpr size_t kPacketSizeAt = 56;
constexpr size_t kDiscardedAt = 72;
constexpr size_t kFixedBytes = 80;
// With both names and the bytes that end them.
constexpr size_t kHeaderBytesMax = kFixedBytes + 2 * (StreamFile::kNameBytesMax + 1);
// A packet is padded to the end of its page if less than that would be left: there is always room
// for the header of one more, if only to pad with it.
constexpr size_t kRestBytesMin = 512;
static_assert(kRestBytesMin >= kHeaderBytesMax);
constexpr size_t kExtendedBytes = 2 + 4 + 8;
constexpr size_t kContextBytes = 4 + 4;
constexpr uint16_t kExtended = UINT16_MAX;

size_t header_bytes(const StreamDescription& description) noexcept {
  return kFixedBytes + description.procname.size() + description.track.size() + 2;
}

}  // namespace

StreamFile::StreamFile(const StreamDescription& description, std::string name, uint64_t number,
                       Form form)
    : description_(description), name_(std::move(name)), number_(number), form_(form) {}

size_t StreamFile::left_in_page() const noexcept {
  return kPageBytes - (bytes_on_disk_ + bytes_.size()) % kPageBytes;
}

bool StreamFile::has_room(const StreamDescription& description, size_t bytes) noexcept {
  return header_bytes(description) + kExtendedBytes + kContextBytes + bytes <= kPageBytes;
}

void StreamFile::open_packet(uint64_t cycles) {
  packet_ = bytes_.size();
  is_open_ = true;
  put(bytes_, kMagic);
  bytes_.append(description_.uuid.data(), description_.uuid.size());
  put(bytes_, kStreamClass);
  put(bytes_, number_);
  put(bytes_, cycles);
  put(bytes_, cycles);
  put(bytes_, uint64_t{0});
  put(bytes_, uint64_t{0});
  put(bytes_, packets_++);
  put(bytes_, discarded_);
  bytes_.append(description_.procname).append(1, '\0');
  bytes_.append(description_.track).append(1, '\0');
  latest_ = cycles;
}

void StreamFile::close_packet() {
  if (!is_open_ && discarded_ == discarded_said_) return;
  if (!is_open_) open_packet(latest_);
  discarded_said_ = discarded_;
  const size_t left = left_in_page();
  end_packet(form_ == Form::kPages && left < kRestBytesMin ? left : 0);
}

void StreamFile::end_packet(size_t pad) {
  const size_t content = bytes_.size() - packet_;
  bytes_.append(pad, '\0');
  put_at(bytes_, packet_ + kEndAt, latest_);
  put_at(bytes_, packet_ + kContentSizeAt, uint64_t{content} * 8);
  put_at(bytes_, packet_ + kPacketSizeAt, uint64_t{content + pad} * 8);
  put_at(bytes_, packet_ + kDiscardedAt, discarded_said_);
  is_open_ = false;
}

void StreamFile::add(uint64_t cycles, uint32_t id, std::string_view front, std::string_view body) {
  const size_t size = kExtendedBytes + kContextBytes + front.size() + body.size();
  if (form_ == Form::kPages) {
    const size_t needed = size + (is_open_ ? 0 : header_bytes(description_));
    if (needed > left_in_page()) {
      // The rest of the page belongs to the packet that is open, else to one without events.
      if (!is_open_) open_packet(latest_);
      discarded_said_ = discarded_;
      end_packet(left_in_page() % kPageBytes);
    }
  }
  if (!is_open_) open_packet(cycles);
  const bool is_extended = id >= kExtended || (cycles - latest_) >> 32 != 0;
  if (is_extended) {
    put(bytes_, kExtended);
    put(bytes_, id);
    put(bytes_, cycles);
  } else {
    put(bytes_, static_cast<uint16_t>(id));
    put(bytes_, static_cast<uint32_t>(cycles));
  }
  put(bytes_, description_.vpid);
  put(bytes_, description_.vtid);
  bytes_.append(front).append(body);
  latest_ = cycles;
}

void StreamFile::lose(uint64_t count, uint64_t cycles) {
  // Readers see a loss as the difference to the packet before, so there has to be one.
  if (packets_ == 0) {
    open_packet(cycles);
    close_packet();
  }
  discarded_ += count;
}

Status StreamFile::flush(output::OutputFolder& folder) {
  close_packet();
  if (bytes_.empty()) return {};
  const Status status = form_ == Form::kPages
                            ? folder.append(name_, bytes_on_disk_, bytes_.data(), bytes_.size())
                            : folder.replace(name_, bytes_.data(), bytes_.size());
  bytes_on_disk_ += bytes_.size();
  // Of ten thousand files few have anything to keep.
  bytes_ = std::string();
  return status;
}

}  // namespace ringscribe::ctf
