// SPDX-License-Identifier: Apache-2.0
//
// A definition as the call of NVTXW that registers it.
//
//   SchemaAttributes attributes(definition);
//   interface->SchemaRegister(domain, &attributes.attr, &id);
//
// Threads: no state; register_definition() is for the flusher.
// Lifetime: attributes point into their definition, which must outlive them.
#ifndef RINGSCRIBE_RUNTIME_REGISTRATION_H_
#define RINGSCRIBE_RUNTIME_REGISTRATION_H_

#include <cstdint>
#include <string_view>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/runtime/definitions.h"

namespace ringscribe::runtime {

// The semantic extensions of a field or counter, chained.
struct SemanticsChain {
  explicit SemanticsChain(const OwnedSemantics& semantics);
  SemanticsChain(const SemanticsChain&) = delete;
  SemanticsChain& operator=(const SemanticsChain&) = delete;

  const nvtxSemanticsHeader_t* first = nullptr;  // nullptr: none

 private:
  void add(nvtxSemanticsHeader_t& header, uint32_t size, uint16_t id, uint16_t version);

  nvtxSemanticsCounter_t counter_{};
  nvtxSemanticsTime_t time_{};
  nvtxSemanticsScope_t scope_{};
  nvtxSemanticsCorrelation_t correlation_{};
};

struct SchemaAttributes {
  explicit SchemaAttributes(const SchemaDefinition& schema);
  ~SchemaAttributes();
  SchemaAttributes(const SchemaAttributes&) = delete;
  SchemaAttributes& operator=(const SchemaAttributes&) = delete;

  nvtxPayloadSchemaAttr_t attr{};

 private:
  Vector<nvtxPayloadSchemaEntry_t> entries_;
  Vector<SemanticsChain*> semantics_;
};

// Calls the interface. Returns its result code; the handle of a string is put into it.
int32_t register_definition(const nvtxwInterface_v2_t* interface, nvtxDomainHandle_t domain,
                            Definition& definition);
// What to call it in messages: operation, and the name or path.
const char* registration_name(const Definition& definition);
std::string_view definition_subject(const Definition& definition);

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_REGISTRATION_H_
