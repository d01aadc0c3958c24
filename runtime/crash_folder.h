// SPDX-License-Identifier: Apache-2.0
//
// CrashFolder: what a process leaves behind for `ringscribe recover` (docs/reliability.md).
//
//   CRASH_DIR/NAME-PID-TIME/     0700
//     lock                       held while the process lives
//     control                    CrashControl: how far the flusher is, and what ended the process
//     definitions                what records name by number (definition_log.h)
//     ring-N                     a ring: one page with its positions and its thread's open scoped
//                                ranges, then its bytes
//     session-N.rsj              journal of all that the flusher handed to session N's backend
//
// All of it lies in the page cache, which outlives the process, but not a power cut. Files are made
// 0600, never through a symbolic link.
//
// Exactly once: a record is in the journal or in its ring, never taken from both. The flusher works
// on one ring at a time; after what it read is in the journals it commits the ring's position and
// the journals' sizes with one store (epoch). Only then the ring's bytes are given back.
//
//  K1 The slot that epoch names is whole, and is not written to.
//  K2 A ring that the slot does not name has `committed` whole: it is written after the epoch, and
//     before the next commit begins.
//  K3 A journal is right up to the size in the slot; what lies behind it is in the rings, too.
//  Orders: a process that is killed stops between two instructions, so only the compiler could
//  break these: signal fences stand between the steps.
//
// Threads: commit() and the journals from the flusher, or under its step lock; the rest from any.
#ifndef RINGSCRIBE_RUNTIME_CRASH_FOLDER_H_
#define RINGSCRIBE_RUNTIME_CRASH_FOLDER_H_

#include <atomic>
#include <cstdint>
#include <string_view>

#include "ringscribe/backends/nvtxw/own_file.h"
#include "ringscribe/runtime/definition_log.h"
#include "ringscribe/runtime/memory.h"
#include "ringscribe/runtime/spsc_ring.h"

namespace ringscribe::runtime {

inline constexpr uint32_t kCrashSessions = 64;  // at a time
inline constexpr uint64_t kRingPageBytes = 4096;

// Of a ring's file, in its first page.
struct RingFileHeader {
  static constexpr uint64_t kAt = 1024;
  static constexpr uint64_t kOpenRangesAt = 2048;  // an OpenRanges
  static constexpr char kMagic[8] = {'R', 'S', 'R', 'I', 'N', 'G', '\0', '\1'};
  struct Position {
    uint64_t read_pos = 0;
    SpscRing::Thread reading = {};  // who wrote the records from there on
  };

  char magic[8];
  uint64_t capacity;
  uint64_t write_pos_at;  // offset of the 64-bit write position in the file
  Position committed;
};

static_assert(RingFileHeader::kAt + sizeof(RingFileHeader) <= RingFileHeader::kOpenRangesAt);
static_assert(RingFileHeader::kOpenRangesAt + sizeof(OpenRanges) <= kRingPageBytes);

struct CrashControl {
  static constexpr char kMagic[8] = {'R', 'S', 'C', 'R', 'A', 'S', 'H', '\1'};
  struct Commit {
    uint64_t ring = 0;  // 0: none
    RingFileHeader::Position position;
    int64_t monotonic_ns = 0;  // when
    int64_t realtime_ns = 0;
    uint64_t journal_bytes[kCrashSessions] = {};  // by session number modulo kCrashSessions
  };

  char magic[8];
  std::atomic<uint64_t> epoch;  // commits[epoch % 2] counts
  Commit commits[2];
  // Of the signal that ended the process, if it was one that could be caught.
  std::atomic<int32_t> signal;
  int64_t signal_monotonic_ns;
  int64_t signal_realtime_ns;
};

class CrashFolder {
 public:
  // Makes the folder below `parent`, which is made too if only its last part is missing. nullptr if
  // that failed, which is logged: the process records without it.
  static CrashFolder* create(std::string_view parent, const SyncPoint& begin) noexcept;
  // remove()s.
  ~CrashFolder();
  CrashFolder(const CrashFolder&) = delete;
  CrashFolder& operator=(const CrashFolder&) = delete;

  DefinitionLog& definitions() noexcept { return definitions_; }
  const String& path() const noexcept { return path_; }

  // Removes the files and the folder if every session ended as it should. Rings stay usable.
  void remove() noexcept;

  // A ring in a file. nullptr if none can be made, which is logged once.
  SpscRing* create_ring(uint64_t capacity_bytes) noexcept;
  void destroy_ring(SpscRing* ring) noexcept;

  // Where the backend is to keep its journal of session `number`; "" if too many are open.
  String journal_path(uint32_t number) const;
  // The backend has begun: false if it keeps no journal.
  bool add_journal(uint32_t number) noexcept;
  void remove_journal(uint32_t number) noexcept;

  // What was read of `ring` before `pos` is in the journals. Without a ring in a file: the journals
  // grew.
  void commit(SpscRing* ring, uint64_t pos) noexcept;

 private:
  CrashFolder(int folder_fd, int definitions_fd, String path);
  bool make_lock() noexcept;
  bool map_control() noexcept;
  void catch_signals() noexcept;

  nvtxw::OwnFile folder_;
  const String path_;
  DefinitionLog definitions_;
  nvtxw::OwnFile lock_;
  CrashControl* control_ = nullptr;
  std::atomic<uint64_t> next_ring_{1};
  std::atomic<bool> has_complained_{false};
  nvtxw::OwnFile journals_[kCrashSessions];
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_CRASH_FOLDER_H_
