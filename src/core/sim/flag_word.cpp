#include "rangerctl/sim/flag_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rangerctl/protocol/values.hpp"
#include "rangerctl/text.hpp"

namespace rangerctl::sim {
namespace {

std::vector<std::string> every_flag_name(const protocol::Catalogue& catalogue) {
  std::vector<std::string> names;
  for (const FlagWordRow& row : kFlagWords) {
    const protocol::Signal* const signal = find_flag_signal(catalogue, row);
    if (signal == nullptr) continue;
    for (const protocol::Flag& flag : signal->flags)
      names.push_back(fmt::format("{}{}", row.prefix, flag.name));
  }
  return names;
}

Error no_flag(const protocol::Catalogue& catalogue, std::string_view text) {
  const std::vector<std::string> names = every_flag_name(catalogue);
  const std::string_view best = nearest(text, std::vector<std::string_view>(names.begin(), names.end()));
  return {ExitStatus::usage,
          best.empty()
              ? fmt::format("no flag '{}'; use the name of an error, bitN, alarm_1.FLAG or motorN.FLAG", text)
              : fmt::format("no flag '{}'; did you mean {}?", text, best)};
}

/// The only row with an empty prefix takes names without a point alone.
bool has_prefix(const FlagWordRow& row, std::string_view text) {
  return row.prefix.empty() ? text.find('.') == std::string_view::npos : text.starts_with(row.prefix);
}

}  // namespace

const protocol::Signal* find_flag_signal(const protocol::Catalogue& catalogue, const FlagWordRow& row) {
  const protocol::Message* const message = catalogue.find(row.message);
  return message == nullptr ? nullptr : protocol::find_signal(*message, row.signal);
}

std::optional<std::size_t> find_flag_word(std::string_view message, std::string_view signal) {
  const auto found = std::find_if(kFlagWords.begin(), kFlagWords.end(), [&](const FlagWordRow& row) {
    return row.message == message && row.signal == signal;
  });
  if (found == kFlagWords.end()) return std::nullopt;
  return static_cast<std::size_t>(found - kFlagWords.begin());
}

std::uint32_t flag_mask(const protocol::Catalogue& catalogue, std::size_t word, std::string_view flags) {
  const protocol::Signal* const signal = find_flag_signal(catalogue, kFlagWords[word]);
  const auto raw = signal == nullptr ? Result<std::int64_t>(0) : protocol::parse_value(*signal, flags);
  return raw ? static_cast<std::uint32_t>(*raw) : 0;
}

Result<FlagChoice> parse_flag_choice(const protocol::Catalogue& catalogue, std::string_view text) {
  for (std::size_t word = 0; word < kFlagWords.size(); ++word) {
    if (!has_prefix(kFlagWords[word], text)) continue;
    const std::uint32_t mask = flag_mask(catalogue, word, text.substr(kFlagWords[word].prefix.size()));
    if (mask != 0) return FlagChoice{word, mask};
  }
  return no_flag(catalogue, text);
}

}  // namespace rangerctl::sim
