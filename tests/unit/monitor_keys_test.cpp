// Keys in, what is shown and what is asked for out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>

#include "monitor_scene.hpp"
#include "rangerctl/monitor/keys.hpp"

namespace rangerctl::monitor {
namespace {

using namespace scene;
using Kind = Request::Kind;

/// A chassis that drives, and somebody in front of it.
class MonitorKeys : public ::testing::Test {
 protected:
  MonitorKeys() { Traffic().run(watched_, kStart, kStart + 2s); }

  [[nodiscard]] Sight sight() const { return {{watched_, kStart + 2s}, screen_, replay_, frozen_}; }
  Request press(char32_t key) {
    typed_at_ += kLeastThought;
    return react(choices_, terminal::Event{.key = key}, sight(), typed_at_);
  }
  void type(std::string_view text) {
    for (const char c : text) press(static_cast<char32_t>(c));
  }
  void set_errors(std::uint32_t bits) {
    Traffic traffic;
    traffic.set("system_status", "errors", bits);
    traffic.run(watched_, kStart + 1980ms, kStart + 2s);
  }
  std::string last_row() {
    const Scene scene{watched_, kStart + 2s};
    DrawOptions options;
    if (replay_) options.replay = ReplayView{};
    const std::string text = to_text(draw(scene, scene, {24, 80}, choices_, options));
    const auto end = text.find_last_not_of('\n') + 1;
    return text.substr(text.rfind('\n', end - 1) + 1, end - text.rfind('\n', end - 1) - 1);
  }

  Watched watched_{Traffic::catalogue(), 500'000, kStart};
  Choices choices_;
  Size screen_{24, 80};
  bool replay_ = false;
  bool frozen_ = false;
  SteadyTime typed_at_ = kStart + 2s;
};

TEST_F(MonitorKeys, NoKeyMeansTwoThings) {
  std::set<std::tuple<char32_t, Page, bool>> seen;
  for (const KeyBinding& row : key_bindings()) {
    for (const Page page : {Page::overview, Page::frames, Page::faults, Page::plots, Page::help}) {
      for (const bool replay : {false, true}) {
        if (!applies(row, page, replay)) continue;
        EXPECT_TRUE(seen.insert({row.key, page, replay}).second) << static_cast<std::uint32_t>(row.key);
      }
    }
  }
}

TEST_F(MonitorKeys, EveryKeyWithAHelpTextHasALabel) {
  for (const KeyBinding& row : key_bindings()) {
    EXPECT_EQ(row.label.empty(), row.help.empty()) << row.hint;
    EXPECT_LE(row.label.size(), 7U);
  }
}

TEST_F(MonitorKeys, GoThroughThePages) {
  struct Row {
    char32_t key;
    Page page;
  };
  for (const Row& row : {Row{U'2', Page::frames}, Row{U'\t', Page::faults}, Row{U'\t', Page::plots},
                         Row{U'\t', Page::overview}, Row{U'3', Page::faults}, Row{U'?', Page::help},
                         Row{U'?', Page::faults}, Row{U'h', Page::help}, Row{terminal::kEscape, Page::faults},
                         Row{U'4', Page::plots}, Row{U'1', Page::overview}, Row{U'x', Page::overview}}) {
    EXPECT_EQ(press(row.key).kind, Kind::none);
    EXPECT_EQ(choices_.page, row.page) << static_cast<std::uint32_t>(row.key);
  }
}

TEST_F(MonitorKeys, AskTheProgramToAct) {
  struct Row {
    bool replay;
    Page page;
    char32_t key;
    Request request;
  };
  const Row rows[] = {
      {false, Page::overview, U'q', {Kind::quit}},
      {true, Page::help, U'q', {Kind::quit}},
      {false, Page::overview, U' ', {Kind::freeze}},
      {true, Page::overview, U' ', {Kind::pause}},
      {false, Page::plots, U'r', {Kind::record}},
      {true, Page::plots, U'r', {}},
      {false, Page::faults, U's', {Kind::save}},
      {true, Page::overview, U's', {Kind::save}},
      {true, Page::frames, U'.', {Kind::step, 1}},
      {true, Page::frames, U',', {Kind::step, -1}},
      {true, Page::frames, U'[', {Kind::speed, -1}},
      {true, Page::frames, U']', {Kind::speed, 1}},
      {true, Page::frames, U'<', {Kind::seek_by, -5000}},
      {true, Page::frames, U'>', {Kind::seek_by, 5000}},
      {true, Page::frames, U'{', {Kind::seek_by, -60'000}},
      {true, Page::frames, U'}', {Kind::seek_by, 60'000}},
      {false, Page::frames, U'.', {}},
      {false, Page::overview, U'c', {}},
  };
  for (const Row& row : rows) {
    replay_ = row.replay;
    choices_ = Choices{};
    choices_.page = row.page;
    EXPECT_EQ(press(row.key), row.request) << static_cast<char>(row.key) << row.replay;
  }
}

TEST_F(MonitorKeys, AReleaseOrAKeyWithAModifierMeansNothing) {
  EXPECT_EQ(react(choices_, {.key = U'q', .action = terminal::KeyAction::release}, sight(), kStart).kind,
            Kind::none);
  EXPECT_EQ(react(choices_, {.key = U'q', .modifiers = terminal::kAlt}, sight(), kStart).kind, Kind::none);
  EXPECT_EQ(react(choices_, {.kind = terminal::EventKind::focus_in}, sight(), kStart).kind, Kind::none);
  EXPECT_EQ(react(choices_, {}, sight(), kStart).kind, Kind::none);
}

// ---- Frames -------------------------------------------------------------------------------------------

TEST_F(MonitorKeys, TheCursorStaysOnItsId) {
  press(U'2');
  EXPECT_FALSE(choices_.selected);
  press(terminal::kDown);
  EXPECT_EQ(choices_.selected->id, 0x221U);
  press(terminal::kRight);  // eight rows
  EXPECT_EQ(choices_.selected->id, 0x256U);
  press(terminal::kEnd);
  EXPECT_EQ(choices_.selected->id, 0x362U);
  press(terminal::kDown);
  EXPECT_EQ(choices_.selected->id, 0x362U) << "there is nothing below";
  press(U'o');  // another order
  EXPECT_EQ(choices_.sort, Sort::rate);
  EXPECT_EQ(choices_.selected->id, 0x362U);
  press(terminal::kHome);
  EXPECT_EQ(choices_.selected->id, 0x211U);
  for (int i = 0; i < 4; ++i) press(U'o');
  EXPECT_EQ(choices_.sort, Sort::id);
}

TEST_F(MonitorKeys, OpenAFrameAndGoToTheNextOne) {
  screen_ = {9, 80};  // with room for one signal
  press(U'2');
  press(terminal::kEnter);
  EXPECT_TRUE(choices_.opened);
  EXPECT_EQ(choices_.selected->id, 0x211U);
  press(terminal::kRight);
  EXPECT_EQ(choices_.selected->id, 0x221U);
  press(terminal::kDown);
  EXPECT_EQ(choices_.selected->id, 0x221U) << "up and down scroll its signals";
  EXPECT_EQ(choices_.scroll, 1U);
  for (int i = 0; i < 9; ++i) press(terminal::kDown);
  EXPECT_EQ(choices_.scroll, 2U) << "the last of three";
  press(terminal::kLeft);
  EXPECT_EQ(choices_.selected->id, 0x211U);
  press(terminal::kEscape);
  EXPECT_FALSE(choices_.opened);
  EXPECT_EQ(choices_.page, Page::frames);
}

TEST_F(MonitorKeys, AnOpenFrameThatIsNotThereAnyMoreIsNoOther) {
  reduce(watched_, data_frame(0x212, {0, 7, 1, 2}), kStart + 2s);
  press(U'2');
  press(terminal::kEnd);
  press(terminal::kEnter);
  EXPECT_EQ(choices_.selected->id, 0x212U);
  const Watched earlier(Traffic::catalogue(), 500'000, kStart);  // a replay that went back
  const Scene scene{earlier, kStart};
  EXPECT_THAT(to_text(draw(scene, scene, {24, 80}, choices_, {})), ::testing::HasSubstr("has not arrived"));
}

TEST_F(MonitorKeys, FilterWhileTyping) {
  press(U'/');
  EXPECT_EQ(choices_.page, Page::frames);
  type("VOLTx");
  EXPECT_EQ(choices_.filter, "VOLTx");
  press(terminal::kBackspace);
  EXPECT_EQ(choices_.filter, "VOLT");
  EXPECT_EQ(last_row(), " Filter: VOLT_  Enter keeps it, Esc shows all");
  press(U'q');  // a letter, not the end
  press(terminal::kBackspace);
  press(terminal::kEnter);
  EXPECT_EQ(choices_.prompt, Prompt::none);
  press(terminal::kEnd);
  EXPECT_EQ(choices_.selected->id, 0x361U) << "the last one with a voltage";
  press(U'/');
  press(terminal::kEscape);
  EXPECT_EQ(choices_.filter, "");
  press(terminal::kEnd);
  EXPECT_EQ(choices_.selected->id, 0x362U);
}

TEST_F(MonitorKeys, FilterByIdNameAndSignal) {
  struct Row {
    std::string_view filter;
    std::uint32_t first;
  };
  for (const Row& row : {Row{"26", 0x261}, Row{"0x26", 0x261}, Row{"bms", 0x361}, Row{"SOC", 0x361},
                         Row{"left_wheel", 0x311}}) {
    choices_ = Choices{};
    press(U'/');
    type(row.filter);
    press(terminal::kEnter);
    press(terminal::kHome);
    ASSERT_TRUE(choices_.selected) << row.filter;
    EXPECT_EQ(choices_.selected->id, row.first) << row.filter;
  }
  choices_ = Choices{};
  press(U'/');
  type("nothing like it");
  press(terminal::kEnter);
  press(terminal::kEnter);
  EXPECT_FALSE(choices_.opened);
}

// ---- Faults -------------------------------------------------------------------------------------------

TEST_F(MonitorKeys, ClearAsksFirst) {
  set_errors(0x180);
  press(U'3');
  press(U'c');
  EXPECT_EQ(choices_.prompt, Prompt::clear_error);
  EXPECT_EQ(last_row(), " emergency_stop has no own code.  a: all (0x00)  other keys: no");
  EXPECT_EQ(press(U'n').refusal, "nothing was sent");
  EXPECT_EQ(choices_.prompt, Prompt::none);
  press(U'c');
  EXPECT_EQ(press(U'a'), (Request{Kind::clear, Request::kAllErrors}));
  press(U'c');
  EXPECT_EQ(press(U'q').kind, Kind::none) << "not the end of the program";
}

TEST_F(MonitorKeys, APasteAnswersNothing) {
  press(U'3');
  press(U'c');
  const Request request = react(choices_, {.key = U'y'}, sight(), typed_at_ + kLeastThought - 1ms);
  EXPECT_EQ(request.kind, Kind::none);
  EXPECT_NE(request.refusal, "");
  EXPECT_EQ(choices_.prompt, Prompt::none);
}

TEST_F(MonitorKeys, TheQuestionIsAboutOneErrorWhateverHappensMeanwhile) {
  set_errors(1U << 15U);  // over_current
  press(U'3');
  press(U'c');
  EXPECT_THAT(last_row(), ::testing::HasSubstr("Clear over_current (0x0F)?"));
  set_errors(1U | (1U << 15U));  // and now one that comes first
  EXPECT_THAT(last_row(), ::testing::HasSubstr("Clear over_current (0x0F)?"));
  EXPECT_EQ(press(U'y'), (Request{Kind::clear, 15}));
}

TEST_F(MonitorKeys, OnlyTheLetterAloneAnswers) {
  press(U'3');
  for (const char32_t letter : {U'a', U'y'}) {
    press(U'c');
    typed_at_ += kLeastThought;
    const Request request =
        react(choices_, {.key = letter, .modifiers = terminal::kControl}, sight(), typed_at_);
    EXPECT_EQ(request.kind, Kind::none) << static_cast<char>(letter);
    EXPECT_EQ(choices_.prompt, Prompt::none);
  }
}

TEST_F(MonitorKeys, NothingIsAskedThatCannotBeSeenOrIsOld) {
  press(U'3');
  for (const Size size : {Size{1, 80}, Size{24, 40}}) {
    screen_ = size;
    EXPECT_NE(press(U'c').refusal, "");
    EXPECT_EQ(choices_.prompt, Prompt::none);
  }
  screen_ = {4, 80};
  EXPECT_EQ(press(U'c').refusal, "");
  EXPECT_EQ(choices_.prompt, Prompt::clear_error);
  press(U'n');
  frozen_ = true;
  EXPECT_NE(press(U'c').refusal, "");
}

TEST_F(MonitorKeys, AQuestionIsSeenOnEveryScreenThatCanShowIt) {
  press(U'3');
  press(U'c');
  const Scene scene{watched_, kStart + 2s};
  for (int rows = 2; rows <= 30; ++rows) {
    const std::string text = to_text(draw(scene, scene, {rows, 80}, choices_, {}));
    EXPECT_THAT(text, ::testing::HasSubstr("Clear battery_undervoltage (0x09)?")) << rows;
  }
}

TEST_F(MonitorKeys, NoKeyIsLostAtTheEndOfAText) {
  press(U'?');
  press(terminal::kEnd);
  const std::size_t end = choices_.scroll;
  EXPECT_GT(end, 0U);
  press(terminal::kUp);
  EXPECT_EQ(choices_.scroll, end - 1);
  const Scene scene{watched_, kStart + 2s};
  const Screen one_up = draw(scene, scene, screen_, choices_, {});
  press(terminal::kDown);
  EXPECT_NE(one_up, draw(scene, scene, screen_, choices_, {}));
}

TEST_F(MonitorKeys, ClearTakesTheChosenError) {
  press(U'3');
  press(U'c');
  EXPECT_EQ(last_row(), " Clear battery_undervoltage (0x09)?  y: yes  a: all (0x00)  other keys: no");
  EXPECT_EQ(press(U'y'), (Request{Kind::clear, 0}));
  press(terminal::kDown);
  press(terminal::kDown);
  press(U'c');
  EXPECT_EQ(press(U'y'), (Request{Kind::clear, 2})) << "remote_control_lost";
}

TEST_F(MonitorKeys, ClearRefusesWhatNoCodeClears) {
  press(U'3');
  press(terminal::kEnd);  // a driver's
  EXPECT_NE(press(U'c').refusal, "");
  EXPECT_EQ(choices_.prompt, Prompt::none);
  press(terminal::kHome);
  replay_ = true;
  EXPECT_EQ(press(U'c').refusal, "a log takes no commands");
  EXPECT_EQ(choices_.prompt, Prompt::none);
}

TEST_F(MonitorKeys, EnterShowsAllEvents) {
  screen_ = {3, 40};
  set_errors(0x180);  // two events
  press(U'3');
  press(terminal::kEnter);
  EXPECT_TRUE(choices_.events);
  press(terminal::kDown);
  EXPECT_EQ(choices_.scroll, 1U);
  press(terminal::kEscape);
  EXPECT_FALSE(choices_.events);
  EXPECT_EQ(choices_.scroll, 0U);
}

// ---- Replays ------------------------------------------------------------------------------------------

TEST_F(MonitorKeys, GoToAPosition) {
  replay_ = true;
  press(U'g');
  type("1:3x0");
  EXPECT_EQ(last_row(), " Go to (seconds, 1:30, 1:02:03): 1:3x0_");
  EXPECT_NE(press(terminal::kEnter).refusal, "");
  press(U'g');
  type("1:30");
  EXPECT_EQ(press(terminal::kEnter), (Request{Kind::seek_to, 90'000}));
  press(U'g');
  type("5");
  EXPECT_EQ(press(terminal::kEscape), Request{});
}

TEST_F(MonitorKeys, APositionIsWrittenAsPeopleDo) {
  struct Row {
    std::string_view text;
    std::optional<std::chrono::milliseconds> position;
  };
  const Row rows[] = {{"0", 0ms},
                      {"90", 90s},
                      {"1:30", 90s},
                      {"1:02:03", 3723s},
                      {"1:02:03.5", 3723500ms},
                      {"0.25", 250ms},
                      {"7.001", 7001ms},
                      {"100:00", 6000s},
                      {"", std::nullopt},
                      {":", std::nullopt},
                      {"1:", std::nullopt},
                      {":5", std::nullopt},
                      {"12:70", std::nullopt},
                      {"1:60:00", std::nullopt},
                      {"1:2:3:4", std::nullopt},
                      {"1.5:2", std::nullopt},
                      {"7.", std::nullopt},
                      {"-1", std::nullopt},
                      {"1.2345", std::nullopt},
                      {"12345678", std::nullopt},
                      {"x", std::nullopt},
                      {"1 ", std::nullopt}};
  for (const Row& row : rows) EXPECT_EQ(parse_position(row.text), row.position) << row.text;
}

}  // namespace
}  // namespace rangerctl::monitor
