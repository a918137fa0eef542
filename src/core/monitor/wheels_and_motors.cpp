#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph.hpp"
#include "motors.hpp"
#include "panels.hpp"
#include "rangerctl/protocol/values.hpp"

namespace rangerctl::monitor {
namespace {

Style known(const Reading& value) { return value.raw ? Style::normal : Style::caution; }

// ---- Wheels -------------------------------------------------------------------------------------------

/// Where each wheel's values are, in the order in which people name wheels.
struct Wheel {
  std::string_view name;
  std::string_view speed;
  std::string_view angle;
  std::string_view odometer;
  std::string_view side;
};
constexpr std::array kWheels{
    Wheel{"LF", "motor4_speed", "motor8_angle", "front_odometer", "left_wheel"},
    Wheel{"RF", "motor1_speed", "motor5_angle", "front_odometer", "right_wheel"},
    Wheel{"LR", "motor3_speed", "motor7_angle", "rear_odometer", "left_wheel"},
    Wheel{"RR", "motor2_speed", "motor6_angle", "rear_odometer", "right_wheel"},
};

Reading speed_of(const PageView& view, const Wheel& wheel) {
  return reading(view, "wheel_speed_feedback", wheel.speed);
}
Reading angle_of(const PageView& view, const Wheel& wheel) {
  return reading(view, "steering_angle_feedback", wheel.angle);
}
Reading odometer_of(const PageView& view, const Wheel& wheel) {
  return reading(view, wheel.odometer, wheel.side);
}

using ReadWheel = Reading (*)(const PageView&, const Wheel&);
using WheelText = std::string (*)(const Reading&, int width);

std::string angle_both(const Reading& angle, int width) {
  return fmt::format("{:>{}}", number(angle, 7) + " " + degrees(angle, 7), width);
}

struct WheelRow {
  std::string_view label;
  std::string_view unit;  ///< empty: the signal's own
  ReadWheel read;
  WheelText text;
};
constexpr std::array kWideRows{
    WheelRow{"speed", "", speed_of, number},
    WheelRow{"angle", "rad deg", angle_of, angle_both},
    WheelRow{"odom", "", odometer_of, number},
};
/// Odometers are too wide for a narrow terminal.
constexpr std::array kNarrowRows{
    WheelRow{"", "", speed_of, number},
    WheelRow{"", "", angle_of, number},
    WheelRow{"", "deg", angle_of, degrees},
};

// ---- Motors -------------------------------------------------------------------------------------------

Reading of_motor(const PageView& view, const Motor& motor, std::string_view speed_class,
                 std::string_view signal) {
  return reading(view, fmt::format("motor{}_{}", motor.number, speed_class), signal);
}
Reading fast(const PageView& view, const Motor& motor, std::string_view signal) {
  return of_motor(view, motor, "high_speed", signal);
}
Reading slow(const PageView& view, const Motor& motor, std::string_view signal) {
  return of_motor(view, motor, "low_speed", signal);
}

Item number_cell(const Reading& value, int width) { return {"", number(value, width), known(value)}; }

Item name_cell(const PageView&, const Motor& motor) {
  return {"", fmt::format("{} {} {}", motor.number, motor.place, motor.role)};
}
Item short_name_cell(const PageView&, const Motor& motor) {
  return {"", fmt::format("{} {}", motor.number, motor.place)};
}
bool ever_sent(const PageView& view, const Motor& motor, std::string_view speed_class) {
  const auto name = fmt::format("motor{}_{}", motor.number, speed_class);
  const protocol::Message* const message = view.state.catalogue->find(name);
  return message != nullptr && view.state.messages[index_of(view, *message)].count != 0;
}
bool has_fault(const PageView& view, const Motor& motor) {
  const Reading status = slow(view, motor, "driver_status");
  if (status.raw && !alarm_names(*status.signal, *status.raw).empty()) return true;
  return reading(view, "system_status", "errors")
      .has_flag(fmt::format("motor{}_communication", motor.number));
}
Item freshness_cell(const PageView& view, const Motor& motor) {
  if (has_fault(view, motor)) return {"", "ERR ", Style::fault};
  const bool fast_known = fast(view, motor, "speed").raw.has_value();
  const bool slow_known = slow(view, motor, "driver_voltage").raw.has_value();
  if (fast_known && slow_known) return {"", "ok  ", Style::good};
  if (fast_known || slow_known) return {"", "part", Style::caution};
  const bool lost = ever_sent(view, motor, "high_speed") || ever_sent(view, motor, "low_speed");
  return lost ? Item{"", "LOST", Style::fault} : Item{"", std::string(kMissing), Style::caution};
}
Item speed_cell(const PageView& view, const Motor& motor) {
  return number_cell(fast(view, motor, "speed"), 6);
}
Item current_cell(const PageView& view, const Motor& motor) {
  return number_cell(fast(view, motor, "current"), 7);
}
Item position_cell(const PageView& view, const Motor& motor) {
  return number_cell(fast(view, motor, "position"), 11);
}
Item voltage_cell(const PageView& view, const Motor& motor) {
  return number_cell(slow(view, motor, "driver_voltage"), 6);
}
Item temperature_cell(const PageView& view, const Motor& motor) {
  return number_cell(slow(view, motor, "driver_temperature"), 6);
}

std::vector<std::string> alarms(const Reading& status) {
  if (!status.raw) return {};
  return alarm_names(*status.signal, *status.raw);
}

Item status_cell(const PageView& view, const Motor& motor) {
  const Reading status = slow(view, motor, "driver_status");
  if (!status.raw) return {"", padded(std::string(kMissing), 8), Style::caution};
  std::string letters;
  for (unsigned bit = 0; bit < kStatusLetters.size(); ++bit) {
    letters += ((*status.raw >> bit) & 1) != 0 ? kStatusLetters[bit] : '.';
  }
  return {"", letters, alarms(status).empty() ? Style::normal : Style::fault};
}
Item words_cell(const PageView& view, const Motor& motor) {
  const auto names = alarms(slow(view, motor, "driver_status"));
  return {"", names.empty() ? "" : fmt::format("! {}", fmt::join(names, " ! ")), Style::fault};
}

/// Its current during the last seconds, all motors on one scale.
Item spark_cell(const PageView& view, const Motor& motor) {
  constexpr Scale kScale{0, 40};
  constexpr std::size_t kSeconds = 18;
  for (std::size_t i = 0; i < kTraces.size(); ++i) {
    if (kTraces.at(i).signal != "current" ||
        kTraces.at(i).message != fmt::format("motor{}_high_speed", motor.number))
      continue;
    const auto spans = spans_of(view, i, {1, kSeconds, 1});
    return {"", graph_rows(spans, kScale, 1, graph_of(view)).front(), Style::good};
  }
  return {};
}

struct MotorColumn {
  std::string_view heading;
  int width;
  int from_columns;  ///< shown when the table is at least so wide ...
  int to_columns;    ///< ... and at most so wide
  Item (*cell)(const PageView&, const Motor&);
};
constexpr int kAnyWidth = 10'000;
constexpr std::array kMotorColumns{
    MotorColumn{"", 4, 0, 35, short_name_cell},
    MotorColumn{"", 10, 36, kAnyWidth, name_cell},
    MotorColumn{"", 4, 44, kAnyWidth, freshness_cell},
    MotorColumn{"rpm", 6, 0, kAnyWidth, speed_cell},
    MotorColumn{"A", 7, 0, kAnyWidth, current_cell},
    MotorColumn{"pulses", 11, 76, kAnyWidth, position_cell},
    MotorColumn{"V", 6, 60, kAnyWidth, voltage_cell},
    MotorColumn{"drv degC", 8, 60, kAnyWidth, temperature_cell},
    MotorColumn{"status", 8, 0, kAnyWidth, status_cell},
    MotorColumn{"A 18 s", 9, 78, kAnyWidth, spark_cell},
    MotorColumn{"", 24, 110, kAnyWidth, words_cell},
};

/// Some motors below each other; row 0 is the heading.
void draw_motor_table(const PageView& view, const Area& area, std::span<const Motor> motors) {
  int column = 1;
  for (const MotorColumn& entry : kMotorColumns) {
    if (area.columns() < entry.from_columns || area.columns() > entry.to_columns) continue;
    if (!entry.heading.empty())
      area.put_right(0, column + entry.width, fmt::format(" {}", entry.heading), Style::title);
    for (std::size_t i = 0; i < motors.size(); ++i) {
      const Item cell = entry.cell(view, motors[i]);
      const int row = static_cast<int>(i) + 1;
      const int indent = entry.heading.empty() ? 0 : entry.width - text_width(cell.value);
      area.put_elided(row, column + std::max(0, indent), cell.value, cell.style);
    }
    column += entry.width + 1;
  }
}

}  // namespace

void draw_wheels(const PageView& view, const Area& area) {
  const bool wide = area.columns() >= 80;
  const int label_columns = wide ? 15 : 6;
  const int cell =
      std::max(1, std::min(20, (area.columns() - label_columns) / static_cast<int>(kWheels.size())));
  area.heading(0, "Wheels");
  int row = 1;
  for (const WheelRow& entry : std::span<const WheelRow>(wide ? kWideRows : kNarrowRows)) {
    const std::string_view own_unit = unit(entry.read(view, kWheels[0]));
    area.put(row, 1,
             fmt::format("{}{}{}", entry.label, entry.label.empty() ? "" : " ",
                         entry.unit.empty() ? own_unit : entry.unit),
             Style::dim);
    for (std::size_t i = 0; i < kWheels.size(); ++i) {
      const Reading value = entry.read(view, kWheels[i]);
      area.put_right(row, label_columns + cell * (static_cast<int>(i) + 1), entry.text(value, cell - 1),
                     known(value));
    }
    ++row;
  }
  for (std::size_t i = 0; i < kWheels.size(); ++i) {
    area.put_right(0, label_columns + cell * (static_cast<int>(i) + 1), fmt::format(" {}", kWheels[i].name),
                   Style::title);
  }
}

void draw_motors(const PageView& view, const Area& area) {
  const std::span<const Motor> motors(kMotors);
  area.heading(0, "Motors");
  if (area.rows() > static_cast<int>(motors.size())) {
    draw_motor_table(view, area, motors);
    return;
  }
  const int half = area.columns() / 2;
  draw_motor_table(view, area.part(0, 0, {area.rows(), half}), motors.first(4));
  draw_motor_table(view, area.part(0, half, {area.rows(), half}), motors.last(4));
}

}  // namespace rangerctl::monitor
