// SPDX-License-Identifier: Apache-2.0
//
// DocumentRunner: makes the calls of a document (generator.py) through our C++ API; its counterpart
// for nvtx.writer is run_python.py.
//
//   DocumentRunner runner("libringscribe_backend.so", "out");
//   for (const std::string& failure : runner.run(document)) puts(failure.c_str());
//
// Writes FOLDER/session_ID.rsj for each session. All calls of a document are valid, so whatever our
// API refuses or loses is a failure, told as a sentence.
//
// Threads: one. Lifetime: the document has to live during run().
#ifndef RINGSCRIBE_TESTS_DIFFERENTIAL_DOCUMENT_RUNNER_H_
#define RINGSCRIBE_TESTS_DIFFERENTIAL_DOCUMENT_RUNNER_H_

#include <rapidjson/document.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ringscribe/ringscribe.h"
#include "ringscribe/tests/differential/document_words.h"

namespace ringscribe::testing {

class DocumentRunner {
 public:
  DocumentRunner(std::string library, std::string folder)
      : library_(std::move(library)), folder_(std::move(folder)) {}

  std::vector<std::string> run(const rapidjson::Document& document);

 private:
  // A counter, and as what it was asked for: "int", "i4", ..., or "group".
  struct KnownCounter {
    AnyCounter any;
    Counter number;  // if it is no group
    std::string_view type;
  };

  // One call; false if its name is not known.
  bool run_definition(std::string_view name, const Json& call);
  bool run_event(std::string_view name, const Json& call);
  bool run_sample(std::string_view name, const Json& call);

  void begin_session(const Json& call);
  void end_session(uint64_t id);
  void get_schema(const Json& call);
  void get_counter(const Json& call);
  void open_stream(const Json& call);
  void write_event(const Json& call);
  void write_event_batch(const Json& call);
  void write_sample(const Json& call);
  void write_sample_batch(const Json& call);

  AnySchema schema_of(Domain& domain, uint64_t layout, EventKind kind, bool is_group);
  Field field_of(Domain& domain, const Json& field, bool is_group, bool is_computed);
  Scope scope_of(const Json* scope) const;
  EventArgs args_of(const Json& call) const;
  void append_row(const Json& row, std::vector<uint8_t>& bytes) const;

  // Notes a failure of the call under way.
  void check(bool is_right, std::string_view sentence);
  void check(const Status& status);

  std::string library_, folder_;
  uint64_t call_number_ = 0;
  std::string_view call_name_;
  std::vector<std::string> failures_;

  // What calls made, by their ids.
  std::map<uint64_t, Session> sessions_;
  std::map<uint64_t, Domain> domains_;
  std::map<uint64_t, RegisteredString> strings_;
  std::map<uint64_t, Category> categories_;
  std::map<uint64_t, Scope> scopes_;
  std::map<uint64_t, const Json*> layouts_;
  std::map<uint64_t, AnySchema> schemas_;
  std::map<uint64_t, KnownCounter> counters_;
  std::map<uint64_t, Stream> streams_;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_DIFFERENTIAL_DOCUMENT_RUNNER_H_
