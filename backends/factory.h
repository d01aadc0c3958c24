// SPDX-License-Identifier: Apache-2.0
//
// All backends of ours by name, for the interface table. The one place that knows them all; a new
// backend is one line in factory.cc.
//
//   const nvtxwInterface_v2_t* interface = backends_interface();
//
// Threads: any. Lifetime: constants.
#ifndef RINGSCRIBE_BACKENDS_FACTORY_H_
#define RINGSCRIBE_BACKENDS_FACTORY_H_

#include <string_view>

#include "ringscribe/backends/nvtxw/abi.h"
#include "ringscribe/backends/nvtxw/backend_format.h"

namespace ringscribe {

// Names, extensions, and the format of a session that names none.
const nvtxw::FormatTable& backend_formats() noexcept;

// nullptr for a name that is none of ours.
const nvtxw::BackendFormat* find_backend_format(std::string_view name) noexcept;

// The functions of NVTXW with these backends behind them.
const nvtxwInterface_v2_t* backends_interface() noexcept;

// nvtxwGetInterface: the table for version 2, else kInterfaceVersionNotSupported and NULL.
nvtxwResultCode_t get_backends_interface(nvtxwInterfaceVersion_t version,
                                         const void** interface_out) noexcept;

}  // namespace ringscribe

#endif  // RINGSCRIBE_BACKENDS_FACTORY_H_
