// SPDX-License-Identifier: Apache-2.0
//
// ContractReport: what is wrong with one call, as sentences "CALL: what".
//
//   ContractReport report("EventWrite");
//   report.expect(payloads != nullptr, "the payloads are NULL");
//   if (!report.ok()) …
//
// Threads: one at a time.
#ifndef RINGSCRIBE_TESTS_SUPPORT_CONTRACT_REPORT_H_
#define RINGSCRIBE_TESTS_SUPPORT_CONTRACT_REPORT_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ringscribe/backends/nvtxw/utf8.h"
#include "ringscribe/tests/support/argument_memory.h"

namespace ringscribe::testing {

class ContractReport {
 public:
  explicit ContractReport(const char* call) : call_(call) {}

  bool ok() const { return sentences_.empty(); }
  void add(const std::string& sentence) { sentences_.push_back(call_ + (": " + sentence)); }
  // Adds the sentence unless `holds`; returns `holds`.
  bool expect(bool holds, const std::string& sentence) {
    if (!holds) add(sentence);
    return holds;
  }
  bool readable(const void* bytes, size_t size, const std::string& what) {
    return expect(memory_.add(bytes, size),
                  what + " cannot be read for " + std::to_string(size) + " bytes");
  }
  // A text that may be missing.
  bool text(const char* text, const std::string& what) {
    if (text == nullptr) return true;
    return expect(memory_.add_text(text), what + " cannot be read up to a zero") &&
           expect(nvtxw::is_valid_utf8(text), what + " is not UTF-8");
  }
  const ArgumentMemory& memory() const { return memory_; }
  const std::vector<std::string>& sentences() const { return sentences_; }

 private:
  std::string call_;
  std::vector<std::string> sentences_;
  ArgumentMemory memory_;
};

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_SUPPORT_CONTRACT_REPORT_H_
