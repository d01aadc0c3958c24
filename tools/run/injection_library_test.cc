// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run/injection_library.h"

#include <elf.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

using namespace ringscribe;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

constexpr const char* kEntry = "InitializeInjectionNvtx2";

struct Folder {
  Folder() {
    std::string name = fs::temp_directory_path() / "injection_library_XXXXXX";
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& bytes) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name, std::ios::binary) << bytes;
    return path / name;
  }
  fs::path path;
};

// This program's, made one of a shared library.
Elf64_Ehdr library_header() {
  Elf64_Ehdr header = {};
  std::ifstream("/proc/self/exe", std::ios::binary)
      .read(reinterpret_cast<char*>(&header), sizeof header);
  header.e_type = ET_DYN;
  return header;
}

std::string with_entry(const Elf64_Ehdr& header) {
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + kEntry;
}

}  // namespace

TEST_CASE("a shared library of this machine with NVTX's entry is taken") {
  const Folder folder;
  const std::string path = folder.write("any.so", with_entry(library_header()));
  CHECK(tools::check_injection_library(path).message() == "");
  CHECK(tools::find_injection_library(path, "").value() == path);
}

TEST_CASE("what cannot be loaded is refused, and the sentence says why and names the file") {
  const Folder folder;
  Elf64_Ehdr header = library_header();
  std::string bytes, why;
  SECTION("another machine") {
    header.e_machine = header.e_machine == EM_AARCH64 ? EM_X86_64 : EM_AARCH64;
    bytes = with_entry(header);
    why = "it is for " + std::string(header.e_machine == EM_AARCH64 ? "AArch64" : "x86-64") +
          ", and this is ";
  }
  SECTION("a machine without a name") {
    header.e_machine = 4711;
    bytes = with_entry(header);
    why = "it is for machine number 4711";
  }
  SECTION("32 bit") {
    header.e_ident[EI_CLASS] = ELFCLASS32;
    bytes = with_entry(header);
    why = "32-bit";
  }
  SECTION("another byte order") {
    header.e_ident[EI_DATA] = header.e_ident[EI_DATA] == ELFDATA2LSB ? ELFDATA2MSB : ELFDATA2LSB;
    bytes = with_entry(header);
    why = "byte order";
  }
  SECTION("an object file") {
    header.e_type = ET_REL;
    bytes = with_entry(header);
    why = "no shared library";
  }
  SECTION("a library of something else") {
    bytes = std::string(reinterpret_cast<const char*>(&header), sizeof header) + "main";
    why = kEntry;
  }
  SECTION("one byte short of a header") {
    bytes = with_entry(header).substr(0, sizeof header - 1);
    why = "no ELF file";
  }
  SECTION("empty") { why = "no ELF file"; }
  SECTION("a text") {
    bytes = std::string("#!/bin/sh\n") + std::string(100, '#') + kEntry;
    why = "no ELF file";
  }
  const std::string path = folder.write("any.so", bytes);
  const Status status = tools::check_injection_library(path);
  CHECK_THAT(status.message(), Contains("\"" + path + "\"") && Contains(why));
  CHECK(status.message() == tools::find_injection_library(path, "").status().message());
}

TEST_CASE("a folder is no library") {
  const Folder folder;
  CHECK_THAT(tools::check_injection_library(folder.path).message(), Contains("it is no file"));
}

TEST_CASE("without a path it is looked for beside the tool, in ../lib and in ../inject") {
  const Folder folder;
  const std::string tool_folder = folder.path / "bin";
  fs::create_directory(tool_folder);
  const std::string name = "libringscribe_inject.so";
  const Result<std::string> missing = tools::find_injection_library("", tool_folder);
  for (const char* place : {"bin/", "lib/", "inject/"})
    CHECK_THAT(missing.status().message(), Contains((folder.path / place / name).string()));
  // The first of the places counts.
  for (const char* place : {"inject/", "lib/", "bin/"}) {
    const std::string path = folder.write(place + name, with_entry(library_header()));
    CHECK(tools::find_injection_library("", tool_folder).value() == path);
  }
}

TEST_CASE("where the tool's folder is not known, the current folder is not looked into") {
  CHECK_THAT(tools::find_injection_library("", "").status().message(),
             Contains("beside this program"));
}

TEST_CASE("a path that does not exist is named as it was given") {
  CHECK_THAT(tools::find_injection_library("no/such.so", "").status().message(),
             Contains("--library \"no/such.so\" does not exist"));
}

TEST_CASE("this program's folder is known") {
  CHECK(fs::exists(fs::path(tools::folder_of_tool()) / fs::read_symlink("/proc/self/exe")));
}
