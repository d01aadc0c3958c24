// SPDX-License-Identifier: Apache-2.0
//
// NVIDIA's helper functions against our library: helper_calls.c, as C and as C++, writes a journal;
// here it is read back, and every definition, event and sample has to be there as written.
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "ringscribe/backends/journal/call_printer.h"
#include "ringscribe/backends/journal/journal_reader.h"
#include "ringscribe/backends/model/model.h"
#include "ringscribe/tests/support/event_lines.h"

namespace rs = ringscribe;

namespace {

using Lines = std::vector<std::string>;

// The calls of a journal: definitions and streams as JSON, schemas in short; data is for the model.
class DefinitionLines final : public rs::journal::CallPrinter {
 public:
  explicit DefinitionLines(Lines* lines)
      : CallPrinter([lines](std::string_view line) { lines->emplace_back(line); }), lines_(lines) {}

  rs::Status schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) override {
    // The map of payloads, which the base class keeps, has to know the schema too.
    const rs::Status status = CallPrinter::schema(domain, attr);
    std::string line = "schema type " + std::to_string(attr.type) + " flags " +
                       std::to_string(attr.flags) + " bytes " +
                       std::to_string(attr.payloadStaticSize) + ":";
    for (size_t i = 0; i < attr.numEntries; ++i) {
      const nvtxPayloadSchemaEntry_t& entry = attr.entries[i];
      line += " " + std::string(entry.name) + "@" + std::to_string(entry.offset) + "=" +
              std::to_string(entry.type) + "/" + std::to_string(entry.flags);
    }
    lines_->back() = line;
    return status;
  }
  rs::Status event(uint32_t, std::span<const nvtxPayloadData_t>) override { return {}; }
  rs::Status counter_sample(uint32_t, int64_t, uint64_t, const void*, size_t) override {
    return {};
  }

 private:
  Lines* lines_;
};

// The 13 schemas of nvtxwEventSchemasRegister. Entries are NAME@OFFSET=TYPE/FLAGS.
const Lines kSchemas = {
    "schema type 1 flags 32 bytes 16: timestamp@0=17/14336 color@8=69/0 category@12=68/0",
    "schema type 1 flags 32 bytes 24: timestamp@0=17/14336 color@8=69/0 category@12=68/0 "
    "message@16=80/1024",
    "schema type 1 flags 16 bytes 24: timestampBegin@0=17/6144 timestampEnd@8=17/10240 "
    "color@16=69/0 category@20=68/0",
    "schema type 1 flags 16 bytes 32: timestampBegin@0=17/6144 timestampEnd@8=17/10240 "
    "color@16=69/0 category@20=68/0 message@24=80/1024",
    "schema type 1 flags 24 bytes 24: timestampBegin@0=17/6144 timestampEnd@8=17/10240 "
    "color@16=69/0 category@20=68/0",
    "schema type 1 flags 24 bytes 32: timestampBegin@0=17/6144 timestampEnd@8=17/10240 "
    "color@16=69/0 category@20=68/0 message@24=80/1024",
    "schema type 1 flags 40 bytes 16: timestamp@0=17/6144 color@8=69/0 category@12=68/0",
    "schema type 1 flags 40 bytes 24: timestamp@0=17/6144 color@8=69/0 category@12=68/0 "
    "message@16=80/1024",
    "schema type 1 flags 48 bytes 8: timestamp@0=17/10240",
    "schema type 1 flags 56 bytes 24: rangeId@0=67/0 timestamp@8=17/6144 color@16=69/0 "
    "category@20=68/0",
    "schema type 1 flags 56 bytes 32: rangeId@0=67/0 timestamp@8=17/6144 color@16=69/0 "
    "category@20=68/0 message@24=80/1024",
    "schema type 1 flags 64 bytes 16: rangeId@0=67/0 timestamp@8=17/10240",
    "schema type 2 flags 0 bytes 0: message@0=76/1056",
};

Lines expected_definitions() {
  Lines all = {
      R"({"call":"domain","domain":0,"name":"helper domain"})",
      R"({"call":"domain","domain":1,"name":""})",
      R"({"call":"category","domain":0,"category":7,"name":"seven"})",
      R"({"call":"time_domain","domain":0,"scopeId":0,"timestampTypeId":14,)"
      R"("timeDomainId":4294967296,"timerFlags":0,"timerResolution":0,"timerStart":0})",
      R"({"call":"scope","domain":0,"path":"machine[1]/counters","parentScope":1,)"
      R"("scopeId":4294967296})",
      R"({"call":"string","domain":0,"handle":1,"text":"registered text"})",
  };
  const auto add = [&all](const Lines& lines) {
    all.insert(all.end(), lines.begin(), lines.end());
  };
  add(kSchemas);
  add({R"({"call":"scope","domain":0,"path":"gpu[0]/queue","parentScope":1,"scopeId":4294967297})",
       R"({"call":"stream_open","stream":0,"domain":0,"name":"texts","scopeId":4294967297,)"
       R"("timeDomainId":4294967296,"orderInterleaving":0,"orderingType":0,"orderingSkid":0,)"
       R"("orderingSkidAmount":0})",
       R"({"call":"stream_open","stream":1,"domain":0,"name":"strings","scopeId":0,)"
       R"("timeDomainId":4294967296,"orderInterleaving":0,"orderingType":0,"orderingSkid":0,)"
       R"("orderingSkidAmount":0})"});
  add(Lines(kSchemas.begin() + 1, kSchemas.end()));  // all but the first were selected
  add(kSchemas);
  add({R"({"call":"stream_close","stream":1})",
       R"({"call":"stream_open","stream":2,"domain":0,"name":"counters","scopeId":4294967296,)"
       R"("timeDomainId":4294967296,"orderInterleaving":0,"orderingType":0,"orderingSkid":0,)"
       R"("orderingSkidAmount":0})",
       R"({"call":"counter","domain":0,"schemaId":17,"name":"whole","description":null,)"
       R"("scopeId":0,"counterId":4294967296,"semantics":[]})",
       R"({"call":"counter","domain":0,"schemaId":20,"name":"real","description":null,)"
       R"("scopeId":0,"counterId":4294967297,"semantics":[]})",
       R"({"call":"counter","domain":0,"schemaId":14,"name":"small","description":null,)"
       R"("scopeId":0,"counterId":4294967298,"semantics":[]})",
       R"({"call":"stream_close","stream":0})", R"({"call":"stream_close","stream":2})",
       R"({"call":"end"})"});
  return all;
}

// In the order of the calls; a range stands where its end was written.
const Lines kEvents = {
    "mark gpu[0]/queue 100 'mark' category seven category 7 color ff102030",
    "mark gpu[0]/queue 101 'cut'",
    "mark gpu[0]/queue 102",
    "mark gpu[0]/queue 103 'gr\xC3\xBC\xC3\x9F'",
    "push-pop gpu[0]/queue 110 to 150 'push-pop' category seven category 7 color 00000001",
    "start-end gpu[0]/queue 120 to 160 'start-end' category 8 color 00000002",
    "push-pop gpu[0]/queue 200 to 210 'pushed' color 00000003",
    "start-end gpu[0]/queue 220 to 230 'started' color 00000004 id 77",
    "mark strings 300 'registered text' category seven category 7 color ff102030",
    "mark strings 301",
    "push-pop strings 310 to 350 'registered text' category seven category 7 color 00000001",
    "start-end strings 320 to 360 'registered text' category 8 color 00000002",
    "push-pop strings 400 to 410 'registered text' color 00000003",
    "start-end strings 420 to 430 'registered text' color 00000004 id 78",
    "sample machine[1]/counters/whole 500 = -9223372036854775808",
    "sample machine[1]/counters/whole 501 = 9223372036854775807",
    "sample machine[1]/counters/real 502 = 0.125",
    "sample machine[1]/counters/small 503 = 65535",
};

constexpr const char* kLibrary = "backends/libringscribe_backend.so";

// Runs the program and returns the path of its journal.
std::string run(const std::string& program) {
  const char* folder = std::getenv("TEST_TMPDIR");
  const std::string journal =
      std::string(folder != nullptr ? folder : "/tmp") + "/helper_calls.rsj";
  const std::string command = program + " " + kLibrary + " '" + journal + "'";
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
  return journal;
}

void check_program(const std::string& program) {
  const std::string journal = run(program);

  Lines definitions;
  DefinitionLines printer(&definitions);
  auto summary = rs::journal::replay(journal, printer);
  REQUIRE(summary.ok());
  CHECK(summary->finished);
  CHECK_FALSE(summary->damaged);
  CHECK(summary->info.session_name == "helpers");
  CHECK(definitions == expected_definitions());

  Lines events;
  rs::model::Model model(std::make_unique<rs::testing::EventLines>(&events), "helpers");
  REQUIRE(rs::journal::replay(journal, model).ok());
  CHECK(events == kEvents);
  std::remove(journal.c_str());
}

TEST_CASE("each of NVIDIA's helper functions, called from C, arrives in the journal as called") {
  check_program("tests/nvtxw/helper_calls_c");
}

TEST_CASE("each of NVIDIA's helper functions, called from C++, arrives in the journal as called") {
  check_program("tests/nvtxw/helper_calls_cc");
}

}  // namespace
