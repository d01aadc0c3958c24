// SPDX-License-Identifier: Apache-2.0
#include "ringscribe/tools/run/run_plan.h"

#include <unistd.h>

#include <filesystem>
#include <string_view>

#include "ringscribe/backends/factory.h"
#include "ringscribe/backends/output/output_path.h"
#include "ringscribe/runtime/knobs.h"

namespace ringscribe::tools {
namespace {

namespace fs = std::filesystem;

constexpr const char* kBackend = "RINGSCRIBE_BACKEND";
constexpr const char* kOutput = "RINGSCRIBE_OUTPUT";

Status unusable(const std::string& option, const std::string& value, const std::string& why) {
  return Status(ResultCode::kInvalidArgument, option + " \"" + value + "\": " + why);
}

// What the runtime would say of the knob's value, but for what it would use instead; "" if it is
// good.
std::string complaint(const char* variable, const std::string& value) {
  // The runtime's parser takes plain functions.
  static const char* asked_name;
  static const char* asked_value;
  static std::string said;
  asked_name = variable;
  asked_value = value.c_str();
  said.clear();
  runtime::read_settings(
      [](const char* name) { return std::string_view(name) == asked_name ? asked_value : nullptr; },
      [](const char* sentence) { said = sentence; });
  return said.substr(0, said.rfind("; using "));
}

// The text after a '%' at `i`, where the runtime replaces the two; '\0' elsewhere. Skips nothing.
char key_at(std::string_view pattern, size_t i) {
  return pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
}

bool has_pid(std::string_view pattern) {
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (key_at(pattern, i) == 'p') return true;
    if (key_at(pattern, i) == '%') ++i;
  }
  return false;
}

// A pattern that means `path` itself.
std::string as_pattern(std::string_view path) {
  std::string pattern;
  for (const char c : path) pattern.append(c == '%' ? 2 : 1, c);
  return pattern;
}

// "run.rsj" is "run-%p.rsj"; a dot that begins the name begins no extension.
std::string with_pid(const std::string& pattern) {
  const size_t name = pattern.rfind('/') + 1;  // 0 if there is none
  size_t dot = pattern.rfind('.');
  if (dot == std::string::npos || dot <= name) dot = pattern.size();
  return pattern.substr(0, dot) + "-%p" + pattern.substr(dot);
}

bool is_library(std::string_view backend) {
  return backend.find('/') != std::string_view::npos ||
         backend.find(".so") != std::string_view::npos;
}

// The value of RINGSCRIBE_BACKEND for --format: a name, or a library's path, absolute.
Result<std::string> backend_of(const std::string& format, const std::string& folder) {
  if (is_library(format)) {
    if (format.find('/') == std::string::npos) return format;  // looked for on the library path
    const std::string path = (fs::path(folder) / format).lexically_normal().string();
    std::error_code error;
    if (!fs::is_regular_file(path, error))
      return unusable("--format", format, "there is no such library: check the path");
    return path;
  }
  if (find_backend_format(format) != nullptr) return format;
  std::string names;
  for (const nvtxw::BackendFormat& known : backend_formats().formats)
    names += std::string(known.name) + ", ";
  return unusable(
      "--format", format,
      "there is no such format: it takes " + names + "or the path of a library that speaks NVTXW");
}

// Of what RINGSCRIBE_BACKEND will be; without it of `path`. nullptr: of a library, or of nobody.
const nvtxw::BackendFormat* format_of(std::string_view backend, std::string_view path) {
  if (!backend.empty()) return find_backend_format(backend);
  const nvtxw::BackendFormat* format = nvtxw::format_of_path(backend_formats(), path);
  return format != nullptr ? format : find_backend_format(backend_formats().default_format);
}

// Before the command runs, perhaps for hours, and cannot write it.
Status check_output(const std::string& option, const std::string& pattern,
                    std::string_view backend) {
  const fs::path path = expand_pattern(pattern, getpid());
  const fs::path folder = path.parent_path();
  const nvtxw::BackendFormat* format = format_of(backend, path.native());
  std::error_code error;
  const bool may_be_folder = format == nullptr || format->name == "ctf";
  if (path.filename().empty() || (!may_be_folder && fs::is_directory(path, error)))
    return unusable(option, pattern, "that is a folder: name a file in it");
  if (!fs::is_directory(folder, error))
    return unusable(option, pattern,
                    "there is no folder \"" + folder.string() + "\": create it first");
  if (!fs::exists(path, error) && access(folder.c_str(), W_OK) != 0)
    return unusable(option, pattern,
                    "this user may not write into \"" + folder.string() +
                        "\": choose another output with --output");
  return {};
}

// Sets RINGSCRIBE_OUTPUT, and RunPlan::output.
Status plan_output(const RunOptions& options, const std::string& folder, RunPlan& plan) {
  const std::string_view backend = plan.environment.get(kBackend);
  const nvtxw::BackendFormat* chosen = format_of(backend, "");
  plan.writes_output = chosen == nullptr || !chosen->extension.empty();
  const std::string users(plan.environment.get(kOutput));
  if (options.output.empty() && !users.empty()) {
    plan.output = users;
    if (options.follow_forks && !has_pid(users))
      plan.warnings.push_back(std::string(kOutput) + "=\"" + users +
                              "\" has no %p, and with --follow-forks all processes write to that "
                              "path: put %p into it");
    return {};
  }
  const std::string here = as_pattern(folder) + "/";
  std::string pattern = options.output;
  if (pattern.empty()) {
    // Nothing is written, or by a library that knows where to.
    if (chosen == nullptr || chosen->extension.empty()) return {};
    const std::string name = fs::path(options.command.front()).filename().string();
    // A plain file name, without '%'.
    pattern = output::output_path("", name, chosen->extension);
    if (options.follow_forks) pattern = with_pid(pattern);
  } else if (options.follow_forks && !has_pid(pattern)) {
    pattern = with_pid(pattern);
    plan.warnings.push_back("--output \"" + options.output +
                            "\" has no %p: each process writes a file of its own, \"" + pattern +
                            "\"");
  }
  if (pattern.front() != '/') pattern = here + pattern;
  if (Status checked =
          check_output(options.output.empty() ? "output" : "--output", pattern, backend);
      !checked.ok())
    return checked;
  plan.environment.set(kOutput, pattern);
  plan.output = pattern;
  return {};
}

}  // namespace

std::string expand_pattern(const std::string& pattern, pid_t pid) {
  std::string of_process;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char key = key_at(pattern, i);
    if (key == 'p') {
      of_process += std::to_string(pid);
      ++i;
      continue;
    }
    of_process += pattern[i];
    if (key == '%') of_process += pattern[++i];
  }
  return of_process.empty() ? of_process : output::output_path(of_process, "", "");
}

Result<RunPlan> plan_run(const RunOptions& options, const Environment& users,
                         const std::string& folder) {
  RunPlan plan;
  plan.environment = users;
  const struct {
    const char* option;
    const char* variable;
    const std::string& value;
  } knobs[] = {
      {"--buffer-size", "RINGSCRIBE_BUFFER_SIZE", options.buffer_size},
      {"--overflow", "RINGSCRIBE_OVERFLOW", options.overflow},
      {"--categories", "RINGSCRIBE_CATEGORIES", options.categories},
      {"--domains", "RINGSCRIBE_DOMAINS", options.domains},
  };
  for (const auto& knob : knobs) {
    if (knob.value.empty()) continue;
    if (const std::string said = complaint(knob.variable, knob.value); !said.empty())
      return Status(ResultCode::kInvalidArgument, std::string(knob.option) + ": " + said);
    plan.environment.set(knob.variable, knob.value);
  }
  if (!options.format.empty()) {
    Result<std::string> backend = backend_of(options.format, folder);
    if (!backend.ok()) return backend.status();
    plan.environment.set(kBackend, *backend);
    if (const std::string_view first = plan.environment.get("NVTXW3_LIBRARY"); !first.empty())
      plan.warnings.push_back("NVTXW3_LIBRARY=\"" + std::string(first) +
                              "\" goes before --format, which has no effect: unset it");
  }
  if (Status status = plan_output(options, folder, plan); !status.ok()) return status;
  return plan;
}

}  // namespace ringscribe::tools
