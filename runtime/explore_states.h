// SPDX-License-Identifier: Apache-2.0
//
// For tests that model-check a protocol: a state machine whose steps are the loads and stores of
// the code, in its order, visited in all interleavings.
//
//   struct State { ... };                        // trivially copyable, without padding
//   struct Machine {
//     template <typename Put>
//     std::string operator()(const State& now, Put put) { ... put(next); return what_is_wrong; }
//   };
//   CHECK(explore(State(), Machine(), states) == "");
//
// Threads: one at a time.
#ifndef RINGSCRIBE_RUNTIME_EXPLORE_STATES_H_
#define RINGSCRIBE_RUNTIME_EXPLORE_STATES_H_

#include <cstddef>
#include <string>
#include <type_traits>
#include <unordered_set>
#include <vector>

namespace ringscribe::runtime {

// Visits every state that can be reached. `next(state, put)` calls put(state) for each successor,
// and returns what is wrong with `state`, "" if nothing is.
template <typename State, typename Next>
std::string explore(const State& first, Next next, size_t& states) {
  static_assert(std::is_trivially_copyable_v<State>);
  const auto bytes_of = [](const State& state) {
    return std::string(reinterpret_cast<const char*>(&state), sizeof state);
  };
  std::unordered_set<std::string> seen = {bytes_of(first)};
  std::vector<State> open = {first};
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    const std::string wrong = next(state, [&](const State& successor) {
      if (seen.insert(bytes_of(successor)).second) open.push_back(successor);
    });
    if (!wrong.empty()) return wrong;
  }
  states = seen.size();
  return "";
}

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_EXPLORE_STATES_H_
