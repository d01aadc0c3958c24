// SPDX-License-Identifier: Apache-2.0
//
// FrameReplayer: turns one frame of a journal into one call of a SessionBackend. It keeps what
// later frames are checked against: the domains, the open streams, the schemas.
//
//   FrameReplayer replayer(target);
//   switch (replayer.replay(frame)) ...
//
// Threads: one at a time. Lifetime: keeps a reference to the target.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_FRAME_REPLAYER_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_FRAME_REPLAYER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "ringscribe/backends/journal/byte_codec.h"
#include "ringscribe/backends/journal/compact_decoder.h"
#include "ringscribe/backends/journal/frame_format.h"
#include "ringscribe/backends/journal/frame_reader.h"
#include "ringscribe/backends/journal/payload_map.h"
#include "ringscribe/backends/nvtxw/session_backend.h"

namespace ringscribe::journal {

class FrameReplayer {
 public:
  enum class Outcome {
    kDone,       // the call was made; status() is what the target returned
    kUnknown,    // no frame that this version knows
    kMalformed,  // no call was made: problem() says why
  };

  explicit FrameReplayer(nvtxw::SessionBackend& target) : target_(target) {}

  // REQUIRES: the frame is neither the session's nor the end's.
  Outcome replay(const Frame& frame);
  const Status& status() const { return status_; }
  const std::string& problem() const { return problem_; }

 private:
  class Parts;

  Outcome replay_plain(FrameType type, std::span<std::byte> payload);
  Outcome done(Status status);
  Outcome malformed(const std::string& why);
  Outcome not_laid_out(uint64_t schema);
  bool is_domain(uint32_t domain) const { return domain < domains_; }
  bool is_open(uint32_t stream) const { return stream < streams_.size() && streams_[stream].open; }

  Outcome domain(Decoder& decoder);
  Outcome category(Decoder& decoder);
  Outcome string(Decoder& decoder);
  template <typename Attributes>
  Outcome attributes(Decoder& decoder, uint64_t Attributes::* id,
                     Status (nvtxw::SessionBackend::*call)(uint32_t, const Attributes&));
  Outcome stream_open(Decoder& decoder);
  Outcome stream_close(Decoder& decoder);
  Outcome event(Parts& parts);
  Outcome event_batch(Parts& parts);
  Outcome counter_sample(Parts& parts);
  Outcome counter_no_value(Parts& parts);
  Outcome counter_batch(Parts& parts);
  Outcome sync_points(Parts& parts);
  Outcome conversion_factor(Parts& parts);

  // Learns what later payloads are read by.
  Status learn(uint32_t, const nvtxResourceAttributes_t&) { return Status(); }
  Status learn(uint32_t, const nvtxScopeAttr_t&) { return Status(); }
  Status learn(uint32_t, const nvtxTimeDomainAttr_t&) { return Status(); }
  Status learn(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr);
  Status learn(uint32_t domain, const nvtxPayloadEnumAttr_t& attr);
  Status learn(uint32_t domain, const nvtxCounterAttr_t& attr);
  // Samples hold no pointers. False if their layout cannot be followed.
  bool clear_pointers(uint32_t stream, uint64_t counter, std::span<std::byte> samples);

  struct Stream {
    uint32_t domain;
    bool open;
  };

  nvtxw::SessionBackend& target_;
  PayloadMap map_;
  uint32_t domains_ = 0;
  std::vector<Stream> streams_;
  CompactDecoder compact_;
  std::vector<std::byte> flex_copy_;
  Status status_;
  std::string problem_;
};

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_FRAME_REPLAYER_H_
