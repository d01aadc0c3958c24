// SPDX-License-Identifier: Apache-2.0
//
// The attribute structs of NVTXW as bytes of definition frames, and back: names, descriptions,
// entries and chains of semantics included.
//
//   Encoder encoder;                               Decoder decoder(payload);
//   uint64_t skipped = encode(encoder, attr);      nvtxScopeAttr_t attr = {};
//                                                  decode(decoder, attr);
//
// encode() returns how many semantics and extensions it left out, because it does not know their
// layout. It reads of a struct what `fieldMask` or `structSize` says is there. decode() reads what
// encode() wrote; check decoder.ok() after it. What it fills in lives as long as the decoder and
// its payload.
//
// Threads: any.
#ifndef RINGSCRIBE_BACKENDS_JOURNAL_DEFINITION_CODEC_H_
#define RINGSCRIBE_BACKENDS_JOURNAL_DEFINITION_CODEC_H_

#include <cstdint>

#include "ringscribe/backends/journal/byte_codec.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::journal {

uint64_t encode(Encoder& encoder, const nvtxResourceAttributes_t& attr);
uint64_t encode(Encoder& encoder, const nvtxScopeAttr_t& attr);
uint64_t encode(Encoder& encoder, const nvtxPayloadSchemaAttr_t& attr);
uint64_t encode(Encoder& encoder, const nvtxPayloadEnumAttr_t& attr);
uint64_t encode(Encoder& encoder, const nvtxCounterAttr_t& attr);
uint64_t encode(Encoder& encoder, const nvtxTimeDomainAttr_t& attr);
// The handle `domain` is left out: the frame has the domain's number.
uint64_t encode(Encoder& encoder, const nvtxwStreamAttributes_t& attr);

void decode(Decoder& decoder, nvtxResourceAttributes_t& attr);
void decode(Decoder& decoder, nvtxScopeAttr_t& attr);
void decode(Decoder& decoder, nvtxPayloadSchemaAttr_t& attr);
void decode(Decoder& decoder, nvtxPayloadEnumAttr_t& attr);
void decode(Decoder& decoder, nvtxCounterAttr_t& attr);
void decode(Decoder& decoder, nvtxTimeDomainAttr_t& attr);
void decode(Decoder& decoder, nvtxwStreamAttributes_t& attr);

}  // namespace ringscribe::journal

#endif  // RINGSCRIBE_BACKENDS_JOURNAL_DEFINITION_CODEC_H_
