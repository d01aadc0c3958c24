// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/model/definitions.h"

#include <utility>

#include "ringscribe/backends/model/text.h"

namespace ringscribe::model {

Definitions::Domain& Definitions::domain_at(uint32_t domain) {
  std::unique_ptr<Domain>& slot = domains_[domain];
  if (!slot) slot = std::make_unique<Domain>();
  return *slot;
}

const Definitions::Domain* Definitions::find_domain(uint32_t domain) const {
  const auto found = domains_.find(domain);
  return found == domains_.end() ? nullptr : found->second.get();
}

void Definitions::add_domain(uint32_t domain, std::string_view name) {
  domain_at(domain).name = valid_utf8_copy(name);
  ++renames_;
}

void Definitions::add_category(uint32_t domain, uint32_t category, std::string_view name) {
  domain_at(domain).categories[category] = valid_utf8_copy(name);
  ++renames_;  // a category without name may be in use already
}

void Definitions::add_string(uint64_t handle, std::string_view text) {
  if (!strings_.insert_or_assign(handle, valid_utf8_copy(text)).second) ++renames_;
}

const Schema& Definitions::add_schema(uint32_t domain, const nvtxPayloadSchemaAttr_t& attr) {
  SchemaLookup lookup;
  lookup.schema = [this, domain](uint64_t id) { return schema(domain, id); };
  lookup.enumeration = [this, domain](uint64_t id) { return enumeration(domain, id); };
  schemas_.push_back(compile_schema(attr, lookup));
  const Schema& compiled = *schemas_.back();
  domain_at(domain).schemas[compiled.id] = &compiled;
  return compiled;
}

void Definitions::add_enumeration(uint32_t domain, const nvtxPayloadEnumAttr_t& attr) {
  enumerations_.push_back(compile_enumeration(attr));
  domain_at(domain).enumerations[attr.schemaId] = enumerations_.back().get();
}

std::string_view Definitions::domain_name(uint32_t domain) const {
  const Domain* found = find_domain(domain);
  return found == nullptr ? std::string_view() : std::string_view(found->name);
}

std::string_view Definitions::category_name(uint32_t domain, uint32_t category) const {
  const Domain* found = find_domain(domain);
  if (found == nullptr) return {};
  const auto name = found->categories.find(category);
  return name == found->categories.end() ? std::string_view() : std::string_view(name->second);
}

const std::string* Definitions::string(uint64_t handle) const {
  const auto found = strings_.find(handle);
  return found == strings_.end() ? nullptr : &found->second;
}

const Schema* Definitions::schema(uint32_t domain, uint64_t id) const {
  const Domain* found = find_domain(domain);
  if (found == nullptr) return nullptr;
  const auto schema = found->schemas.find(id);
  return schema == found->schemas.end() ? nullptr : schema->second;
}

const Enumeration* Definitions::enumeration(uint32_t domain, uint64_t id) const {
  const Domain* found = find_domain(domain);
  if (found == nullptr) return nullptr;
  const auto enumeration = found->enumerations.find(id);
  return enumeration == found->enumerations.end() ? nullptr : enumeration->second;
}

}  // namespace ringscribe::model
