// SPDX-License-Identifier: Apache-2.0
//
// Problems: what could not be decoded or placed, counted by sentence and told once at the end.
//
// A hostile or broken producer can make millions of them; the list stays short: after
// kSentencesMax different sentences all new ones share one.
//
//   problems.add("Entry 'size' of schema 'Item' lies outside its payload; it is left out.");
//   for (const auto& [sentence, count] : problems.all()) sink.problem(sentence, count);
//
// Threads: one at a time. Cost: a map lookup for each add(); never on the path of a good event.
#ifndef RINGSCRIBE_BACKENDS_MODEL_PROBLEMS_H_
#define RINGSCRIBE_BACKENDS_MODEL_PROBLEMS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace ringscribe::model {

class Problems {
 public:
  static constexpr size_t kSentencesMax = 256;

  // Counts `sentence` `times` more. It has to be valid UTF-8.
  void add(std::string_view sentence, uint64_t times = 1) {
    auto found = counts_.find(sentence);
    if (found == counts_.end()) {
      if (counts_.size() >= kSentencesMax) sentence = "Further problems of other kinds.";
      found = counts_.emplace(std::string(sentence), 0).first;
    }
    found->second += times;
  }

  const std::map<std::string, uint64_t, std::less<>>& all() const { return counts_; }

  // The count of one sentence; 0 if it was never added.
  uint64_t count(std::string_view sentence) const {
    const auto found = counts_.find(sentence);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, uint64_t, std::less<>> counts_;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_PROBLEMS_H_
