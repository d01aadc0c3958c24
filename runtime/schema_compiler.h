// SPDX-License-Identifier: Apache-2.0
//
// From a description of a struct to a schema as NVTX takes it, with what the flusher needs to know
// of it: the size of rows, where the first time stands, and which words of a row it has to rewrite.
//
//   SchemaCompiler compiler;                  // one a domain: knows the schemas and enums so far
//   Status status = compiler.compile(description, kind, extra_flags, *definition);
//   definition->static_id = …; compiler.add(*definition);
//
// Threads: the caller's lock. Allocates.
#ifndef RINGSCRIBE_RUNTIME_SCHEMA_COMPILER_H_
#define RINGSCRIBE_RUNTIME_SCHEMA_COMPILER_H_

#include <cstdint>

#include "ringscribe/backends/nvtxw/schema_layout.h"
#include "ringscribe/backends/nvtxw/status.h"
#include "ringscribe/runtime/definitions.h"
#include "ringscribe/runtime/schema_entry.h"

namespace ringscribe::runtime {

class SchemaCompiler {
 public:
  // Fills `to`, but for its ID. Types of entries are numbers: nested descriptions were compiled and
  // added before. Fails with a sentence that names the schema and the field.
  Status compile(const SchemaDescription& description, EventKind kind, uint64_t extra_flags,
                 SchemaDefinition& to);
  // Whether a schema that was read from a file is one that compile() could have made: what the
  // flusher is to rewrite in a row must be all that a backend would follow.
  bool could_have_made(const SchemaDefinition& read);
  bool knows(uint64_t static_id) const { return types_.contains(static_id); }
  // Makes a schema or an enum known to later ones. REQUIRES: static_id is set.
  void add(const SchemaDefinition& schema);
  void add(const EnumDefinition& definition);

 private:
  struct Known {
    SchemaType type = SchemaType::kStatic;
    Vector<uint32_t> string_offsets;
    Vector<uint32_t> pointer_offsets;
    Vector<FlexField> flexible;

    bool has_words() const {
      return !string_offsets.empty() || !pointer_offsets.empty() || !flexible.empty();
    }
  };
  Status expand(const SchemaDescription& description, SchemaDefinition& to);
  Status collect(SchemaDefinition& to, const nvtxw::SchemaLayout& layout);
  Status collect_nested(SchemaDefinition& to, const SchemaDefinition::Entry& entry,
                        const nvtxw::EntryLayout& place, const Known& nested);
  // The size of an element of a field of variable length; 0 if it varies.
  uint64_t element_bytes(uint64_t type) const;
  bool is_flexible_as(const SchemaDefinition& schema, const SchemaDefinition::Entry& entry,
                      const FlexField& field) const;
  Status error(std::string_view field, const std::string& what) const;

  nvtxw::NestedTypes types_;
  Map<uint64_t, Known> known_;
  // Of the schema under way.
  String name_;
  Vector<FlexField> flexible_;
};

}  // namespace ringscribe::runtime

#endif  // RINGSCRIBE_RUNTIME_SCHEMA_COMPILER_H_
