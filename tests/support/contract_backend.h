// SPDX-License-Identifier: Apache-2.0
//
// ContractBackend: stands in front of an NVTXW backend and checks that its producer keeps the
// contract of nvtxw3.h, on every call. A call that breaks a rule is refused and kept as a sentence;
// the others are passed on.
//
//   ContractBackend contract;                              // in front of a plain backend
//   auto session = Session::begin("test", {.interface = contract.interface()});
//   … ; CHECK(contract.violations().empty());
//
// Rules: attributes have their size or mandatory fields, and can be read, all of them; texts end
// and are UTF-8; what is referred to (domains, schemas, enums, strings, scopes, counters, time
// domains) is registered in the stream's domain before; static IDs are in range and given once;
// handles are used while they live; names of open streams differ; a payload has its schema's size
// and a batch whole rows; what rows point to lies in flexData or in a payload of the event
// (contract_rows.h says what is not looked into); batches are flagged sorted if and only if they
// are; samples and timestamps match. No registration or lifecycle call overlaps a write of its
// session, and no two writes of a stream overlap.
//
// Whether a producer counts on a backend to copy: each byte of the arguments is hashed when the
// call begins and before it returns. A difference shows a producer that goes on writing into memory
// that it has handed over. What happens to the memory after the call is not looked at: that is the
// producer's own, and backends that keep a pointer are caught by helper_calls.c.
//
// Threads: any; one object at a time in a process, since NVTXW's functions carry no state.
// Lifetime: as long as the producer calls.
#ifndef RINGSCRIBE_TESTS_SUPPORT_CONTRACT_BACKEND_H_
#define RINGSCRIBE_TESTS_SUPPORT_CONTRACT_BACKEND_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/tests/support/contract_domain.h"
#include "ringscribe/tests/support/contract_report.h"
#include "ringscribe/tests/support/plain_backend.h"

namespace ringscribe::testing {

class ContractBackend {
 public:
  // What came for the streams of a name, and was taken.
  struct Arrived {
    uint64_t events = 0;          // of EventWrite
    uint64_t batched_events = 0;  // rows of EventBatchWrite
    uint64_t samples = 0;         // with and without value
  };

  explicit ContractBackend(const nvtxwInterface_v2_t* next = plain_interface());
  ~ContractBackend();
  ContractBackend(const ContractBackend&) = delete;
  ContractBackend& operator=(const ContractBackend&) = delete;

  const nvtxwInterface_v2_t* interface() const;
  // The first 1000 sentences, "CALL: what", in the order of the calls' ends.
  std::vector<std::string> violations() const;
  Arrived arrived(const std::string& stream) const;

  // How often each call lets other threads run before it returns: makes overlaps likelier.
  std::atomic<int> yields{0};

 private:
  friend struct ContractCalls;

  struct Session {
    bool is_open = true;
    int writes = 0;         // under way
    int registrations = 0;  // under way, lifecycle calls among them
    std::map<std::string, ContractDomain> domains;
  };
  struct Domain {
    Session* session = nullptr;
    ContractDomain* names = nullptr;
  };
  struct Stream {
    bool is_open = true;
    int writes = 0;  // under way
    Session* session = nullptr;
    ContractDomain* names = nullptr;
    std::string name;
  };

  Session* find_session(nvtxwSessionHandle_t handle, ContractReport& report);
  Domain find_domain(nvtxDomainHandle_t handle, ContractReport& report);
  Stream* find_stream(nvtxwStreamHandle_t handle, ContractReport& report);
  bool is_name_open(const Session* session, const std::string& name) const;
  void enter(Session* session, Stream* writing, ContractReport& report);
  void leave(Session* session, Stream* writing);
  void keep(const ContractReport& report);
  // Passes a checked call on, without the lock. `writing` is the stream of a write.
  template <typename Call>
  int32_t pass(std::unique_lock<std::mutex>& lock, ContractReport& report, Session* session,
               Stream* writing, Call call);

  const nvtxwInterface_v2_t* const next_;
  mutable std::mutex mutex_;
  // Nodes stay when what they stand for has ended: stale handles are told from unknown ones.
  std::map<nvtxwSessionHandle_t, Session> sessions_;
  std::map<nvtxDomainHandle_t, Domain> domains_;
  std::map<nvtxwStreamHandle_t, Stream> streams_;
  std::map<std::string, Arrived> arrived_;
  std::vector<std::string> violations_;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_CONTRACT_BACKEND_H_
