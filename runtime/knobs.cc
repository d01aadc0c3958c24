// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/runtime/knobs.h"

#include <signal.h>

#include <bit>
#include <charconv>
#include <cstdio>
#include <cstring>

namespace ringscribe::runtime {

namespace {

constexpr uint64_t kKiB = 1024, kMiB = kKiB * 1024, kGiB = kMiB * 1024;
constexpr uint64_t kMs = 1'000'000, kSecond = 1'000'000'000;

// What is known of a knob (first) and where its value goes (read_one).
enum KnobIndex : size_t {
  kEnabled,
  kBackend,
  kOutput,
  kBufferSize,
  kMemoryLimit,
  kOverflow,
  kBlockTimeout,
  kSnapshotSize,
  kSnapshotTime,
  kSnapshotSignal,
  kSnapshotRange,
  kFlushInterval,
  kFlushWatermark,
  kBatchEvents,
  kFlusherCpu,
  kClock,
  kHugePages,
  kCrashDir,
  kDomains,
  kCategories,
  kLog,
  kKnobCount,
};

constexpr Knob kKnobs[kKnobCount] = {
    {"RINGSCRIBE_ENABLED", "1", KnobUnit::kSwitch, 0, 1, "", "0: record nothing, open nothing"},
    {"RINGSCRIBE_BACKEND", "perfetto", KnobUnit::kPath, 0, 0, "",
     "a built-in name or the path of an NVTXW library; before it comes NVTXW3_LIBRARY, after it "
     "the application's choice"},
    {"RINGSCRIBE_OUTPUT", "", KnobUnit::kPath, 0, 0, "",
     "output path; %p process id, %h host name, %t start time; the session's name plus the "
     "format's extension if unset"},
    {"RINGSCRIBE_BUFFER_SIZE", "2MiB", KnobUnit::kBytes, 16 * kKiB, 1 * kGiB, "",
     "ring of each thread, rounded up to a power of two"},
    {"RINGSCRIBE_MEMORY_LIMIT", "256MiB", KnobUnit::kBytes, 1 * kMiB, 1024 * kGiB, "",
     "rings of the whole process; near it new rings shrink to 16KiB"},
    {"RINGSCRIBE_OVERFLOW", "drop", KnobUnit::kWord, 0, 0, "drop block overwrite",
     "a full ring: drop the newest event, or block the thread; overwrite: a flight recorder, which "
     "keeps the latest events in memory and writes them when asked to"},
    {"RINGSCRIBE_BLOCK_TIMEOUT", "100ms", KnobUnit::kNanoseconds, 0, 3600 * kSecond, "",
     "with block: longest wait, then drop; 0 waits without bound"},
    {"RINGSCRIBE_SNAPSHOT_SIZE", "64MiB", KnobUnit::kBytes, 1 * kMiB, 1024 * kGiB, "",
     "with overwrite: memory for the latest events of a session; a mark takes 1 to 2 bytes"},
    {"RINGSCRIBE_SNAPSHOT_TIME", "0", KnobUnit::kNanoseconds, 0, 24 * 3600 * kSecond, "",
     "with overwrite: how far back a snapshot reaches at least, as far as the memory goes; 0: all "
     "of "
     "it"},
    {"RINGSCRIBE_SNAPSHOT_SIGNAL", "none", KnobUnit::kWord, 0, 0, "none USR1 USR2",
     "with overwrite: a signal that makes every session write a snapshot"},
    {"RINGSCRIBE_SNAPSHOT_RANGE", "0", KnobUnit::kNanoseconds, 0, 24 * 3600 * kSecond, "",
     "with overwrite: a live range that took longer makes every session write a snapshot, once in "
     "10s "
     "at most; 0: none does"},
    {"RINGSCRIBE_FLUSH_INTERVAL", "10ms", KnobUnit::kNanoseconds, kMs / 10, 10 * kSecond, "",
     "longest wait between two steps of the flusher"},
    {"RINGSCRIBE_FLUSH_WATERMARK", "50%", KnobUnit::kPercent, 0, 100, "",
     "fill of a ring that wakes the flusher; 0 never wakes"},
    {"RINGSCRIBE_BATCH_EVENTS", "4096", KnobUnit::kCount, 1, 1u << 20, "",
     "most events in a batch"},
    {"RINGSCRIBE_FLUSHER_CPU", "", KnobUnit::kText, 0, 0, "",
     "CPU list for the flusher, such as 0,2-3; any CPU if unset"},
    {"RINGSCRIBE_CLOCK", "auto", KnobUnit::kWord, 0, 0, "auto tsc monotonic realtime monotonic_raw",
     "clock of live events; auto is the TSC where it can be trusted"},
    {"RINGSCRIBE_HUGE_PAGES", "1", KnobUnit::kSwitch, 0, 1, "",
     "ask for transparent huge pages for rings"},
    {"RINGSCRIBE_CRASH_DIR", "", KnobUnit::kPath, 0, 0, "",
     "folder where rings are files, so that ringscribe recover finds what was recorded before a "
     "crash; off if unset"},
    {"RINGSCRIBE_DOMAINS", "", KnobUnit::kText, 0, 0, "",
     "of a program's NVTX calls: domains that are recorded, such as io,net; -io leaves one out; "
     "default is the one without a name; all if unset"},
    {"RINGSCRIBE_CATEGORIES", "", KnobUnit::kText, 0, 0, "",
     "of a program's NVTX calls: names or numbers of categories that are recorded, as above; what "
     "has no category is recorded unless some are asked for"},
    {"RINGSCRIBE_LOG", "warn", KnobUnit::kWord, 0, 0, "off error warn info",
     "what is written to stderr"},
};

char lower(char c) noexcept { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (lower(a[i]) != lower(b[i])) return false;
  return true;
}

std::string_view trim(std::string_view text) noexcept {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

struct Suffix {
  std::string_view text;
  uint64_t factor;
};

// Digits, then at most one of `suffixes`. Refuses signs, fractions, and what overflows.
bool parse_scaled(std::string_view text, std::span<const Suffix> suffixes,
                  uint64_t& value) noexcept {
  text = trim(text);
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end == text.data()) return false;
  const std::string_view rest = trim(text.substr(static_cast<size_t>(end - text.data())));
  for (const Suffix& suffix : suffixes) {
    if (!equal_ignoring_case(rest, suffix.text)) continue;
    return !__builtin_mul_overflow(number, suffix.factor, &value);
  }
  return false;
}

// The number of `text` in the space-separated list, or -1.
int parse_word(std::string_view text, std::string_view words) noexcept {
  text = trim(text);
  for (int index = 0; !words.empty(); ++index) {
    const size_t end = words.find(' ');
    if (!text.empty() && equal_ignoring_case(text, words.substr(0, end))) return index;
    words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
  }
  return -1;
}

String scaled_text(uint64_t value, std::span<const Suffix> suffixes) {
  for (const Suffix& suffix : suffixes) {
    if (value == 0 || value % suffix.factor != 0) continue;
    return String(std::to_string(value / suffix.factor)) + String(suffix.text);
  }
  return String(std::to_string(value));
}

constexpr Suffix kByteNames[] = {{"GiB", kGiB}, {"MiB", kMiB}, {"KiB", kKiB}, {"", 1}};
constexpr Suffix kTimeNames[] = {{"s", kSecond}, {"ms", kMs}, {"us", 1000}, {"ns", 1}};

void warn_unusable(const Knob& knob, const char* value, Warn warn) {
  const char* accepted = "";
  switch (knob.unit) {
    case KnobUnit::kSwitch:
      accepted = "1, yes, true, on, 0, no, false or off";
      break;
    case KnobUnit::kBytes:
      accepted = "a size such as 64KiB, 8M or 1G";
      break;
    case KnobUnit::kNanoseconds:
      accepted = "a time such as 500us, 10ms or 1s";
      break;
    case KnobUnit::kPercent:
      accepted = "a percentage from 0% to 100%";
      break;
    case KnobUnit::kCount:
      accepted = "a whole number";
      break;
    case KnobUnit::kWord:
      accepted = "one of:";
      break;
    case KnobUnit::kText:
    case KnobUnit::kPath:
      accepted = "a list of CPU numbers of this machine, such as 0,2-3";
      break;
  }
  String range;
  if (knob.unit == KnobUnit::kBytes)
    range =
        " from " + scaled_text(knob.min, kByteNames) + " to " + scaled_text(knob.max, kByteNames);
  if (knob.unit == KnobUnit::kNanoseconds)
    range = " from " + (knob.min == 0 ? String("0") : scaled_text(knob.min, kTimeNames)) + " to " +
            scaled_text(knob.max, kTimeNames);
  if (knob.unit == KnobUnit::kCount)
    range = String(" from ") + String(std::to_string(knob.min)) + " to " +
            String(std::to_string(knob.max));
  if (knob.unit == KnobUnit::kWord) range = String(" ") + knob.words;
  char sentence[640];
  std::snprintf(sentence, sizeof sentence, "%s=\"%.200s\" cannot be used: it takes %s%s; using %s",
                knob.name, value, accepted, range.c_str(),
                knob.default_value[0] != '\0' ? knob.default_value : "the default");
  warn(sentence);
}

bool in_range(const Knob& knob, uint64_t value) noexcept {
  return value >= knob.min && value <= knob.max;
}

template <typename Parser>
bool read_number(const Knob& knob, std::string_view text, Parser parse, uint64_t& target) {
  uint64_t value = 0;
  if (!parse(text, value) || !in_range(knob, value)) return false;
  target = value;
  return true;
}

bool read_one(size_t index, std::string_view text, Settings& settings) {
  const Knob& knob = kKnobs[index];
  const int word = knob.unit == KnobUnit::kWord ? parse_word(text, knob.words) : 0;
  if (word < 0) return false;
  switch (index) {
    case kEnabled:
      return parse_switch(text, settings.enabled);
    case kBackend:
      settings.backend = String(text);
      return true;
    case kOutput:
      settings.output = String(text);
      return true;
    case kCrashDir:
      settings.crash_dir = String(text);
      return true;
    case kBufferSize:
      if (!read_number(knob, text, parse_bytes, settings.ring_bytes)) return false;
      settings.ring_bytes = std::bit_ceil(settings.ring_bytes);
      return true;
    case kMemoryLimit:
      return read_number(knob, text, parse_bytes, settings.memory_limit_bytes);
    case kOverflow:
      settings.overflow = static_cast<Overflow>(word);
      return true;
    case kBlockTimeout:
      return read_number(knob, text, parse_nanoseconds, settings.block_timeout_ns);
    case kSnapshotSize:
      return read_number(knob, text, parse_bytes, settings.snapshot_bytes);
    case kSnapshotTime:
      return read_number(knob, text, parse_nanoseconds, settings.snapshot_ns);
    case kSnapshotRange:
      return read_number(knob, text, parse_nanoseconds, settings.snapshot_range_ns);
    case kSnapshotSignal: {
      constexpr int kSignals[] = {0, SIGUSR1, SIGUSR2};
      settings.snapshot_signal = kSignals[word];
      return true;
    }
    case kFlushInterval:
      return read_number(knob, text, parse_nanoseconds, settings.flush_interval_ns);
    case kFlushWatermark:
      return read_number(knob, text, parse_percent, settings.flush_watermark_percent);
    case kBatchEvents:
      return read_number(knob, text, parse_count, settings.batch_events_max);
    case kFlusherCpu:
      if (!parse_cpu_list(text, 1024, [](void*, unsigned) {}, nullptr)) return false;
      settings.flusher_cpus = String(text);
      return true;
    case kDomains:
      settings.domains = String(text);
      return true;
    case kCategories:
      settings.categories = String(text);
      return true;
    case kClock:
      settings.clock = static_cast<ClockChoice>(word);
      return true;
    case kHugePages:
      return parse_switch(text, settings.huge_pages);
    case kLog:
      settings.log_level = static_cast<LogLevel>(word);
      return true;
    default:
      return false;
  }
}

}  // namespace

std::span<const Knob> knobs() noexcept { return kKnobs; }

bool parse_switch(std::string_view text, bool& value) noexcept {
  const int word = parse_word(text, "0 1 no yes false true off on");
  if (word < 0) return false;
  value = (word % 2) == 1;
  return true;
}

bool parse_bytes(std::string_view text, uint64_t& value) noexcept {
  static constexpr Suffix kSuffixes[] = {{"", 1},       {"b", 1},     {"k", kKiB},  {"kb", kKiB},
                                         {"kib", kKiB}, {"m", kMiB},  {"mb", kMiB}, {"mib", kMiB},
                                         {"g", kGiB},   {"gb", kGiB}, {"gib", kGiB}};
  return parse_scaled(text, kSuffixes, value);
}

bool parse_nanoseconds(std::string_view text, uint64_t& value) noexcept {
  if (trim(text) == "0") {
    value = 0;
    return true;
  }
  static constexpr Suffix kSuffixes[] = {{"ns", 1}, {"us", 1000}, {"ms", kMs}, {"s", kSecond}};
  return parse_scaled(text, kSuffixes, value);
}

bool parse_percent(std::string_view text, uint64_t& value) noexcept {
  static constexpr Suffix kSuffixes[] = {{"%", 1}, {"", 1}};
  return parse_scaled(text, kSuffixes, value);
}

bool parse_count(std::string_view text, uint64_t& value) noexcept {
  static constexpr Suffix kSuffixes[] = {{"", 1}};
  return parse_scaled(text, kSuffixes, value);
}

bool parse_cpu_list(std::string_view text, unsigned cpus_max, void (*use)(void*, unsigned),
                    void* context) noexcept {
  text = trim(text);
  if (text.empty()) return false;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view item = trim(text.substr(0, comma));
    const size_t dash = item.find('-');
    uint64_t first = 0, last = 0;
    if (!parse_count(item.substr(0, dash), first)) return false;
    last = first;
    if (dash != std::string_view::npos && !parse_count(item.substr(dash + 1), last)) return false;
    if (last < first || last >= cpus_max) return false;
    for (uint64_t cpu = first; cpu <= last; ++cpu) use(context, static_cast<unsigned>(cpu));
    if (comma != std::string_view::npos && comma + 1 == text.size()) return false;
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
  }
  return true;
}

Settings read_settings(GetEnvironment get, Warn warn) {
  Settings settings;
  for (size_t index = 0; index < kKnobCount; ++index) {
    const Knob& knob = kKnobs[index];
    const char* value = get(knob.name);
    if (value == nullptr) continue;
    // An empty text or path is as good as unset; an empty number is a mistake.
    const bool is_text = knob.unit == KnobUnit::kText || knob.unit == KnobUnit::kPath;
    if (is_text && value[0] == '\0') continue;
    if (!read_one(index, value, settings)) warn_unusable(knob, value, warn);
  }
  return settings;
}

void warn_of_unknown(const char* const* environment, Warn warn) {
  constexpr std::string_view kPrefix = "RINGSCRIBE_";
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry = *environment;
    // The latter are between `ringscribe run` and the injection library.
    if (!entry.starts_with(kPrefix) || entry.starts_with("RINGSCRIBE_INJECT_")) continue;
    const std::string_view name = entry.substr(0, entry.find('='));
    bool known = false;
    for (const Knob& knob : kKnobs) known = known || name == knob.name;
    if (known) continue;
    char sentence[320];
    std::snprintf(sentence, sizeof sentence,
                  "%.*s is not a knob of this version and has no effect; see the README's table",
                  static_cast<int>(std::min<size_t>(name.size(), 200)), name.data());
    warn(sentence);
  }
}

String effective_value(const Knob& knob, const Settings& settings) {
  const auto word = [&](size_t number) {
    std::string_view words = knob.words;
    for (; number > 0; --number) words.remove_prefix(words.find(' ') + 1);
    return String(words.substr(0, words.find(' ')));
  };
  switch (static_cast<size_t>(&knob - kKnobs)) {
    case kEnabled:
      return settings.enabled ? "1" : "0";
    case kBackend:
      return settings.backend;
    case kOutput:
      return settings.output;
    case kCrashDir:
      return settings.crash_dir;
    case kBufferSize:
      return scaled_text(settings.ring_bytes, kByteNames);
    case kMemoryLimit:
      return scaled_text(settings.memory_limit_bytes, kByteNames);
    case kOverflow:
      return word(static_cast<size_t>(settings.overflow));
    case kBlockTimeout:
      return scaled_text(settings.block_timeout_ns, kTimeNames);
    case kSnapshotSize:
      return scaled_text(settings.snapshot_bytes, kByteNames);
    case kSnapshotTime:
      return scaled_text(settings.snapshot_ns, kTimeNames);
    case kSnapshotRange:
      return scaled_text(settings.snapshot_range_ns, kTimeNames);
    case kSnapshotSignal:
      return word(settings.snapshot_signal == 0 ? 0 : settings.snapshot_signal == SIGUSR1 ? 1 : 2);
    case kFlushInterval:
      return scaled_text(settings.flush_interval_ns, kTimeNames);
    case kFlushWatermark:
      return String(std::to_string(settings.flush_watermark_percent)) + "%";
    case kBatchEvents:
      return String(std::to_string(settings.batch_events_max));
    case kFlusherCpu:
      return settings.flusher_cpus;
    case kDomains:
      return settings.domains;
    case kCategories:
      return settings.categories;
    case kClock:
      return word(static_cast<size_t>(settings.clock));
    case kHugePages:
      return settings.huge_pages ? "1" : "0";
    case kLog:
      return word(static_cast<size_t>(settings.log_level));
    default:
      return String();
  }
}

}  // namespace ringscribe::runtime
