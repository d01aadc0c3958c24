// SPDX-License-Identifier: Apache-2.0
//
// Session: one output, from begin to end (nvtx.writer.Session).
//
//   auto session = ringscribe::Session::begin("matching engine");
//   if (!session.ok()) return session.status().print();
//   ringscribe::Stream book = session->live_stream("order book");
//
// Where it goes: NVTXW3_LIBRARY, RINGSCRIBE_BACKEND and RINGSCRIBE_OUTPUT in the environment, then
// SessionOptions, then a Perfetto trace named after the session. With RINGSCRIBE_ENABLED=0 all of
// this works and records nothing.
//
// Threads: any; calls wait for the step of the flusher that is under way.
// Lifetime: the destructor ends the session; so does exit(). Several sessions may be open at once.
// In a forked child nothing is recorded and nothing is finished.
#ifndef RINGSCRIBE_API_SESSION_H_
#define RINGSCRIBE_API_SESSION_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "ringscribe/backend.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/domain.h"
#include "ringscribe/runtime/counts.h"
#include "ringscribe/scope.h"
#include "ringscribe/stream.h"
#include "ringscribe/time_domain.h"

namespace ringscribe {

// "perfetto", "journal", "chrome", "ctf", "sqlite", "null", the path of an NVTXW library, or a
// Backend that was loaded.
class BackendOption {
 public:
  BackendOption() noexcept = default;
  BackendOption(const char* name) noexcept : name_(name) {}           // NOLINT: implicit, as all
  BackendOption(std::string_view name) noexcept : name_(name) {}      // NOLINT
  BackendOption(const std::string& name) noexcept : name_(name) {}    // NOLINT
  BackendOption(const Backend& loaded) noexcept : loaded_(loaded) {}  // NOLINT

 private:
  friend class Session;
  std::string_view name_;
  Backend loaded_;
};

struct SessionOptions {
  // A name comes after NVTXW3_LIBRARY and RINGSCRIBE_BACKEND; a loaded Backend comes first.
  BackendOption backend = {};
  // Output path; %p process id, %h host name, %t start time.
  std::string_view output = {};
  // More entries "key=value" for the backend, separated by '|' or line breaks.
  std::string_view config = {};
  // An interface table that the program has already (a const nvtxwInterface_v2_t*): used instead of
  // any backend that is asked for. For tests and for programs that load backends themselves.
  const void* interface = nullptr;
};

// Whether guarantees of order hold in the whole stream or in each scope (NVTXW's numbers).
enum class StreamInterleaving : int16_t { kNone = 0, kScope = 1 };
enum class StreamOrdering : int16_t {
  kUnknown = 0,
  kStrict = 1,            // by time; single points in time only
  kPackedRangeStart = 2,  // by begin
  kPackedRangeEnd = 3,    // by end
};
enum class StreamSkid : int32_t { kNone = 0, kTimeNs = 1, kEventCount = 2 };

struct StreamOptions {
  Domain domain = {};           // the session's default domain if not given
  Scope scope = {};             // of events that say no other: one of the domain, none, or the root
  TimeDomain time_domain = {};  // of the explicit times
  StreamInterleaving interleaving = StreamInterleaving::kNone;
  StreamOrdering ordering = StreamOrdering::kUnknown;
  StreamSkid skid = StreamSkid::kNone;
  int64_t skid_amount = 0;
};

class Session {
 public:
  // A session that records nothing.
  Session() noexcept = default;
  Session(Session&&) noexcept = default;
  Session& operator=(Session&& other) noexcept;
  // end(); a failure goes to stderr.
  ~Session();

  // Opens the output. Fails with NVTXW's result code and a sentence if the backend cannot be loaded
  // or refuses, for instance because the output's folder does not exist.
  static Result<Session> begin(std::string_view name, const SessionOptions& options = {});

  // Waits until all that any thread wrote has reached the backend, closes the streams, finishes the
  // output, and says on stderr what was lost, if anything. Idempotent. Returns the first failure
  // since the last flush(), with counts.
  Status end();
  // Waits until all that any thread wrote has reached the backend. Returns the first failure since
  // the last call, with counts; recording goes on.
  Status flush();

  // Of a flight recorder (RINGSCRIBE_OVERFLOW=overwrite): writes the latest events of all threads,
  // as RINGSCRIBE_SNAPSHOT_SIZE and _TIME bound them, to a file whose extension says the format;
  // "" is the output's path with "-snapshot" in it. A path that was written before gets a number.
  // Recording goes on meanwhile. `reason` stands in the file, beside what had been overwritten.
  // With `after`, returns at once, and the file reaches so much further; a second call before it is
  // written is part of it, and the session's end writes it early.
  Status snapshot(std::string_view path, std::string_view reason = {},
                  std::chrono::nanoseconds after = {});

  // The domain of that name; "" is the default domain.
  Domain get_domain(std::string_view name = {});
  // Opens a stream for events with explicit times. An error, with an inert stream, if a stream of
  // that name is open in the session, or if the domain or scope is not of this session.
  Stream create_stream(std::string_view name, const StreamOptions& options = {});
  // Opens a stream for live calls: the times are of the clock that RINGSCRIBE_CLOCK chose, and
  // viewers show one row a thread. `domain`: the session's default domain if not given.
  // With `scope`, its events are in that scope instead, whatever thread writes them: a row for a
  // fiber, coroutine or queue that moves between threads. There, ranges are objects and macros;
  // push and pop of two threads may be read in the other order.
  Stream live_stream(std::string_view name, const Domain& domain = {}, const Scope& scope = {});

  // Recorded and lost so far, all streams; recorded may be one step of the flusher old. Zero in a
  // forked child, where nothing is recorded.
  Counts stats() const;
  // Whether anything is recorded: false with RINGSCRIBE_ENABLED=0 and after end().
  bool is_recording() const noexcept;
  // The output path that the backend was asked for; "" if it chose one itself.
  std::string output() const;

 private:
  Stream open(std::string_view name, const StreamOptions& options, bool is_live);

  std::shared_ptr<runtime::SessionState> state_;  // nullptr: records nothing
};

// Gives the calling thread its ring now, so that its first event costs like any other, and names
// it in the output if `name` is not empty (at most 15 bytes are kept; without this the system's
// name of the thread stands).
void prepare_thread(std::string_view name = {});

}  // namespace ringscribe

#endif  // RINGSCRIBE_API_SESSION_H_
