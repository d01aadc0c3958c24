// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/scope_path.h"

#include <charconv>

#include "ringscribe/backends/model/text.h"

namespace ringscribe::model {
namespace {

bool is_escape(std::string_view text, size_t i) {
  if (text[i] != '\\' || i + 1 >= text.size()) return false;
  const char next = text[i + 1];
  return next == '/' || next == '[' || next == ']' || next == '\\';
}

std::string without_escapes(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (is_escape(text, i)) ++i;
    result += text[i];
  }
  return valid_utf8_copy(result);
}

// Takes digits and a following ':' off the front; a number that ends the text needs no ':'.
bool take_number(std::string_view& text, int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  if (text.empty()) return true;
  if (text.front() != ':') return false;
  text.remove_prefix(1);
  return true;
}

// The text between `prefix` and the last ']', which has to end the node.
bool key_of(std::string_view text, std::string_view prefix, std::string_view& key) {
  if (!text.starts_with(prefix) || !text.ends_with(']')) return false;
  key = text.substr(prefix.size(), text.size() - prefix.size() - 1);
  return true;
}

std::string name_or(std::string_view name, std::string_view kind, int64_t number) {
  if (!name.empty()) return without_escapes(name);
  return std::string(kind) + " " + std::to_string(number);
}

ScopeNode make_node(std::string_view text) {
  ScopeNode node;
  node.text = std::string(text);
  std::string_view key;
  if (key_of(text, "Process[", key) && take_number(key, node.pid)) {
    node.kind = ScopeNodeKind::kProcess;
    node.name = name_or(key, "Process", node.pid);
    return node;
  }
  if (key_of(text, "Thread[", key) && take_number(key, node.thread_number) &&
      take_number(key, node.tid)) {
    node.kind = ScopeNodeKind::kThread;
    node.name = name_or(key, "Thread", node.thread_number);
    return node;
  }
  node.pid = 0;
  node.thread_number = 0;
  node.name = without_escapes(text);
  return node;
}

}  // namespace

std::vector<ScopeNode> split_scope_path(std::string_view path) {
  std::vector<ScopeNode> nodes;
  size_t begin = 0;
  for (size_t i = 0; i <= path.size(); ++i) {
    if (i < path.size() && is_escape(path, i)) {
      ++i;
      continue;
    }
    if (i < path.size() && path[i] != '/') continue;
    if (i > begin) nodes.push_back(make_node(path.substr(begin, i - begin)));
    begin = i + 1;
  }
  return nodes;
}

}  // namespace ringscribe::model
