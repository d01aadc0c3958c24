// SPDX-License-Identifier: Apache-2.0
//
// Tracks: the rows of the viewer. Scopes become a tree of tracks, streams without scope a track
// each; each is announced to the sink right before its first use, parents first.
//
// A scope's path is a way down the tree; a node is the same track wherever the same text stands
// below the same parent, in the whole session, so that two domains that write from one thread
// share its row. A stream that is closed and opened again under its name goes on on its track.
//
//   tracks.add_scope(domain, attr);
//   uint32_t track = 0;
//   Status status = tracks.for_scope(domain, name, scope, track);   // kNoTrack: it has none
//
// Threads: one at a time. Lifetime: the sink has to outlive this object.
#ifndef RINGSCRIBE_BACKENDS_MODEL_TRACKS_H_
#define RINGSCRIBE_BACKENDS_MODEL_TRACKS_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ringscribe/backends/model/event_sink.h"
#include "ringscribe/backends/model/scope_path.h"
#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/status.h"

namespace ringscribe::model {

class Tracks {
 public:
  explicit Tracks(EventSink& sink) : sink_(sink) {}

  // `domain_name` is shown with plain scope tracks; processes and threads belong to no domain.
  // Fails with kInvalidArgument if the parent scope was not added before.
  Status add_scope(uint32_t domain, std::string_view domain_name, const nvtxScopeAttr_t& attr);

  // The track of a registered scope. A static ID that is not registered (yet) has a track
  // "scope NUMBER" until it is. kNoTrack for no scope, the root, a CURRENT_ scope (which nothing
  // resolves afterwards), an empty path below those, and an unknown dynamic ID.
  Status for_scope(uint32_t domain, std::string_view domain_name, uint64_t scope, uint32_t& track);
  // True for what needs no registration, too.
  bool is_registered(uint32_t domain, uint64_t scope) const;

  // The track of a process or of a thread that entries of an event name by the system's numbers:
  // the one that a scope announced under that number, else a new one. A thread without process is
  // looked for in that of `stream_scope`; if that is in none, it is a row like any other.
  struct ThreadName {
    bool has_process = false;
    bool has_thread = false;
    int64_t process = 0;
    int64_t thread = 0;
  };
  Status for_thread(uint32_t domain, uint64_t stream_scope, const ThreadName& name,
                    uint32_t& track);

  // The track of a stream for events without scope.
  Status for_stream(std::string_view domain_name, std::string_view stream_name, uint32_t& track);

 private:
  struct Node {
    uint32_t parent;  // an index of nodes_, or kNoTrack
    TrackKind kind;
    ScopeNode scope;
    std::string domain_name;
    uint32_t track = kNoTrack;  // once announced
  };

  uint32_t unregistered(uint32_t domain, std::string_view domain_name, uint64_t scope);
  uint32_t child_of(uint32_t parent, ScopeNode scope, std::string_view domain_name);
  Status announce(uint32_t node, uint32_t& track);
  // The node of the process that a node is in, or kNoTrack.
  uint32_t process_node(uint32_t node) const;
  // The process a node is in, or 0.
  int64_t process_of(uint32_t node) const;

  EventSink& sink_;
  uint32_t next_track_ = 0;
  std::vector<Node> nodes_;
  std::map<std::pair<uint32_t, std::string>, uint32_t> children_;    // (parent, text)
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> scopes_;         // (domain, scope)
  std::map<std::pair<std::string, std::string>, uint32_t> streams_;  // (domain, stream)
  // Nodes by the system's numbers, the first of each.
  std::map<int64_t, uint32_t> processes_;
  std::map<std::pair<uint32_t, int64_t>, uint32_t> threads_;  // (process node, thread)
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_TRACKS_H_
