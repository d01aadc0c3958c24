// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tests/differential/document_runner.h"

#include <cstring>

namespace ringscribe::testing {

namespace {

uint64_t id_of(const Json& call, const char* name = "id") { return call[name].GetUint64(); }

int64_t time_of(const Json& call, const char* name = "time") { return call[name].GetInt64(); }

RangeId range_of(const Json& call) { return RangeId{call["range_id"].GetUint64()}; }

uint64_t elements_of(const Json& field) {
  uint64_t count = 1;
  if (const Json* shape = find_member(field, "shape"))
    for (const Json& length : shape->GetArray()) count *= length.GetUint64();
  return count;
}

// Calls `use` with a value of the C++ type that stands for the NumPy type `type`; returns false for
// those that have no C++ type, which are written as bytes.
template <typename Use>
bool with_number(std::string_view type, const Use& use) {
  if (type == "int" || type == "i8") return use(int64_t{}), true;
  if (type == "float" || type == "f8") return use(double{}), true;
  if (type == "i1") return use(int8_t{}), true;
  if (type == "i2") return use(int16_t{}), true;
  if (type == "i4") return use(int32_t{}), true;
  if (type == "u1") return use(uint8_t{}), true;
  if (type == "u2") return use(uint16_t{}), true;
  if (type == "u4") return use(uint32_t{}), true;
  if (type == "u8") return use(uint64_t{}), true;
  if (type == "f4") return use(float{}), true;
  return false;
}

}  // namespace

std::vector<std::string> DocumentRunner::run(const rapidjson::Document& document) {
  for (const Json& call : document["calls"].GetArray()) {
    call_name_ = member_text(call, "do");
    ++call_number_;
    check(run_definition(call_name_, call) || run_event(call_name_, call) ||
              run_sample(call_name_, call),
          "this call is not known");
  }
  call_name_ = "(end of the document)";
  while (!sessions_.empty()) end_session(sessions_.begin()->first);
  return failures_;
}

void DocumentRunner::check(bool is_right, std::string_view sentence) {
  if (is_right) return;
  failures_.push_back("call " + std::to_string(call_number_ - 1) + ", " + std::string(call_name_) +
                      ": " + std::string(sentence));
}

void DocumentRunner::check(const Status& status) { check(status.ok(), status.to_string()); }

// --- Definitions.

bool DocumentRunner::run_definition(std::string_view name, const Json& call) {
  if (name == "begin") {
    begin_session(call);
  } else if (name == "end_session") {
    end_session(id_of(call, "session"));
  } else if (name == "domain") {
    Domain& domain = domains_[id_of(call)] =
        sessions_.at(id_of(call, "session")).get_domain(member_text(call, "name"));
    check(domain.status());
  } else if (name == "string") {
    strings_[id_of(call)] =
        domains_.at(id_of(call, "domain")).get_registered_string(member_text(call, "text"));
    check(strings_[id_of(call)].ok(), "no registered string was had");
  } else if (name == "category") {
    categories_[id_of(call)] =
        domains_.at(id_of(call, "domain")).get_category(member_text(call, "name"));
  } else if (name == "scope") {
    Domain& domain = domains_.at(id_of(call, "domain"));
    const Json* parent = find_member(call, "parent");
    scopes_[id_of(call)] =
        domain.get_scope(member_text(call, "path"), parent ? scope_of(parent) : Scope::root());
    check(domain.status());
  } else if (name == "layout") {
    layouts_[id_of(call)] = &call;
  } else if (name == "schema") {
    get_schema(call);
  } else if (name == "counter") {
    get_counter(call);
  } else if (name == "stream") {
    open_stream(call);
  } else if (name == "close") {
    check(streams_.at(id_of(call, "stream")).close());
  } else {
    return false;
  }
  return true;
}

void DocumentRunner::begin_session(const Json& call) {
  const std::string output = folder_ + "/session_" + std::to_string(id_of(call)) + ".rsj";
  SessionOptions options;
  options.output = output;
  options.config = "format=journal";
  options.backend = "journal";
  if (member_text(call, "backend") == "library") {
    Result<Backend> backend = Backend::load(library_);
    check(backend.status());
    if (backend.ok()) options.backend = *backend;
  }
  Result<Session> session = Session::begin(member_text(call, "name"), options);
  check(session.status());
  if (session.ok()) sessions_[id_of(call)] = std::move(*session);
}

void DocumentRunner::end_session(uint64_t id) {
  Session& session = sessions_.at(id);
  check(session.end());
  const Counts counts = session.stats();
  check(counts.lost() == 0, std::to_string(counts.lost()) + " events were lost");
  sessions_.erase(id);
}

Scope DocumentRunner::scope_of(const Json* scope) const {
  if (scope == nullptr) return {};
  if (const Json* word = find_member(*scope, "predefined")) return predefined_scope(text_of(*word));
  if (const Json* number = find_member(*scope, "static"))
    return Scope::from_static_id(number->GetUint64());
  return scopes_.at(id_of(*scope, "scope"));
}

Field DocumentRunner::field_of(Domain& domain, const Json& field, bool is_group, bool is_computed) {
  Field result;
  result.name = member_text(field, "name");
  result.role = role(member_text(field, "role"));
  if (is_group && result.role == Role::kField) result.role = Role::kCounter;
  if (const Json* semantics = find_member(field, "semantics"))
    result.semantics.counter = semantics_of(*semantics);
  if (!is_computed) result.offset = field["offset"].GetUint64();
  const Json& type = field["type"];
  if (type.IsObject()) {
    result.type = schema_of(domain, id_of(type, "layout"), EventKind::kNone, false);
  } else if (const Json* entry = find_member(field, "entry")) {
    result.type = entry_type(text_of(*entry));
  } else if (const std::string_view word = text_of(type); word[0] == 'U' || word[0] == 'S') {
    result.type = word[0] == 'U' ? EntryType::kUtf32 : EntryType::kByte;
    result.array = word[0] == 'U' ? ArrayForm::kNone : ArrayForm::kFixed;
    result.length = static_cast<uint64_t>(std::stoi(std::string(word.substr(1))));
  } else {
    result.type = entry_type(word);
  }
  if (find_member(field, "shape") != nullptr) {
    result.array = ArrayForm::kFixed;
    result.length = elements_of(field);
  }
  return result;
}

AnySchema DocumentRunner::schema_of(Domain& domain, uint64_t layout, EventKind kind,
                                    bool is_group) {
  const Json& description = *layouts_.at(layout);
  const bool is_computed = description["computed"].GetBool();
  std::vector<Field> fields;
  for (const Json& field : description["fields"].GetArray())
    fields.push_back(field_of(domain, field, is_group, is_computed));
  const uint64_t itemsize = description["itemsize"].GetUint64();
  SchemaOptions options;
  options.kind = kind;
  options.is_counter_group = is_group;
  options.row_bytes = is_computed ? 0 : itemsize;
  options.pack_align = member_text(description, "form") == "aligned" ? 0 : 1;
  const AnySchema schema = domain.get_schema("", fields, options);
  check(domain.status());
  check(schema.row_bytes() == itemsize, "a row of layout " + std::to_string(layout) + " takes " +
                                            std::to_string(itemsize) + " bytes in NumPy, and " +
                                            std::to_string(schema.row_bytes()) + " here");
  return schema;
}

void DocumentRunner::get_schema(const Json& call) {
  schemas_[id_of(call)] = schema_of(domains_.at(id_of(call, "domain")), id_of(call, "layout"),
                                    event_kind(member_text(call, "kind")), false);
}

void DocumentRunner::get_counter(const Json& call) {
  Domain& domain = domains_.at(id_of(call, "domain"));
  const CounterSemantics semantics = semantics_of(call["semantics"]);
  CounterOptions options;
  options.description = member_text(call, "description");
  options.unit = semantics.unit;
  options.min = semantics.min;
  options.max = semantics.max;
  options.value_type = semantics.value_type;
  options.interpolation = semantics.interpolation;
  options.unit_scale_numerator = semantics.unit_scale_numerator;
  options.unit_scale_denominator = semantics.unit_scale_denominator;
  options.scope = scope_of(find_member(call, "scope"));
  const std::string_view name = member_text(call, "name");
  KnownCounter known;
  if (call["type"].IsObject()) {
    const AnySchema schema =
        schema_of(domain, id_of(call["type"], "layout"), EventKind::kNone, true);
    known.any = domain.get_counter(name, schema, options);
    known.type = "group";
  } else {
    known.type = text_of(call["type"]);
    if (known.type == "int") {
      known.number = domain.get_counter<int64_t>(name, options);
    } else if (known.type == "float") {
      known.number = domain.get_counter<double>(name, options);
    } else {
      known.number = domain.get_counter(name, entry_type(known.type), options);
    }
    known.any = known.number;
  }
  check(domain.status());
  check(known.any.ok(), "no counter was had");
  counters_[id_of(call)] = known;
}

void DocumentRunner::open_stream(const Json& call) {
  StreamOptions options;
  if (const Json* domain = find_member(call, "domain"))
    options.domain = domains_.at(domain->GetUint64());
  options.scope = scope_of(find_member(call, "scope"));
  options.time_domain = timestamp_type(member_text(call, "time_domain"));
  options.interleaving = interleaving(member_text(call, "interleaving"));
  options.ordering = stream_ordering(member_text(call, "ordering"));
  options.skid = stream_skid(member_text(call, "skid"));
  options.skid_amount = call["skid_amount"].GetInt64();
  Stream& stream = streams_[id_of(call)] =
      sessions_.at(id_of(call, "session")).create_stream(member_text(call, "name"), options);
  check(stream.status());
}

// --- Events.

EventArgs DocumentRunner::args_of(const Json& call) const {
  EventArgs args;
  if (const Json* message = find_member(call, "message")) {
    if (find_member(*message, "text") != nullptr) {
      args.message = member_text(*message, "text");
    } else {
      args.message = strings_.at(id_of(*message, "string"));
    }
  }
  if (const Json* color = find_member(call, "color")) args.color = color_of(*color);
  if (const Json* category = find_member(call, "category")) {
    if (category->IsUint()) {
      args.category = category->GetUint();
    } else if (find_member(*category, "name") != nullptr) {
      args.category = member_text(*category, "name");
    } else {
      args.category = categories_.at(id_of(*category, "category"));
    }
  }
  return args;
}

bool DocumentRunner::run_event(std::string_view name, const Json& call) {
  if (find_member(call, "stream") == nullptr) return false;
  const Stream& stream = streams_.at(id_of(call, "stream"));
  bool is_written = true;
  if (name == "mark") {
    is_written = stream.write_mark(time_of(call), args_of(call));
  } else if (name == "pushpop") {
    is_written = stream.write_pushpop(time_of(call, "begin"), time_of(call, "end"), args_of(call));
  } else if (name == "startend") {
    is_written = stream.write_startend(time_of(call, "begin"), time_of(call, "end"), args_of(call));
  } else if (name == "push") {
    is_written = stream.write_push(time_of(call), args_of(call));
  } else if (name == "pop") {
    is_written = stream.write_pop(time_of(call));
  } else if (name == "start") {
    const RangeId given = stream.write_start(time_of(call), args_of(call), range_of(call));
    check(given.value == range_of(call).value, "write_start gave another range id");
  } else if (name == "end") {
    is_written = stream.write_end(time_of(call), range_of(call));
  } else if (name == "event") {
    write_event(call);
  } else if (name == "event_batch") {
    write_event_batch(call);
  } else {
    return false;
  }
  check(is_written, "was not recorded");
  return true;
}

void DocumentRunner::append_row(const Json& row, std::vector<uint8_t>& bytes) const {
  const size_t begin = bytes.size();
  const std::vector<uint8_t> plain = bytes_of(row["hex"]);
  bytes.insert(bytes.end(), plain.begin(), plain.end());
  for (const Json& patch : row["patches"].GetArray()) {
    uint8_t* const place = bytes.data() + begin + patch["at"].GetUint64();
    const uint64_t id = id_of(patch, "of");
    if (const std::string_view sort = member_text(patch, "as"); sort == "string") {
      std::memcpy(place, &strings_.at(id), sizeof(RegisteredString));
    } else if (sort == "scope") {
      const uint64_t scope = scopes_.at(id).id();
      std::memcpy(place, &scope, sizeof scope);
    } else {
      std::memcpy(place, &categories_.at(id).id, sizeof(uint32_t));
    }
  }
}

void DocumentRunner::write_event(const Json& call) {
  std::vector<uint8_t> row;
  append_row(call["row"], row);
  check(streams_.at(id_of(call, "stream"))
            .write_event(schemas_.at(id_of(call, "schema")), row.data(), row.size()),
        "was not recorded");
}

void DocumentRunner::write_event_batch(const Json& call) {
  std::vector<uint8_t> rows;
  for (const Json& row : call["rows"].GetArray()) append_row(row, rows);
  const uint64_t written =
      streams_.at(id_of(call, "stream"))
          .write_event_batch(schemas_.at(id_of(call, "schema")), rows.data(), rows.size(),
                             batch_ordering(member_text(call, "ordering")));
  check(written == call["rows"].Size(), std::to_string(written) + " rows were recorded");
}

// --- Samples.

bool DocumentRunner::run_sample(std::string_view name, const Json& call) {
  if (name == "sample") {
    write_sample(call);
  } else if (name == "sample_batch") {
    write_sample_batch(call);
  } else if (name == "no_value") {
    check(
        streams_.at(id_of(call, "stream"))
            .write_counter_sample_no_value(counters_.at(id_of(call, "counter")).any, time_of(call),
                                           no_value_reason(member_text(call, "reason"))),
        "was not recorded");
  } else {
    return false;
  }
  return true;
}

void DocumentRunner::write_sample(const Json& call) {
  const KnownCounter& counter = counters_.at(id_of(call, "counter"));
  const Stream& stream = streams_.at(id_of(call, "stream"));
  const std::vector<uint8_t> bytes = bytes_of(call["hex"]);
  bool is_written = false;
  const bool is_typed = with_number(counter.type, [&](auto value) {
    std::memcpy(&value, bytes.data(), sizeof value);
    is_written = stream.write_counter_sample(counter.number, time_of(call), value);
  });
  if (!is_typed)
    is_written =
        stream.write_counter_sample(counter.any, time_of(call), bytes.data(), bytes.size());
  check(is_written, "was not recorded");
}

void DocumentRunner::write_sample_batch(const Json& call) {
  const KnownCounter& counter = counters_.at(id_of(call, "counter"));
  if (!counter.any.ok()) return;  // noted when it was asked for
  const Stream& stream = streams_.at(id_of(call, "stream"));
  const std::vector<uint8_t> bytes = bytes_of(call["hex"]);
  const BatchOrdering ordering = batch_ordering(member_text(call, "ordering"));
  std::vector<int64_t> times;
  if (const Json* list = find_member(call, "times"))
    for (const Json& time : list->GetArray()) times.push_back(time.GetInt64());
  const SampleTimes sample_times = times.empty() ? SampleTimes() : SampleTimes(times);
  uint64_t written = 0;
  // By type and by bytes in turn.
  const bool is_typed =
      call_number_ % 2 == 0 && with_number(counter.type, [&](auto value) {
        std::vector<decltype(value)> values(bytes.size() / sizeof value);
        std::memcpy(values.data(), bytes.data(), bytes.size());
        written = stream.write_counter_batch(counter.number, values, sample_times, ordering);
      });
  if (!is_typed)
    written =
        stream.write_counter_batch(counter.any, bytes.data(), bytes.size(), sample_times, ordering);
  const uint64_t expected = bytes.size() / counter.any.sample_bytes();
  check(written == expected, std::to_string(written) + " samples were recorded");
}

}  // namespace ringscribe::testing
