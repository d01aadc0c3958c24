// SPDX-License-Identifier: Apache-2.0
//
// The C API's backends, sessions and streams.
#include <cstring>

#include "ringscribe/c_api_error.h"
#include "ringscribe/c_api_handles.h"
#include "ringscribe/c_api_options.h"

using namespace ringscribe;
using c_api::fail_invalid;
using c_api::fail_null;
using c_api::read_options;
using c_api::report;
using c_api::text;

namespace {

constexpr const char* kNeedsSession = "give what ringscribe_session_begin gave out";
constexpr const char* kNeedsOut = "give the address of a pointer that receives the handle";
constexpr const char* kNeedsStream = "give what ringscribe_session_create_stream gave out";

// As much as the caller knows of; what it knows beyond us is zero.
ringscribe_result fill_counts(const char* function, const Counts& counts,
                              ringscribe_counts* counts_out) {
  if (counts_out == nullptr) return fail_null(function, "counts", "give a ringscribe_counts");
  const size_t given_bytes = counts_out->struct_size;
  if (given_bytes < sizeof given_bytes || given_bytes > 4096)
    return fail_invalid(function, "counts->struct_size is " + std::to_string(given_bytes) +
                                      ": initialise it with RINGSCRIBE_COUNTS_INIT");
  ringscribe_counts known = RINGSCRIBE_COUNTS_INIT;
  known.struct_size = given_bytes;
  known.recorded = counts.recorded;
  known.lost = counts.lost();
  for (size_t i = 0; i < kLossCauses; ++i) known.lost_by_cause[i] = counts.lost_by_cause[i];
  auto* bytes = reinterpret_cast<unsigned char*>(counts_out);
  const size_t common_bytes = given_bytes < sizeof known ? given_bytes : sizeof known;
  std::memcpy(bytes, &known, common_bytes);
  std::memset(bytes + common_bytes, 0, given_bytes - common_bytes);
  return RINGSCRIBE_SUCCESS;
}

ringscribe_result fail_number(const char* function, const char* member, int64_t value,
                              const char* constants) {
  return fail_invalid(function, std::string("options->") + member + " is " + std::to_string(value) +
                                    ": give one of RINGSCRIBE_STREAM_" + constants + "_*");
}

ringscribe_result keep_stream(ringscribe_session* session, const Stream& stream,
                              ringscribe_stream** stream_out) {
  if (!stream.ok()) return report(stream.status());
  auto* handle = runtime::make<ringscribe_stream>(ringscribe_stream{stream, session});
  const std::lock_guard lock(session->mutex);
  session->streams.emplace(handle, handle);
  *stream_out = handle;
  return RINGSCRIBE_SUCCESS;
}

}  // namespace

static_assert(RINGSCRIBE_LOSS_CAUSES == kLossCauses);

ringscribe_result ringscribe_backend_load(const char* path, ringscribe_backend** backend_out) {
  if (backend_out == nullptr) return fail_null(__func__, "backend_out", kNeedsOut);
  *backend_out = nullptr;
  Result<Backend> backend = Backend::load(text(path));
  if (!backend.ok()) return report(backend.status());
  *backend_out = runtime::make<ringscribe_backend>(ringscribe_backend{*backend, backend->path()});
  return RINGSCRIBE_SUCCESS;
}

ringscribe_result ringscribe_backend_close(ringscribe_backend* backend) {
  if (backend == nullptr)
    return fail_null(__func__, "backend", "give what ringscribe_backend_load gave out");
  return report(backend->value.close());
}

int ringscribe_backend_is_open(const ringscribe_backend* backend) {
  return backend != nullptr && backend->value.is_open() ? 1 : 0;
}

const char* ringscribe_backend_path(const ringscribe_backend* backend) {
  return backend != nullptr ? backend->path.c_str() : "";
}

void ringscribe_backend_release(ringscribe_backend* backend) { runtime::destroy(backend); }

ringscribe_result ringscribe_session_begin(const char* name,
                                           const ringscribe_session_options* options,
                                           ringscribe_session** session_out) {
  if (session_out == nullptr) return fail_null(__func__, "session_out", kNeedsOut);
  *session_out = nullptr;
  if (name == nullptr) return fail_null(__func__, "name", "give the session a name");
  ringscribe_session_options known = RINGSCRIBE_SESSION_OPTIONS_INIT;
  if (!read_options(__func__, "options", options, known)) return RINGSCRIBE_INVALID_ARGUMENT;

  SessionOptions wanted;
  if (known.backend != nullptr)
    wanted.backend = BackendOption(known.backend->value);
  else
    wanted.backend = BackendOption(text(known.backend_name));
  wanted.output = text(known.output);
  wanted.config = text(known.config);
  wanted.interface = known.interface_table;
  Result<Session> session = Session::begin(name, wanted);
  if (!session.ok()) return report(session.status());
  auto* handle = runtime::make<ringscribe_session>();
  handle->value = std::move(*session);
  handle->output = handle->value.output();
  *session_out = handle;
  return RINGSCRIBE_SUCCESS;
}

ringscribe_result ringscribe_session_end(ringscribe_session* session) {
  if (session == nullptr) return fail_null(__func__, "session", kNeedsSession);
  return report(session->value.end());
}

ringscribe_result ringscribe_session_flush(ringscribe_session* session) {
  if (session == nullptr) return fail_null(__func__, "session", kNeedsSession);
  return report(session->value.flush());
}

ringscribe_result ringscribe_session_snapshot(ringscribe_session* session, const char* path,
                                              const char* reason, uint64_t after_ns) {
  if (session == nullptr) return fail_null(__func__, "session", kNeedsSession);
  const auto text = [](const char* c) { return c == nullptr ? "" : c; };
  const uint64_t longest = static_cast<uint64_t>(INT64_MAX);
  const std::chrono::nanoseconds after(static_cast<int64_t>(std::min(after_ns, longest)));
  return report(session->value.snapshot(text(path), text(reason), after));
}

void ringscribe_session_release(ringscribe_session* session) {
  if (session == nullptr) return;
  (void)session->value.end().print();
  for (const auto& [key, stream] : session->streams) runtime::destroy(stream);
  runtime::destroy(session);
}

int ringscribe_session_is_recording(const ringscribe_session* session) {
  return session != nullptr && session->value.is_recording() ? 1 : 0;
}

const char* ringscribe_session_output(const ringscribe_session* session) {
  return session != nullptr ? session->output.c_str() : "";
}

ringscribe_result ringscribe_session_stats(const ringscribe_session* session,
                                           ringscribe_counts* counts) {
  if (session == nullptr) return fail_null(__func__, "session", kNeedsSession);
  return fill_counts(__func__, session->value.stats(), counts);
}

ringscribe_result ringscribe_session_get_domain(ringscribe_session* session, const char* name,
                                                ringscribe_domain** domain_out) {
  if (domain_out == nullptr) return fail_null(__func__, "domain_out", kNeedsOut);
  *domain_out = nullptr;
  if (session == nullptr) return fail_null(__func__, "session", kNeedsSession);
  const Domain domain = session->value.get_domain(text(name));
  if (!domain.ok()) return report(domain.status());
  const std::lock_guard lock(session->mutex);
  ringscribe_domain*& handle = session->domains.at(text(name));
  if (handle == nullptr) handle = runtime::make<ringscribe_domain>(domain);
  *domain_out = handle;
  return RINGSCRIBE_SUCCESS;
}

ringscribe_result ringscribe_session_create_stream(ringscribe_session* session, const char* name,
                                                   const ringscribe_stream_options* options,
                                                   ringscribe_stream** stream_out) {
  if (stream_out == nullptr) return fail_null(__func__, "stream_out", kNeedsOut);
  *stream_out = nullptr;
  if (session == nullptr) return fail_null(__func__, "session", kNeedsSession);
  if (name == nullptr) return fail_null(__func__, "name", "give the stream a name");
  ringscribe_stream_options known = RINGSCRIBE_STREAM_OPTIONS_INIT;
  if (!read_options(__func__, "options", options, known)) return RINGSCRIBE_INVALID_ARGUMENT;

  if (known.interleaving != 0 && known.interleaving != 1)
    return fail_number(__func__, "interleaving", known.interleaving, "INTERLEAVING");
  if (known.ordering < 0 || known.ordering > 3)
    return fail_number(__func__, "ordering", known.ordering, "ORDERING");
  if (known.skid < 0 || known.skid > 2) return fail_number(__func__, "skid", known.skid, "SKID");

  StreamOptions wanted;
  if (known.domain != nullptr) wanted.domain = known.domain->value;
  if (known.scope != nullptr) wanted.scope = known.scope->value;
  if (known.time_domain != nullptr) wanted.time_domain = known.time_domain->value;
  wanted.interleaving = static_cast<StreamInterleaving>(known.interleaving);
  wanted.ordering = static_cast<StreamOrdering>(known.ordering);
  wanted.skid = static_cast<StreamSkid>(known.skid);
  wanted.skid_amount = known.skid_amount;
  return keep_stream(session, session->value.create_stream(name, wanted), stream_out);
}

namespace {
ringscribe_result open_live_stream(const char* function, ringscribe_session* session,
                                   const char* name, const ringscribe_domain* domain,
                                   const Scope& scope, ringscribe_stream** stream_out) {
  if (stream_out == nullptr) return fail_null(function, "stream_out", kNeedsOut);
  *stream_out = nullptr;
  if (session == nullptr) return fail_null(function, "session", kNeedsSession);
  if (name == nullptr) return fail_null(function, "name", "give the stream a name");
  const Domain wanted = domain != nullptr ? domain->value : Domain();
  return keep_stream(session, session->value.live_stream(name, wanted, scope), stream_out);
}
}  // namespace

ringscribe_result ringscribe_session_live_stream(ringscribe_session* session, const char* name,
                                                 const ringscribe_domain* domain,
                                                 ringscribe_stream** stream_out) {
  return open_live_stream(__func__, session, name, domain, Scope(), stream_out);
}

ringscribe_result ringscribe_session_live_stream_in_scope(ringscribe_session* session,
                                                          const char* name,
                                                          const ringscribe_domain* domain,
                                                          const ringscribe_scope* scope,
                                                          ringscribe_stream** stream_out) {
  return open_live_stream(__func__, session, name, domain,
                          scope != nullptr ? scope->value : Scope(), stream_out);
}

ringscribe_result ringscribe_stream_set_overflow(const ringscribe_stream* stream,
                                                 int32_t overflow) {
  if (stream == nullptr) return fail_null(__func__, "stream", kNeedsStream);
  if (overflow < 0 || overflow > 2)
    return fail_invalid(
        __func__, "overflow is " + std::to_string(overflow) + "; use one of RINGSCRIBE_OVERFLOW_*");
  stream->value.set_overflow(static_cast<StreamOverflow>(overflow));
  return RINGSCRIBE_SUCCESS;
}

ringscribe_result ringscribe_stream_close(ringscribe_stream* stream) {
  if (stream == nullptr) return fail_null(__func__, "stream", kNeedsStream);
  return report(stream->value.close());
}

void ringscribe_stream_release(ringscribe_stream* stream) {
  if (stream == nullptr) return;
  (void)stream->value.close().print();
  {
    const std::lock_guard lock(stream->session->mutex);
    stream->session->streams.erase(stream);
  }
  runtime::destroy(stream);
}

ringscribe_result ringscribe_stream_stats(const ringscribe_stream* stream,
                                          ringscribe_counts* counts) {
  if (stream == nullptr) return fail_null(__func__, "stream", kNeedsStream);
  return fill_counts(__func__, stream->value.stats(), counts);
}

void ringscribe_prepare_thread(const char* name) { prepare_thread(text(name)); }
