// SPDX-License-Identifier: Apache-2.0
//
// The definition log: what the records of a process name by number, written to a file at the moment
// it is defined, so that rings which outlive their process can be read (crash_folder.h).
//
//   DefinitionLog log(fd);                         // the process that records
//   log.add(LoggedDomain{session, number, name});
//
//   LogVisitor visitor = ...;                      // `ringscribe recover`
//   Status status = read_definition_log(bytes, visitor);
//
// The file is a header and entries: 32-bit size, 32-bit kind, the fields. A process that dies while
// it writes leaves at most one entry that is cut, at the end.
//
// Threads: add() from any; an entry is one write(2). Errors: a write that fails is logged once, and
// nothing is added from then on. What is read is not trusted: sizes, counts and enum values are
// checked, numbers are not (the reader looks them up).
#ifndef RINGSCRIBE_RUNTIME_DEFINITION_LOG_H_
#define RINGSCRIBE_RUNTIME_DEFINITION_LOG_H_

#include <cstdint>
#include <mutex>
#include <span>

#include "ringscribe/backends/nvtxw/own_file.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/call_site_text.h"
#include "ringscribe/runtime/clock.h"
#include "ringscribe/runtime/definitions.h"
#include "ringscribe/runtime/memory.h"

namespace ringscribe::runtime {

struct LoggedProcess {
  int64_t pid = 0;
  String name;         // of the program
  uint32_t clock = 0;  // ClockKind
  SyncPoint begin = {};
};
struct LoggedSession {
  uint32_t session = 0;
  String name;
  String backend;
  String output;
};
struct LoggedSessionEnd {
  uint32_t session = 0;
};
struct LoggedDomain {
  uint32_t session = 0;
  uint32_t number = 0;  // in the process
  String name;
};
struct LoggedStream {
  uint32_t session = 0;
  uint32_t number = 0;
  uint32_t domain = 0;
  String name;
  bool is_live = false;
  bool is_ordered = false;
  uint64_t scope_id = 0;
  uint64_t time_domain = 0;
  int16_t interleaving = 0, ordering = 0;
  int32_t skid = 0;
  int64_t skid_amount = 0;
};
struct LoggedStreamEnd {
  uint32_t number = 0;
};
struct LoggedCallSite {
  uint32_t id = 0;
  CallSiteText text;
};
// Any of definitions.h; `domain` is the number of Definition::domain.
struct LoggedDefinition {
  uint32_t domain = 0;
  Definition* definition = nullptr;  // read: made with make<T>(), the visitor's to keep
};

class DefinitionLog {
 public:
  // Writes the header. Keeps `fd`, which is open for appending; -1: add() does nothing.
  explicit DefinitionLog(int fd);
  ~DefinitionLog();
  DefinitionLog(const DefinitionLog&) = delete;
  DefinitionLog& operator=(const DefinitionLog&) = delete;

  void add(const LoggedProcess& entry);
  void add(const LoggedSession& entry);
  void add(const LoggedSessionEnd& entry);
  void add(const LoggedDomain& entry);
  void add(const LoggedStream& entry);
  void add(const LoggedStreamEnd& entry);
  void add(const LoggedCallSite& entry);
  void add(const LoggedDefinition& entry);

 private:
  template <typename Entry>
  void write(uint32_t kind, const Entry& entry);

  std::mutex mutex_;
  nvtxw::OwnFile file_;
};

class LogVisitor {
 public:
  virtual ~LogVisitor() = default;
  virtual void process(const LoggedProcess& entry) = 0;
  virtual void session(const LoggedSession& entry) = 0;
  virtual void session_end(const LoggedSessionEnd& entry) = 0;
  virtual void domain(const LoggedDomain& entry) = 0;
  virtual void stream(const LoggedStream& entry) = 0;
  virtual void stream_end(const LoggedStreamEnd& entry) = 0;
  virtual void call_site(const LoggedCallSite& entry) = 0;
  virtual void definition(const LoggedDefinition& entry) = 0;
};

// Visits the whole entries in order. Fails if the header is not ours, or of another version, and at
// an entry that is not what it says; what came before was visited.
Status read_definition_log(std::span<const uint8_t> bytes, LogVisitor& visitor);

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_DEFINITION_LOG_H_
