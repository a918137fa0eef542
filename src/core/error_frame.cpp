#include "rangerctl/error_frame.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <span>

namespace rangerctl {
namespace {

// Names and numbers of include/uapi/linux/can/error.h.

struct Name {
  std::uint32_t value;
  std::string_view name;
};

constexpr std::array kClasses{
    Name{kErrorTxTimeout, "tx_timeout"},
    Name{kErrorLostArbitration, "lost_arbitration"},
    Name{kErrorController, "controller_problem"},
    Name{kErrorProtocol, "protocol_violation"},
    Name{kErrorTransceiver, "transceiver_status"},
    Name{kErrorNoAcknowledge, "no_acknowledge"},
    Name{kErrorBusOff, "bus_off"},
    Name{kErrorBusError, "bus_error"},
    Name{kErrorRestarted, "restarted"},
    Name{kErrorCounters, "error_counters"},
};
constexpr std::array kController{
    Name{0x01, "rx_overflow"},      Name{0x02, "tx_overflow"},      Name{0x04, "rx_error_warning"},
    Name{0x08, "tx_error_warning"}, Name{0x10, "rx_error_passive"}, Name{0x20, "tx_error_passive"},
    Name{0x40, "error_active"},
};
constexpr std::array kProtocol{
    Name{0x01, "single_bit_error"},          Name{0x02, "frame_format_error"},
    Name{0x04, "bit_stuffing_error"},        Name{0x08, "dominant_bit_error"},
    Name{0x10, "recessive_bit_error"},       Name{0x20, "bus_overload"},
    Name{0x40, "active_error_announcement"}, Name{0x80, "transmitting"},
};
constexpr std::array kLocations{
    Name{0x03, "start_of_frame"},
    Name{0x02, "id_28_21"},
    Name{0x06, "id_20_18"},
    Name{0x04, "substitute_rtr"},
    Name{0x05, "ide"},
    Name{0x07, "id_17_13"},
    Name{0x0F, "id_12_5"},
    Name{0x0E, "id_4_0"},
    Name{0x0C, "rtr"},
    Name{0x0D, "reserved_bit_1"},
    Name{0x09, "reserved_bit_0"},
    Name{0x0B, "dlc"},
    Name{0x0A, "data_field"},
    Name{0x08, "crc_sequence"},
    Name{0x18, "crc_delimiter"},
    Name{0x19, "acknowledge_slot"},
    Name{0x1B, "acknowledge_delimiter"},
    Name{0x1A, "end_of_frame"},
    Name{0x12, "intermission"},
};
constexpr std::array kTransceiver{
    Name{0x04, "can_high_no_wire"},          Name{0x05, "can_high_short_to_battery"},
    Name{0x06, "can_high_short_to_vcc"},     Name{0x07, "can_high_short_to_ground"},
    Name{0x40, "can_low_no_wire"},           Name{0x50, "can_low_short_to_battery"},
    Name{0x60, "can_low_short_to_vcc"},      Name{0x70, "can_low_short_to_ground"},
    Name{0x80, "can_low_short_to_can_high"},
};

std::vector<std::string> names_of_bits(std::span<const Name> names, std::uint32_t word) {
  std::vector<std::string> found;
  for (unsigned bit = 0; bit < 32; ++bit) {
    const std::uint32_t mask = std::uint32_t{1} << bit;
    if ((word & mask) == 0) continue;
    std::string name = fmt::format("bit{}", bit);
    for (const Name& row : names) {
      if (row.value == mask) name = row.name;
    }
    found.push_back(std::move(name));
  }
  return found;
}

/// Zero means that the controller did not tell.
std::string name_of_code(std::span<const Name> names, std::uint32_t code) {
  if (code == 0) return {};
  for (const Name& row : names) {
    if (row.value == code) return std::string(row.name);
  }
  return fmt::format("{}", code);
}

void append_part(std::string& text, std::string_view part) {
  if (!text.empty()) text += ", ";
  text += part;
}

/// What belongs to one class, in brackets behind its name.
std::string details_of(const ErrorFrame& error, std::string_view name) {
  std::string text;
  if (name == "controller_problem") text = fmt::format("{}", fmt::join(error.controller, ", "));
  if (name == "protocol_violation") {
    text = fmt::format("{}", fmt::join(error.protocol, ", "));
    if (!error.location.empty()) append_part(text, "in " + error.location);
  }
  if (name == "transceiver_status") text = error.transceiver;
  if (name == "lost_arbitration" && error.lost_arbitration_bit.value_or(0) != 0) {
    text = fmt::format("in bit {}", *error.lost_arbitration_bit);
  }
  return text;
}

}  // namespace

ErrorFrame decode_error_frame(const Frame& frame) {
  const auto& data = frame.data;
  ErrorFrame error;
  error.classes = names_of_bits(kClasses, frame.id);
  if ((frame.id & kErrorLostArbitration) != 0) error.lost_arbitration_bit = data[0];
  if ((frame.id & kErrorController) != 0) error.controller = names_of_bits(kController, data[1]);
  if ((frame.id & kErrorProtocol) != 0) {
    error.protocol = names_of_bits(kProtocol, data[2]);
    error.location = name_of_code(kLocations, data[3]);
  }
  if ((frame.id & kErrorTransceiver) != 0) error.transceiver = name_of_code(kTransceiver, data[4]);
  // Kernels before 6.0 fill in the counters without the class bit that announces them.
  if ((frame.id & kErrorCounters) != 0 || data[6] != 0 || data[7] != 0) {
    error.tx_errors = data[6];
    error.rx_errors = data[7];
  }
  return error;
}

std::string error_frame_text(const ErrorFrame& error) {
  std::string text;
  for (const std::string& name : error.classes) {
    const std::string details = details_of(error, name);
    append_part(text, details.empty() ? name : fmt::format("{} ({})", name, details));
  }
  if (error.tx_errors)
    append_part(text, fmt::format("tx errors {}, rx errors {}", *error.tx_errors, *error.rx_errors));
  return text.empty() ? "no error class" : text;
}

}  // namespace rangerctl
