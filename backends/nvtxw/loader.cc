// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/loader.h"

#include <dlfcn.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "ringscribe/backends/nvtxw/extension.h"

namespace ringscribe::nvtxw {
namespace {

constexpr const char* kLibraryVariable = "NVTXW3_LIBRARY";
constexpr const char* kDefaultLibrary = "libnvtxw3.so";
constexpr const char* kOurLibrary = "libringscribe_backend.so";

Status failure(ResultCode code, const std::string& path, const std::string& why_and_what_to_do) {
  return Status(code, "cannot load the NVTXW backend '" + path + "': " + why_and_what_to_do);
}

// The folder of a path, with its last '/'; "" if there is none.
std::string folder_of(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash + 1));
}

// With its last '/'; "" if the system does not tell.
std::string executable_folder() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  if (length <= 0) return {};
  return folder_of({path, static_cast<size_t>(length)});
}

// With a '/' at its end; "" if the system does not tell.
std::string current_folder() {
  char path[4096];
  return getcwd(path, sizeof path) == nullptr ? std::string() : std::string(path) + "/";
}

std::string folder_of_this_code() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(&load_ringscribe_backend), &info) == 0) return {};
  return info.dli_fname == nullptr ? std::string() : folder_of(info.dli_fname);
}

// Whether the dynamic linker's sentence says that the file itself is missing, not one it needs.
bool says_not_found(std::string_view reason, const std::string& path) {
  return reason.starts_with(path + ": ") && reason.find("No such file") != std::string_view::npos;
}

Status open_module(const std::string& path, void** module) {
  *module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (*module != nullptr) return {};
  const char* text = dlerror();
  const std::string reason = text == nullptr ? "no reason given" : text;
  if (path.find('/') != std::string::npos) {
    if (access(path.c_str(), F_OK) != 0) {
      return failure(ResultCode::kLibraryNotFound, path,
                     std::string(std::strerror(errno)) + "; check the path.");
    }
  } else if (says_not_found(reason, path)) {
    return failure(ResultCode::kLibraryNotFound, path,
                   "it is not on the library path; give a path with '/' or set LD_LIBRARY_PATH.");
  }
  return failure(
      ResultCode::kLibraryLoadFailed, path,
      "the dynamic linker says: " + reason + "; give a shared library built for this machine.");
}

// The first baseline function that is missing; nullptr if all are there.
const char* missing_function(const nvtxwInterface_v2_t& table) {
  const struct {
    const char* name;
    bool present;
  } functions[] = {
#define RINGSCRIBE_FUNCTION(name) {#name, table.name != nullptr}
      RINGSCRIBE_FUNCTION(SessionBegin),
      RINGSCRIBE_FUNCTION(SessionEnd),
      RINGSCRIBE_FUNCTION(DomainRegister),
      RINGSCRIBE_FUNCTION(CategoryRegister),
      RINGSCRIBE_FUNCTION(StringRegister),
      RINGSCRIBE_FUNCTION(ResourceRegister),
      RINGSCRIBE_FUNCTION(ScopeRegister),
      RINGSCRIBE_FUNCTION(SchemaRegister),
      RINGSCRIBE_FUNCTION(EnumRegister),
      RINGSCRIBE_FUNCTION(CounterRegister),
      RINGSCRIBE_FUNCTION(TimeDomainRegister),
      RINGSCRIBE_FUNCTION(StreamOpen),
      RINGSCRIBE_FUNCTION(StreamClose),
      RINGSCRIBE_FUNCTION(EventWrite),
      RINGSCRIBE_FUNCTION(EventBatchWrite),
      RINGSCRIBE_FUNCTION(CounterWrite),
      RINGSCRIBE_FUNCTION(CounterNoValueWrite),
      RINGSCRIBE_FUNCTION(CounterBatchWrite),
      RINGSCRIBE_FUNCTION(TimeSyncPointWrite),
      RINGSCRIBE_FUNCTION(TimeSyncPointTableWrite),
      RINGSCRIBE_FUNCTION(TimestampConversionFactorWrite),
#undef RINGSCRIBE_FUNCTION
  };
  static_assert(sizeof functions / sizeof functions[0] == 21);
  for (const auto& function : functions) {
    if (!function.present) return function.name;
  }
  return nullptr;
}

Result<LoadedBackend> read_interface(const std::string& path, void* module) {
  const auto get_interface =
      reinterpret_cast<nvtxwGetInterface_t>(dlsym(module, NVTXW_GET_INTERFACE_SYMBOL_NAME));
  if (get_interface == nullptr) {
    return failure(ResultCode::kLibrarySymbolMissing, path,
                   "it has no function nvtxwGetInterface; give the library of an NVTXW backend.");
  }
  const void* table = nullptr;
  const nvtxwResultCode_t code = get_interface(NVTXW_INTERFACE_VERSION, &table);
  if (code != NVTXW_RESULT_SUCCESS && code != NVTXW_RESULT_INTERFACE_VERSION_NOT_SUPPORTED) {
    return failure(ResultCode::kFailed, path,
                   "its nvtxwGetInterface fails with code " + std::to_string(code) + " (" +
                       result_code_name(static_cast<ResultCode>(code)) +
                       "); see the documentation of that backend.");
  }
  if (code != NVTXW_RESULT_SUCCESS || table == nullptr) {
    return failure(ResultCode::kInterfaceVersionNotSupported, path,
                   "it does not speak version 2 of NVTXW; get a newer release of that backend.");
  }
  LoadedBackend backend;
  backend.interface = static_cast<const nvtxwInterface_v2_t*>(table);
  if (const char* missing = missing_function(*backend.interface)) {
    return failure(ResultCode::kFailed, path,
                   "its table lacks " + std::string(missing) +
                       ", which version 2 demands; get a newer release of that backend.");
  }
  const void* extension = nullptr;
  if (get_interface(kExtensionVersion, &extension) == NVTXW_RESULT_SUCCESS)
    backend.extension = static_cast<const Extension*>(extension);
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<void*>(get_interface), &info) != 0;
  backend.path = found && info.dli_fname != nullptr ? info.dli_fname : path.c_str();
  backend.finalize = reinterpret_cast<nvtxwFinalize_t>(dlsym(module, NVTXW_FINALIZE_SYMBOL_NAME));
  return backend;
}

Result<LoadedBackend> load_file(const std::string& path) {
  void* module = nullptr;
  Status status = open_module(path, &module);
  if (!status.ok()) return status;
  Result<LoadedBackend> backend = read_interface(path, module);
  // What is no backend of ours has no functions in use: it may go again.
  if (!backend.ok()) dlclose(module);
  return backend;
}

// The first candidate that loads; else the first failure that is more than a missing file; else
// one sentence with all places.
Result<LoadedBackend> load_first_of(const std::vector<std::string>& candidates) {
  Status worst;
  std::string places;
  for (const std::string& candidate : candidates) {
    Result<LoadedBackend> backend = load_file(candidate);
    if (backend.ok()) return backend;
    if (backend.status().code() != ResultCode::kLibraryNotFound && worst.ok()) {
      worst = backend.status();
    }
    places += (places.empty() ? "'" : ", '") + candidate + "'";
  }
  if (!worst.ok()) return worst;
  return Status(ResultCode::kLibraryNotFound,
                "cannot find an NVTXW backend: looked for " + places +
                    " (a name without '/' is looked for on the library path); name a library with "
                    "NVTXW3_LIBRARY or put one there.");
}

}  // namespace

Result<LoadedBackend> load_backend(std::string_view path) {
  const char* variable = secure_getenv(kLibraryVariable);
  if (variable != nullptr && *variable != '\0') {
    Result<LoadedBackend> backend = load_file(variable);
    if (backend.ok()) return backend;
    return backend.status().with_context("NVTXW3_LIBRARY");
  }
  if (!path.empty()) return load_file(std::string(path));
  std::vector<std::string> candidates;
  const std::string folder = executable_folder();
  if (!folder.empty()) candidates.push_back(folder + kDefaultLibrary);
  candidates.push_back(kDefaultLibrary);
  // Absolute: by a relative name the dynamic linker would give back what it loaded under that
  // name before, from another folder.
  // A program with more rights than its user (setuid) loads nothing from where the user stands.
  const std::string here = getauxval(AT_SECURE) != 0 ? std::string() : current_folder();
  if (!here.empty()) candidates.push_back(here + kDefaultLibrary);
  return load_first_of(candidates);
}

Result<LoadedBackend> load_ringscribe_backend() {
  std::vector<std::string> candidates;
  const std::string beside_executable = executable_folder();
  if (!beside_executable.empty()) candidates.push_back(beside_executable + kOurLibrary);
  const std::string beside_code = folder_of_this_code();
  if (!beside_code.empty() && beside_code != beside_executable) {
    candidates.push_back(beside_code + kOurLibrary);
  }
  candidates.push_back(kOurLibrary);
  return load_first_of(candidates);
}

void close_backend(const LoadedBackend& backend) noexcept {
  if (backend.finalize != nullptr) backend.finalize();
}

}  // namespace ringscribe::nvtxw
