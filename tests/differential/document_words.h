// SPDX-License-Identifier: Apache-2.0
//
// The words of a document (generator.py) as values of our API: nvtx.writer's names on the left,
// ours on the right. A word that is not known ends the program, since the document is the test's
// own.
//
// Threads: any. Lifetime: texts are views into the document.
#ifndef RINGSCRIBE_TESTS_DIFFERENTIAL_DOCUMENT_WORDS_H_
#define RINGSCRIBE_TESTS_DIFFERENTIAL_DOCUMENT_WORDS_H_

#include <rapidjson/document.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "ringscribe/ringscribe.h"

namespace ringscribe::testing {

using Json = rapidjson::Value;

std::string_view text_of(const Json& value);                         // "" for null
std::string_view member_text(const Json& object, const char* name);  // "" if missing or null
// nullptr if missing or null.
const Json* find_member(const Json& object, const char* name);

EventKind event_kind(std::string_view word);
Role role(std::string_view word);
// Of a NumPy type such as "i4", or of a PayloadEntryType such as "CATEGORY".
EntryType entry_type(std::string_view word);
PredefinedScope predefined_scope(std::string_view word);
TimestampType timestamp_type(std::string_view word);
BatchOrdering batch_ordering(std::string_view word);
CounterNoValueReason no_value_reason(std::string_view word);
StreamInterleaving interleaving(std::string_view word);
StreamOrdering stream_ordering(std::string_view word);
StreamSkid stream_skid(std::string_view word);
// An ARGB number, a name, or null.
Color color_of(const Json& value);
// Null for none.
CounterSemantics semantics_of(const Json& value);

// Hex digits to bytes.
std::vector<uint8_t> bytes_of(const Json& hex);

}  // namespace ringscribe::testing

#endif  // RINGSCRIBE_TESTS_DIFFERENTIAL_DOCUMENT_WORDS_H_
