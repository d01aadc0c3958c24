// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/loader.h"

#include <dlfcn.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

namespace ringscribe::nvtxw {
namespace {

namespace fs = std::filesystem;

std::string library(const std::string& name) { return "backends/nvtxw/" + name; }

// Sets NVTXW3_LIBRARY for one scope.
class Redirect {
 public:
  explicit Redirect(const std::string& value) { setenv("NVTXW3_LIBRARY", value.c_str(), 1); }
  ~Redirect() { unsetenv("NVTXW3_LIBRARY"); }
};

fs::path scratch() {
  const char* folder = std::getenv("TEST_TMPDIR");
  fs::path path = fs::path(folder == nullptr ? "/tmp" : folder) / "loader_test";
  fs::create_directories(path);
  return path;
}

fs::path executable_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

void check_failure(const std::string& path, ResultCode code, const std::string& reason) {
  const Result<LoadedBackend> backend = load_backend(path);
  INFO(backend.status().to_string());
  CHECK(backend.status().code() == code);
  CHECK(backend.status().message().find(path) != std::string::npos);
  CHECK(backend.status().message().find(reason) != std::string::npos);
}

TEST_CASE("a good library gives its table, its path and its finalize function") {
  Result<LoadedBackend> backend = load_backend(library("good_backend.so"));
  REQUIRE(backend.ok());
  CHECK(backend->path.ends_with("good_backend.so"));
  CHECK(backend->interface->SessionEnd(nullptr) == NVTXW_RESULT_NOT_SUPPORTED);
  void* again = dlopen(library("good_backend.so").c_str(), RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(again != nullptr);
  const auto calls = reinterpret_cast<int (*)()>(dlsym(again, "finalize_calls"));
  const int before = calls();
  close_backend(*backend);
  CHECK(calls() == before + 1);
}

TEST_CASE("a path that does not exist is library not found") {
  check_failure("/nowhere/lib.so", ResultCode::kLibraryNotFound, "No such file");
  check_failure("libnobody_has_this.so", ResultCode::kLibraryNotFound, "library path");
}

TEST_CASE("a file that is no library is load failed") {
  check_failure(library("testdata/not_a_library.txt"), ResultCode::kLibraryLoadFailed, "too short");
  check_failure("/tmp/", ResultCode::kLibraryLoadFailed, "dynamic linker");
}

TEST_CASE("a library without nvtxwGetInterface is symbol missing") {
  check_failure(library("no_symbol.so"), ResultCode::kLibrarySymbolMissing, "nvtxwGetInterface");
}

TEST_CASE("a library that refuses version 2 is version not supported") {
  check_failure(library("refuses.so"), ResultCode::kInterfaceVersionNotSupported, "version 2");
}

TEST_CASE("a table without a baseline function is refused by its name") {
  check_failure(library("lacks.so"), ResultCode::kFailed, "TimestampConversionFactorWrite");
}

TEST_CASE("a library whose nvtxwGetInterface fails otherwise is failed, with its code") {
  check_failure(library("fails.so"), ResultCode::kFailed, "code 1");
}

TEST_CASE("NVTXW3_LIBRARY is the only candidate") {
  {
    const Redirect redirect(library("good_backend.so"));
    CHECK(load_backend("/nowhere/lib.so").ok());
  }
  {
    const Redirect redirect("/nowhere/redirected.so");
    const Result<LoadedBackend> backend = load_backend(library("good_backend.so"));
    CHECK(backend.status().code() == ResultCode::kLibraryNotFound);
    CHECK(backend.status().message().find("/nowhere/redirected.so") != std::string::npos);
    CHECK(backend.status().message().find("NVTXW3_LIBRARY") != std::string::npos);
  }
  {
    const Redirect redirect("");
    CHECK(load_backend(library("good_backend.so")).ok());
  }
}

TEST_CASE("without a path libnvtxw3.so is looked for beside the executable and in the folder") {
  const fs::path before = fs::current_path();
  const fs::path good = fs::absolute(library("good_backend.so"));
  const fs::path folder = scratch() / "current";
  fs::create_directories(folder);
  fs::current_path(folder);
  CHECK(load_backend("").status().code() == ResultCode::kLibraryNotFound);
  CHECK(load_backend("").status().message().find((folder / "libnvtxw3.so").string()) !=
        std::string::npos);

  fs::copy_file(good, folder / "libnvtxw3.so", fs::copy_options::overwrite_existing);
  const Result<LoadedBackend> found = load_backend("");
  fs::remove(folder / "libnvtxw3.so");
  fs::current_path(before);
  CHECK(found.ok());
}

TEST_CASE("a broken libnvtxw3.so is reported rather than not found") {
  const fs::path before = fs::current_path();
  const fs::path text = fs::absolute(library("testdata/not_a_library.txt"));
  const fs::path folder = scratch() / "broken";
  fs::create_directories(folder);
  fs::copy_file(text, folder / "libnvtxw3.so", fs::copy_options::overwrite_existing);
  fs::current_path(folder);
  const Result<LoadedBackend> found = load_backend("");
  fs::remove(folder / "libnvtxw3.so");
  fs::current_path(before);
  CHECK(found.status().code() == ResultCode::kLibraryLoadFailed);
}

TEST_CASE("our library is looked for beside the executable") {
  const Result<LoadedBackend> backend = load_ringscribe_backend();
  CHECK(backend.status().code() == ResultCode::kLibraryNotFound);
  CHECK(backend.status().message().find(
            (executable_folder() / "libringscribe_backend.so").string()) != std::string::npos);
}

}  // namespace
}  // namespace ringscribe::nvtxw
