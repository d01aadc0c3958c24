// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/factory.h"

#include "ringscribe/backends/journal/journal_tee.h"
#include "ringscribe/backends/journal/journal_writer.h"
#include "ringscribe/backends/null/null_session.h"
#include "ringscribe/backends/nvtxw/interface_table.h"
#include "ringscribe/backends/perfetto/perfetto_session.h"

namespace ringscribe {
namespace {

constexpr std::string_view kPerfettoKeys[] = {"perfetto_compression"};
constexpr std::string_view kJournalKeys[] = {"journal_flush", "journal_codec"};

constexpr nvtxw::BackendFormat kFormats[] = {
    {"perfetto", ".pftrace", perfetto::open_perfetto_session, kPerfettoKeys},
    {"journal", journal::kExtension, journal::open_journal_session, kJournalKeys},
    {"null", "", null::open_null_session, {}},
};

constexpr std::string_view kWrapKeys[] = {journal::kTeeKey};
constexpr nvtxw::FormatTable kTable = {kFormats, "perfetto", journal::tee_if_asked, kWrapKeys};

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
  if (version != NVTXW_INTERFACE_VERSION) return NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED;
  *interface_out = backends_interface();
  return NVTXW_RESULT_SUCCESS;
}

}  // namespace ringscribe
