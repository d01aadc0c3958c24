// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/backends/nvtxw/own_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>

namespace ringscribe::nvtxw {
namespace {

TEST_CASE("a file does not get the number of a closed standard stream") {
  const int saved = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
  ::close(STDIN_FILENO);
  const int low = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  CHECK(low == STDIN_FILENO);
  const int moved = above_standard_streams(low);
  CHECK(moved > STDERR_FILENO);
  CHECK(::fcntl(moved, F_GETFD) == FD_CLOEXEC);
  CHECK(::fcntl(STDIN_FILENO, F_GETFD) == -1);
  ::close(moved);
  if (saved >= 0) {
    ::dup2(saved, STDIN_FILENO);
    ::close(saved);
  }
}

TEST_CASE("other numbers stay as they are") {
  CHECK(above_standard_streams(-1) == -1);
  CHECK(above_standard_streams(7) == 7);
}

TEST_CASE("a descriptor that was closed, or is another file's, is not ours any more") {
  OwnFile none;
  CHECK_FALSE(none.is_open());
  CHECK(none.close() == 0);
  const int fd = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  OwnFile file(fd);
  CHECK(file.is_open());
  CHECK(file.fd() == fd);
  ::close(fd);
  CHECK_FALSE(file.is_open());
  const int other = ::open("/dev/zero", O_RDONLY | O_CLOEXEC);
  CHECK(other == fd);
  CHECK_FALSE(file.is_open());
  CHECK(file.close() == 0);
  CHECK(::close(other) == 0);  // it was left alone
}

}  // namespace
}  // namespace ringscribe::nvtxw
