#pragma once

#include "reading.hpp"

namespace rangerctl::log::csv {

/// The columns of python-can's CSV, its first line.
inline constexpr std::string_view kPythonCanHeader =
    "timestamp,arbitration_id,extended,remote,error,dlc,data";
/// The columns of SavvyCAN's CSV, with the direction since its second version.
inline constexpr std::string_view kGvretHeader = "Time Stamp,ID,Extended,Dir,Bus,LEN,D1,D2,D3,D4,D5,D6,D7,D8";

/// python-can's CSV: "1712345678.12,0x221,0,0,0,8,AAALuAAA/5w=". It has no bus, no direction and no word for
/// FD: a frame of more than 8 bytes is FD, and a shorter one of FD is not to be told from a classic one.
class PythonCanParser final : public reading::PlainLineParser {
 private:
  LineKind read(std::string_view line, LineEnd end, LogFrame& out) override;
};

/// SavvyCAN's (GVRET) CSV: "166064000,00000221,false,Rx,0,8,00,00,0B,B8,00,00,FF,9C,", without "Rx" in the
/// first version. Microseconds, which may be negative. Bus 0 is "can0". Classic data frames alone.
class GvretParser final : public reading::PlainLineParser {
 private:
  LineKind read(std::string_view line, LineEnd end, LogFrame& out) override;

  reading::BusName bus_;
};

}  // namespace rangerctl::log::csv
