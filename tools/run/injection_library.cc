// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run/injection_library.h"

#include <elf.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace ringscribe::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = "libringscribe_inject.so";
constexpr const char* kEntry = "InitializeInjectionNvtx2";

Status unusable(const std::string& path, const std::string& why) {
  return Status(ResultCode::kLibraryLoadFailed,
                "\"" + path + "\" cannot be the injection library: " + why + "; name " + kName +
                    " with --library, or build it: bazel build //inject:" + kName);
}

std::string machine_name(unsigned machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "AArch64";
    case EM_PPC64:
      return "64-bit PowerPC";
    case EM_RISCV:
      return "RISC-V";
    case EM_S390:
      return "S/390";
    default:
      return "machine number " + std::to_string(machine);
  }
}

bool is_elf(const Elf64_Ehdr& header) { return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0; }

// False if the file is shorter than that.
bool read_header(const char* path, Elf64_Ehdr& header) {
  std::ifstream file(path, std::ios::binary);
  return file.read(reinterpret_cast<char*>(&header), sizeof header).good();
}

}  // namespace

std::string folder_of_tool() {
  std::error_code error;
  const fs::path tool = fs::read_symlink("/proc/self/exe", error);
  return error ? std::string() : tool.parent_path().string();
}

Result<std::string> find_injection_library(const std::string& given,
                                           const std::string& tool_folder) {
  std::error_code error;
  std::string path;
  if (!given.empty()) {
    path = fs::absolute(given, error).lexically_normal().string();
    if (!fs::exists(path, error))
      return Status(ResultCode::kLibraryNotFound,
                    "--library \"" + given + "\" does not exist: check the path");
  } else {
    std::string places;
    for (const char* folder : {".", "../lib", "../inject"}) {
      // Without the tool's folder these would be places in the current one, which may be anybody's.
      if (tool_folder.empty()) break;
      const std::string place =
          (fs::path(tool_folder) / folder / kName).lexically_normal().string();
      if (path.empty() && fs::exists(place, error)) path = place;
      places += (places.empty() ? "" : ", ") + place;
    }
    if (path.empty())
      return Status(ResultCode::kLibraryNotFound,
                    "the injection library is not there: looked for " +
                        (places.empty() ? std::string(kName) + " beside this program" : places) +
                        "; name it with --library, or build it: bazel build //inject:" + kName);
  }
  if (const Status checked = check_injection_library(path); !checked.ok()) return checked;
  return path;
}

Status check_injection_library(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return unusable(path, "it is no file");
  if (!std::ifstream(path, std::ios::binary)) return unusable(path, "it cannot be read");
  Elf64_Ehdr header = {};
  if (!read_header(path.c_str(), header) || !is_elf(header))
    return unusable(path, "it is no library (no ELF file)");
  if (header.e_ident[EI_CLASS] != ELFCLASS64)
    return unusable(path, "it is a 32-bit file, and this is for 64-bit programs");
  Elf64_Ehdr own = {};
  const bool is_known = read_header("/proc/self/exe", own) && is_elf(own);
  if (is_known && header.e_ident[EI_DATA] != own.e_ident[EI_DATA])
    return unusable(path, "its byte order is not this machine's");
  if (is_known && header.e_machine != own.e_machine)
    return unusable(path, "it is for " + machine_name(header.e_machine) + ", and this is " +
                              machine_name(own.e_machine));
  if (header.e_type != ET_DYN) return unusable(path, "it is no shared library");
  // Its name stands in the table of names of every library that exports it. To load it here would
  // run its constructors.
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.find(kEntry) == std::string::npos)
    return unusable(path, std::string("it has no function ") + kEntry + ", which NVTX calls");
  return {};
}

}  // namespace ringscribe::tools
