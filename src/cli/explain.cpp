#include "rangerctl/explain.hpp"

#include <cstdio>
#include <memory>

#include "cli/command.hpp"
#include "rangerctl/protocol/catalogue.hpp"

namespace rangerctl::cli {
namespace {

ExitStatus explain_word(const std::string& word) {
  const auto text = explain(protocol::kDefaultCatalogue, word);
  if (!text) return fail(text.error());
  std::fputs(text->c_str(), stdout);
  return ExitStatus::ok;
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
