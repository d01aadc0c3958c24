// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/tracks.h"

#include <utility>

#include "ringscribe/backends/model/text.h"

namespace ringscribe::model {
namespace {

bool needs_registration(uint64_t scope) { return scope >= NVTX_SCOPE_ID_STATIC_START; }

}  // namespace

Status Tracks::add_scope(uint32_t domain, std::string_view domain_name,
                         const nvtxScopeAttr_t& attr) {
  uint32_t at = kNoTrack;
  if (needs_registration(attr.parentScope)) {
    const auto parent = scopes_.find({domain, attr.parentScope});
    if (parent == scopes_.end()) {
      return {ResultCode::kInvalidArgument,
              "Registering scope " + std::to_string(attr.scopeId) + ": its parent scope " +
                  std::to_string(attr.parentScope) +
                  " is not registered in this domain; register the parent first."};
    }
    at = parent->second;
  }
  const std::string_view path = attr.path == nullptr ? std::string_view() : attr.path;
  for (ScopeNode& scope : split_scope_path(path)) at = child_of(at, std::move(scope), domain_name);
  scopes_[{domain, attr.scopeId}] = at;
  return {};
}

uint32_t Tracks::child_of(uint32_t parent, ScopeNode scope, std::string_view domain_name) {
  const auto [place, is_new] =
      children_.try_emplace({parent, scope.text}, static_cast<uint32_t>(nodes_.size()));
  if (!is_new) return place->second;
  Node node{parent, TrackKind::kScope, std::move(scope), std::string(domain_name)};
  if (node.scope.kind == ScopeNodeKind::kProcess) node.kind = TrackKind::kProcess;
  // A thread of no process is a row like any other: nobody could say whose thread it is.
  const int64_t process = process_of(parent);
  if (node.scope.kind == ScopeNodeKind::kThread && process != 0) {
    node.kind = TrackKind::kThread;
    node.scope.pid = process;
  }
  if (node.kind == TrackKind::kScope) {
    node.scope.name = node.scope.kind == ScopeNodeKind::kThread ? valid_utf8_copy(node.scope.text)
                                                                : node.scope.name;
    node.scope.tid = 0;
    node.scope.thread_number = 0;
  } else {
    node.domain_name.clear();
  }
  if (node.kind == TrackKind::kProcess) processes_.try_emplace(node.scope.pid, place->second);
  if (node.kind == TrackKind::kThread) {
    threads_.try_emplace({process_node(parent), node.scope.tid}, place->second);
  }
  nodes_.push_back(std::move(node));
  return place->second;
}

uint32_t Tracks::process_node(uint32_t node) const {
  while (node != kNoTrack && nodes_[node].kind != TrackKind::kProcess) node = nodes_[node].parent;
  return node;
}

int64_t Tracks::process_of(uint32_t node) const {
  const uint32_t process = process_node(node);
  return process == kNoTrack ? 0 : nodes_[process].scope.pid;
}

Status Tracks::for_thread(uint32_t domain, uint64_t stream_scope, const ThreadName& name,
                          uint32_t& track) {
  uint32_t process = kNoTrack;
  if (name.has_process) {
    const auto known = processes_.find(name.process);
    if (known != processes_.end()) {
      process = known->second;
    } else {
      const std::string text = "Process[" + std::to_string(name.process) + "]";
      process = child_of(kNoTrack, split_scope_path(text)[0], {});
    }
  } else if (const auto scope = scopes_.find({domain, stream_scope}); scope != scopes_.end()) {
    process = process_node(scope->second);
  }
  if (!name.has_thread) return announce(process, track);
  const auto known = threads_.find({process, name.thread});
  if (known != threads_.end()) return announce(known->second, track);
  // The system's number stands for the number that is never used again: there is no other.
  const std::string number = std::to_string(name.thread);
  const std::string text =
      process == kNoTrack ? "Thread " + number : "Thread[" + number + ":" + number + "]";
  return announce(child_of(process, split_scope_path(text)[0], {}), track);
}

Status Tracks::announce(uint32_t index, uint32_t& track) {
  track = nodes_[index].track;
  if (track != kNoTrack) return {};
  uint32_t parent = kNoTrack;
  if (nodes_[index].parent != kNoTrack) {
    if (Status status = announce(nodes_[index].parent, parent); !status.ok()) return status;
  }
  Node& node = nodes_[index];
  node.track = track = next_track_++;
  return sink_.track({track, parent, node.kind, node.scope.name, node.domain_name, node.scope.pid,
                      node.scope.tid, node.scope.thread_number});
}

// The number means something in its domain only, and no path may lead to the same node: so the
// domain is part of the text, behind a NUL, which no path has.
uint32_t Tracks::unregistered(uint32_t domain, std::string_view domain_name, uint64_t scope) {
  ScopeNode node;
  node.name = "scope " + std::to_string(scope);
  node.text = node.name + '\0' + std::to_string(domain);
  return child_of(kNoTrack, std::move(node), domain_name);
}

Status Tracks::for_scope(uint32_t domain, std::string_view domain_name, uint64_t scope,
                         uint32_t& track) {
  track = kNoTrack;
  if (!needs_registration(scope)) return {};
  const auto found = scopes_.find({domain, scope});
  uint32_t node = kNoTrack;
  if (found != scopes_.end()) {
    node = found->second;
  } else if (scope < NVTX_SCOPE_ID_DYNAMIC_START) {
    node = unregistered(domain, domain_name, scope);
  }
  return node == kNoTrack ? Status() : announce(node, track);
}

bool Tracks::is_registered(uint32_t domain, uint64_t scope) const {
  return !needs_registration(scope) || scopes_.count({domain, scope}) != 0;
}

Status Tracks::for_stream(std::string_view domain_name, std::string_view stream_name,
                          uint32_t& track) {
  const auto [place, is_new] =
      streams_.try_emplace({std::string(domain_name), std::string(stream_name)}, next_track_);
  track = place->second;
  if (!is_new) return {};
  ++next_track_;
  const std::string name = valid_utf8_copy(stream_name);
  return sink_.track({track, kNoTrack, TrackKind::kStream, name, domain_name, 0, 0, 0});
}

}  // namespace ringscribe::model
