// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/factory.h"

#include <algorithm>
#include <utility>

#include "ringscribe/backends/chrome/chrome_session.h"
#include "ringscribe/backends/ctf/ctf_session.h"
#include "ringscribe/backends/journal/flight_session.h"
#include "ringscribe/backends/journal/journal_tee.h"
#include "ringscribe/backends/journal/journal_writer.h"
#include "ringscribe/backends/model/sink_session.h"
#include "ringscribe/backends/null/null_session.h"
#include "ringscribe/backends/nvtxw/extension.h"
#include "ringscribe/backends/nvtxw/interface_table.h"
#include "ringscribe/backends/perfetto/perfetto_session.h"
#include "ringscribe/backends/sqlite/sqlite_session.h"

namespace ringscribe {
namespace {

constexpr std::string_view kPerfettoKeys[] = {"perfetto_compression", model::kRotateKey};
constexpr std::string_view kChromeKeys[] = {model::kRotateKey};
constexpr std::string_view kJournalKeys[] = {"journal_flush", "journal_codec"};
constexpr std::string_view kCtfKeys[] = {model::kRotateKey};
constexpr std::string_view kSqliteKeys[] = {sqlite::kIndexesKey, model::kRotateKey};

constexpr nvtxw::BackendFormat kFormats[] = {
    {"perfetto", ".pftrace", perfetto::open_perfetto_session, kPerfettoKeys},
    {"journal", journal::kExtension, journal::open_journal_session, kJournalKeys},
    {"chrome", ".json", chrome::open_chrome_session, kChromeKeys},
    {"sqlite", sqlite::kExtension, sqlite::open_sqlite_session, kSqliteKeys},
    {"ctf", ".ctf", ctf::open_ctf_session, kCtfKeys},
    {"null", "", null::open_null_session, {}},
};

// A flight recorder, or a journal for recovery, in front of any format.
Result<std::unique_ptr<nvtxw::SessionBackend>> open_through(const nvtxw::FormatTable& table,
                                                            const nvtxw::BackendFormat& format,
                                                            const nvtxw::SessionConfig& config) {
  const auto is_memory = [](const auto& entry) { return entry.first == journal::kFlightMemoryKey; };
  if (std::any_of(config.other.begin(), config.other.end(), is_memory)) {
    return journal::open_flight_session(
        config, [&table, open = format.open, config](std::string_view path) {
          nvtxw::SessionConfig target = config;
          const nvtxw::BackendFormat* other = nvtxw::format_of_path(table, path);
          if (other != nullptr) target.format = other->name;
          if (!path.empty()) target.output = path;
          return other != nullptr ? other->open(target) : open(target);
        });
  }
  Result<std::unique_ptr<nvtxw::SessionBackend>> session = format.open(config);
  if (!session.ok()) return session;
  return journal::tee_if_asked(std::move(*session), config);
}

constexpr std::string_view kThroughKeys[] = {journal::kTeeKey, journal::kFlightMemoryKey,
                                             journal::kFlightTimeKey};
constexpr nvtxw::FormatTable kTable = {kFormats, "perfetto", open_through, kThroughKeys};

}  // namespace

const nvtxw::FormatTable& backend_formats() noexcept { return kTable; }

const nvtxw::BackendFormat* find_backend_format(std::string_view name) noexcept {
  for (const nvtxw::BackendFormat& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

const nvtxwInterface_v2_t* backends_interface() noexcept { return nvtxw::make_interface(&kTable); }

nvtxwResultCode_t get_backends_interface(nvtxwInterfaceVersion_t version,
                                         const void** interface_out) noexcept {
  if (interface_out == nullptr) return NVTXW_RESULT_INVALID_ARGUMENT;
  *interface_out = nullptr;
  if (version == nvtxw::kExtensionVersion) {
    *interface_out = nvtxw::extension();
    return NVTXW_RESULT_SUCCESS;
  }
  if (version != NVTXW_INTERFACE_VERSION) return NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED;
  *interface_out = backends_interface();
  return NVTXW_RESULT_SUCCESS;
}

}  // namespace ringscribe
