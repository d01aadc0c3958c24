// SPDX-License-Identifier: Apache-2.0
//
// CheckedSession: one session of the C interface. It checks each call against the rules of NVTXW,
// keeps what the rules need (domains, open streams, IDs), and hands the call to the SessionBackend
// with numbers in place of handles.
//
//   CheckedSession session(std::move(backend));
//   uint32_t domain = 0, stream = 0;
//   Status status = session.domain_register("", &domain);
//   status = session.stream_open(domain, attributes, &stream);
//   status = session.end();   // closes the stream, ends the backend
//
// Threads: any; each call holds the session's lock, so the backend sees one call at a time.
// Lifetime: after end() each call fails with kInvalidArgument.
#ifndef RINGSCRIBE_BACKENDS_NVTXW_CHECKED_SESSION_H_
#define RINGSCRIBE_BACKENDS_NVTXW_CHECKED_SESSION_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/domain_registry.h"
#include "ringscribe/backends/nvtxw/session_backend.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::nvtxw {

class CheckedSession {
 public:
  // Most domains, and most streams in the life of a session: their numbers fit a handle.
  static constexpr uint32_t kNumbersMax = 1u << 28;

  explicit CheckedSession(std::unique_ptr<SessionBackend> backend);
  CheckedSession(const CheckedSession&) = delete;
  CheckedSession& operator=(const CheckedSession&) = delete;

  // Closes the streams that are open and ends the backend. Returns the first failure of all that.
  Status end();
  // The same if no other thread is in a call of this session; else nothing, and success.
  Status end_if_idle();

  // SessionBackend::snapshot().
  Result<std::function<Status()>> snapshot(std::string_view path, std::string_view reason);

  // --- Registration. `domain` is a number from domain_register(); pointers are those of the C
  // call, NULL included. An `id_out` may be NULL where the rules allow it.
  // The same name gives the same number; NULL and "" are the default domain.
  Status domain_register(const char* name, uint32_t* domain_out);
  Status category_register(uint32_t domain, uint32_t category, const char* name);
  Status string_register(uint32_t domain, const char* text, uint64_t* handle_out);
  Status resource_register(uint32_t domain, const nvtxResourceAttributes_t* attr);
  Status scope_register(uint32_t domain, const nvtxScopeAttr_t* attr, uint64_t* id_out);
  Status schema_register(uint32_t domain, const nvtxPayloadSchemaAttr_t* attr, uint64_t* id_out);
  Status enum_register(uint32_t domain, const nvtxPayloadEnumAttr_t* attr, uint64_t* id_out);
  Status counter_register(uint32_t domain, const nvtxCounterAttr_t* attr, uint64_t* id_out);
  Status time_domain_register(uint32_t domain, const nvtxTimeDomainAttr_t* attr, uint64_t* id_out);

  // --- Streams. REQUIRES of stream_open(): attr.structSize is large enough.
  Status stream_open(uint32_t domain, const nvtxwStreamAttributes_t& attr, uint32_t* stream_out);
  Status stream_close(uint32_t stream);

  // --- Data and time.
  Status event_write(uint32_t stream, const nvtxPayloadData_t* payloads, size_t count);
  Status event_batch_write(uint32_t stream, const nvtxEventBatch_t* batch);
  Status counter_write(uint32_t stream, int64_t timestamp, uint64_t counter, const void* data,
                       size_t size);
  Status counter_no_value_write(uint32_t stream, int64_t timestamp, uint64_t counter,
                                uint8_t reason);
  Status counter_batch_write(uint32_t stream, const nvtxCounterBatch_t* batch);
  Status sync_points_write(uint32_t stream, uint64_t source, uint64_t destination,
                           const nvtxSyncPoint_t* points, size_t count);
  Status conversion_factor_write(uint32_t stream, uint64_t source, uint64_t destination,
                                 double slope, int64_t source_timestamp,
                                 int64_t destination_timestamp);

 private:
  struct Stream {
    std::string name;  // empty when closed
    uint32_t domain = 0;
    bool is_open = false;
  };

  Status end_locked();
  Status close_locked(uint32_t stream);
  // kInvalidArgument if the session has ended or the number is none of it.
  Status find_domain(uint32_t domain, DomainRegistry** registry);
  Status find_stream(uint32_t stream, DomainRegistry** registry);
  Status check_stream(const nvtxwStreamAttributes_t& attr, const DomainRegistry& registry) const;
  Status check_conversion(const DomainRegistry& registry, uint64_t source,
                          uint64_t destination) const;

  std::mutex mutex_;
  std::unique_ptr<SessionBackend> backend_;  // nullptr after the end
  std::unordered_map<std::string, uint32_t> domain_numbers_;
  std::vector<std::unique_ptr<DomainRegistry>> domains_;
  std::vector<Stream> streams_;
  std::unordered_set<std::string> open_names_;
  uint64_t next_string_handle_ = 1;
  std::vector<nvtxPayloadData_t> payloads_;  // kept for its memory
};

}  // namespace ringscribe::nvtxw

#endif  // RINGSCRIBE_BACKENDS_NVTXW_CHECKED_SESSION_H_
