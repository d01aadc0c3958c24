// SPDX-License-Identifier: Apache-2.0
//
// Definitions: what a session registered and payloads refer to by number: schemas, enums,
// strings, categories, by domain.
//
//   definitions.add_domain(0, "net");
//   definitions.add_schema(0, attr);
//   const Schema* schema = definitions.schema(0, id);
//
// Threads: one at a time. Lifetime: pointers and views that it returns live as long as it does.
#ifndef RINGSCRIBE_BACKENDS_MODEL_DEFINITIONS_H_
#define RINGSCRIBE_BACKENDS_MODEL_DEFINITIONS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ringscribe/backends/model/schema.h"
#include "ringscribe/backends/nvtxw/abi.h"

namespace ringscribe::model {

class Definitions {
 public:
  // `domain` is a small number. A domain that was never added has the name "".
  void add_domain(uint32_t domain, std::string_view name);
  void add_category(uint32_t domain, uint32_t category, std::string_view name);
  // `handle` is unique in the session.
  void add_string(uint64_t handle, std::string_view text);
  // What the schema refers to has to be added before it. The result lives as long as this object.
  const Schema& add_schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr);
  void add_enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr);

  // Counts how often something got another name or text than it had: what was looked up before
  // may not be so any more.
  uint64_t renames() const { return renames_; }

  // Each returns "" or null for what is not known.
  std::string_view domain_name(uint32_t domain) const;
  std::string_view category_name(uint32_t domain, uint32_t category) const;
  const std::string* string(uint64_t handle) const;
  const Schema* schema(uint32_t domain, uint64_t id) const;
  const Enumeration* enumeration(uint32_t domain, uint64_t id) const;

 private:
  struct Domain {
    std::string name;
    std::unordered_map<uint32_t, std::string> categories;
    std::unordered_map<uint64_t, const Schema*> schemas;
    std::unordered_map<uint64_t, const Enumeration*> enumerations;
  };
  Domain& domain_at(uint32_t domain);
  const Domain* find_domain(uint32_t domain) const;

  // Replaced definitions stay: compiled schemas point to them.
  std::vector<std::unique_ptr<Schema>> schemas_;
  std::vector<std::unique_ptr<Enumeration>> enumerations_;
  std::unordered_map<uint32_t, std::unique_ptr<Domain>> domains_;
  std::unordered_map<uint64_t, std::string> strings_;
  uint64_t renames_ = 0;
};

}  // namespace ringscribe::model

#endif  // RINGSCRIBE_BACKENDS_MODEL_DEFINITIONS_H_
