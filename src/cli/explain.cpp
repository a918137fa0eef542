#include "rangerctl/explain.hpp"

#include <memory>

#include "cli/command.hpp"
#include "rangerctl/log/written_frame.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

Result<std::string> explain_written_frame(const protocol::Catalogue& catalogue, const std::string& word) {
  const auto frame = log::parse_written_frame(catalogue, word);
  if (!frame) return frame.error();
  return explain_frame(catalogue, *frame);
}

ExitStatus explain_word(const std::string& word) {
  const protocol::Catalogue& catalogue = protocol::kDefaultCatalogue;
  const bool is_frame = word.find('#') != std::string::npos;
  const auto text = is_frame ? explain_written_frame(catalogue, word) : explain(catalogue, word);
  if (!text) return fail(text.error());
  return print(*text);
}

}  // namespace

void add_explain(CLI::App& app, const Globals& /*globals*/, Run& run) {
  CLI::App* const command =
      app.add_subcommand("explain", "Say in words what a code, frame, message or signal means");
  const auto word = std::make_shared<std::string>();
  command
      ->add_option("WORD", *word,
                   "an error word (0x00000180), a clear code (0x09), a frame (211#...), a message or its id, "
                   "a signal, or the name of a flag or value")
      ->required();
  command->callback([&run, word] { run = [word] { return explain_word(*word); }; });
}

}  // namespace rangerctl::cli
