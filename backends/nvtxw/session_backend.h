// SPDX-License-Identifier: Apache-2.0
//
// SessionBackend: one session of a backend, as C++ sees it. A sink of ours implements it; the
// interface table (interface_table.h) turns the C calls of NVTXW into calls of it.
//
// The table has done before a call what is the same for every backend: handles are looked up and
// replaced by numbers, NULL and structSize are checked, names of domains and of open streams are
// made unique, IDs are assigned or checked for being free, and ended sessions, closed streams and
// foreign domains are refused. So here:
//   - `domain` and `stream` are small numbers, dense from 0 in order of appearance; both are never
//     reused in a session. Each is announced (domain(), stream_open()) before its first use.
//   - The attributes of scope(), schema(), enumeration(), counter() and time_domain() carry their
//     final ID, which is never 0.
//   - Strings are not NULL (a missing one is "") where std::string_view stands.
//
// Threads: the table calls one session from one thread at a time (it holds the session's lock).
// Lifetime: pointers in arguments are valid during the call only (nvtxw3.h, "Contract").
// Errors: a Status that is not ok() becomes the result code of the C call; the session goes on.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_SESSION_BACKEND_H_
#define RINGSCRIBE_BACKENDS_NVTXW_SESSION_BACKEND_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::nvtxw {

// What a session has written, for whoever wants to say so.
struct Written {
  std::vector<std::string> paths;  // of its files or folders, as they are named now; oldest first
  // Marks, ranges and samples of the producer. Nothing where nobody decoded them.
  std::optional<uint64_t> events;
  uint64_t lost = 0;  // events that the producer says are missing
};

class SessionBackend {
 public:
  virtual ~SessionBackend() = default;

  // --- Definitions. `name` of a domain is "" for the session's default domain.
  virtual Status domain(uint32_t domain, std::string_view name) = 0;
  virtual Status category(uint32_t domain, uint32_t category, std::string_view name) = 0;
  // `handle` is the number that stands in payload entries of type NVTX_REGISTERED_STRING_HANDLE
  // (the nvtxStringHandle_t as an integer); unique in the session, never 0.
  virtual Status string(uint32_t domain, uint64_t handle, std::string_view text) = 0;
  virtual Status resource(uint32_t domain, const nvtxResourceAttributes_t& attr) = 0;
  virtual Status scope(uint32_t domain, const nvtxScopeAttr_t& attr) = 0;
  virtual Status schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) = 0;
  virtual Status enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) = 0;
  virtual Status counter(uint32_t domain, const nvtxCounterAttr_t& attr) = 0;
  virtual Status time_domain(uint32_t domain, const nvtxTimeDomainAttr_t& attr) = 0;

  // --- Streams. `attr.domain` is to be ignored: `domain` stands for it.
  virtual Status stream_open(uint32_t stream, uint32_t domain,
                             const nvtxwStreamAttributes_t& attr) = 0;
  virtual Status stream_close(uint32_t stream) = 0;

  // --- Data.
  // From now on pointers in payloads lead into `memory`, or nowhere: a backend that follows
  // pointers out of the data of a call (NVTX_PAYLOAD_ENTRY_FLAG_DEEP_COPY) must follow no other.
  // A replay says so of each frame, whose bytes somebody else chose; a live producer never does.
  virtual void bound_pointers(std::span<const std::byte> memory) { (void)memory; }
  virtual Status event(uint32_t stream, std::span<const nvtxPayloadData_t> payloads) = 0;
  virtual Status event_batch(uint32_t stream, const nvtxEventBatch_t& batch) = 0;
  virtual Status counter_sample(uint32_t stream, int64_t timestamp, uint64_t counter,
                                const void* data, size_t size) = 0;
  virtual Status counter_no_value(uint32_t stream, int64_t timestamp, uint64_t counter,
                                  uint8_t reason) = 0;
  virtual Status counter_batch(uint32_t stream, const nvtxCounterBatch_t& batch) = 0;

  // --- Time. A single sync point is a table of one, from the first time domain to the second.
  virtual Status sync_points(uint32_t stream, uint64_t source_time_domain,
                             uint64_t destination_time_domain,
                             std::span<const nvtxSyncPoint_t> points) = 0;
  virtual Status conversion_factor(uint32_t stream, uint64_t source_time_domain,
                                   uint64_t destination_time_domain, double slope,
                                   int64_t source_timestamp, int64_t destination_timestamp) = 0;

  // Of a flight recorder: takes what it has now, and returns what writes it to `path`, which may be
  // called later, from any thread, while the session goes on or after its end.
  virtual Result<std::function<Status()>> snapshot(std::string_view path, std::string_view reason) {
    (void)path, (void)reason;
    return Status(ResultCode::kNotSupported,
                  "this session writes all that it is given: a snapshot is for flight recorders "
                  "(RINGSCRIBE_OVERFLOW=overwrite)");
  }

  // Before end() and after it.
  virtual Written written() { return {}; }

  // Finishes the output. Called once, last but for written(); the object is destroyed after it. A
  // session whose process exits without it is destroyed without it: the destructor finishes what it
  // can.
  virtual Status end() = 0;
};

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_SESSION_BACKEND_H_
