#include "io/diagnostics.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <string>

#include "rangerctl/text.hpp"

namespace rangerctl::io {
namespace {

constexpr spdlog::level::level_enum level_of(Verbosity verbosity) {
  switch (verbosity) {
    case Verbosity::quiet:
      return spdlog::level::err;
    case Verbosity::verbose:
      return spdlog::level::debug;
    case Verbosity::normal:
      break;
  }
  return spdlog::level::info;
}

void log(spdlog::level::level_enum level, std::string_view label, std::string_view message) {
  std::string text("rangerctl: ");
  text += label;
  append_printable(text, message);
  spdlog::log(level, "{}", text);
}

}  // namespace

void set_up_diagnostics(Verbosity verbosity) {
  auto logger =
      std::make_shared<spdlog::logger>("rangerctl", std::make_shared<spdlog::sinks::stderr_sink_st>());
  logger->set_pattern("%v");
  logger->set_level(level_of(verbosity));
  spdlog::set_default_logger(std::move(logger));
}

void show_error(std::string_view message) { log(spdlog::level::err, "", message); }
void show_warning(std::string_view message) { log(spdlog::level::warn, "warning: ", message); }
void show_info(std::string_view message) { log(spdlog::level::info, "", message); }
bool wants_info() { return spdlog::should_log(spdlog::level::info); }
void show_detail(std::string_view message) { log(spdlog::level::debug, "", message); }

}  // namespace rangerctl::io
