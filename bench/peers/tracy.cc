// SPDX-License-Identifier: Apache-2.0
//
// Tracy's client under the harness, connected, as it is meant to be used. Its capture program is in
// no registry: a thread here speaks enough of the protocol to be taken for one. It takes all that
// the client sends and writes it to the file as it came (LZ4 frames), without looking into it.
// A zone is two events; its name is sent once. Memory between client and server is unbounded.
#include "ringscribe/bench/harness.h"

#ifdef RINGSCRIBE_BENCH_SKIPPED
int main() { return bench::skip(RINGSCRIBE_BENCH_SKIPPED); }
#else

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <tracy/Tracy.hpp>

#include "common/TracyProtocol.hpp"

namespace {

// The other end of the connection.
class Server {
 public:
  Server(int port, const std::string& path)
      : file_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)),
        thread_([this, port] { receive(port); }) {
    while (!connected_) usleep(1000);
  }
  // Takes what is still to come: until the client's profiler has shut down and nothing came for
  // 50 ms, then tells the client that it may go.
  void finish() { finishing_ = true; }
  ~Server() {
    thread_.join();
    close(file_);
  }
  uint64_t bytes() const { return bytes_; }
  uint64_t last_ns() const { return last_ns_; }

 private:
  void receive(int port);
  void store(const char* data, size_t bytes);

  const int file_;
  std::atomic<bool> connected_{false};
  std::atomic<bool> finishing_{false};
  std::atomic<uint64_t> bytes_{0};
  std::atomic<uint64_t> last_ns_{0};
  std::thread thread_;  // last: it uses the others
};

void Server::store(const char* data, size_t bytes) {
  if (write(file_, data, bytes) != static_cast<ssize_t>(bytes)) std::perror("tracy: write");
  bytes_ += bytes;
  last_ns_ = bench::now_ns();
}

void Server::receive(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int to = socket(AF_INET, SOCK_STREAM, 0);
  while (connect(to, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    close(to);
    usleep(5000);
    to = socket(AF_INET, SOCK_STREAM, 0);
  }
  const timeval wait{0, 50'000};
  setsockopt(to, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait));
  const uint32_t version = tracy::ProtocolVersion;
  if (send(to, tracy::HandshakeShibboleth, tracy::HandshakeShibbolethSize, 0) < 0 ||
      send(to, &version, sizeof(version), 0) < 0)
    std::perror("tracy: send");
  std::vector<char> buffer(size_t{1} << 20);
  while (true) {
    const ssize_t got = recv(to, buffer.data(), buffer.size(), 0);
    if (got > 0) {
      store(buffer.data(), static_cast<size_t>(got));
      connected_ = true;
    } else if (got == 0) {
      break;
    } else if (finishing_) {
      const tracy::ServerQueryPacket leave{tracy::ServerQueryTerminate, 0, 0};
      if (send(to, &leave, sizeof(leave), MSG_NOSIGNAL) < 0) break;
    }
  }
  close(to);
}

class Tracy final : public bench::System {
 public:
  ~Tracy() override { stop(); }

  std::vector<bench::Call> calls() override {
    start("/dev/null");
    static const char text[] = "a message of 24 bytes ..";
    return {
        bench::ask("live_mark", [](size_t) BENCH_INLINE { TracyMessageL("live mark"); }),
        bench::ask("live_range", [](size_t) BENCH_INLINE { ZoneScopedN("live range"); }),
        bench::ask("live_counter",
                   [](size_t i) BENCH_INLINE { TracyPlot("counter", static_cast<int64_t>(i)); }),
        bench::ask("live_message24", [](size_t) BENCH_INLINE { TracyMessage(text, 24); }),
    };
  }
  // Tracy does not say what it still holds: until nothing came for a while.
  void drain() override {
    while (bench::now_ns() - server_->last_ns() < 15'000'000) usleep(1000);
  }
  std::optional<bench::Recording> sustain(std::string_view question,
                                          const std::string& folder) override {
    const bool is_range = question == "sustained_range";
    if (!is_range && !question.starts_with("sustained_live")) return std::nullopt;
    start(folder + "/bench.tracy-stream");
    auto produce = [is_range](size_t, size_t count) {
      if (is_range)
        for (size_t i = 0; i < count; ++i) {
          ZoneScopedN("live range");
        }
      else
        for (size_t i = 0; i < count; ++i) TracyMessageL("live mark");
    };
    auto finish = [this] {
      bench::Outcome outcome;
      const Server& server = *server_;
      stop_profiler();
      outcome.end_ns = server.last_ns();
      outcome.bytes = server.bytes();
      return outcome;
    };
    return bench::Recording{produce, finish};
  }

 private:
  void start(const std::string& path) {
    // A port of this process's own among those that are not given out.
    const int port = 20'000 + static_cast<int>(getpid() % 10'000);
    setenv("TRACY_PORT", std::to_string(port).c_str(), 1);
    tracy::StartupProfiler();
    is_running_ = true;
    server_ = std::make_unique<Server>(port, path);
  }
  void stop_profiler() {
    server_->finish();
    tracy::ShutdownProfiler();
    is_running_ = false;
  }
  void stop() {
    if (is_running_) stop_profiler();
    server_.reset();
  }
  bool is_running_ = false;
  std::unique_ptr<Server> server_;
};

}  // namespace

int main(int count, char** arguments) {
  return bench::run(count, arguments, [] { return std::make_unique<Tracy>(); });
}
#endif
