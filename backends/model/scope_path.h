// SPDX-License-Identifier: Apache-2.0
//
// Scope paths: "Process[4711:server]/Thread[3:4713:worker]" taken apart.
//
// Nodes are separated by '/'; a '\' in front of '/', '[', ']' or '\' makes it part of the name.
//
//   for (const ScopeNode& node : split_scope_path(path)) ...
//
// Threads: pure functions.
#ifndef RINGSCRIBE_BACKENDS_MODEL_SCOPE_PATH_H_
#define RINGSCRIBE_BACKENDS_MODEL_SCOPE_PATH_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringscribe::model {

enum class ScopeNodeKind : uint8_t { kPlain, kProcess, kThread };

struct ScopeNode {
  ScopeNodeKind kind = ScopeNodeKind::kPlain;
  std::string text;           // as written; what makes two nodes the same
  std::string name;           // to show, without escapes, valid UTF-8; never empty
  int64_t pid = 0;            // kProcess
  int64_t tid = 0;            // kThread
  int64_t thread_number = 0;  // kThread
};

// "Process[PID:NAME]" is a process and "Thread[NUMBER:TID:NAME]" a thread; their NAME may be
// empty or missing, and is then "Process PID" or "Thread NUMBER". Anything else is plain, also
// what looks alike but has no numbers. Empty nodes (leading or doubled slashes) are passed over.
std::vector<ScopeNode> split_scope_path(std::string_view path);

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_SCOPE_PATH_H_
