#pragma once

#include "reading.hpp"

/// Vector ASC, one line at a time, as Vector's tools, BUSMASTER, can-utils' log2asc and python-can write it.
///
/// - Channel 1 is the bus "can0"; channel 0 is none.
/// - Times count from the date of "Begin Triggerblock", or of the header where there is no such line, or from
///   zero where it cannot be read. The date is local; its words are English or German. With "timestamps
///   relative" each time counts from that of the line before.
/// - "Tx" was sent; "TxRq" only asks for it, and is an event.
/// - An error frame says nothing of its classes here: it is read as a bus error with eight bytes of zeros, as
///   asc2log does.
/// - CANFD lines are FD where the flag FDF says so or there are more than 8 bytes, classic otherwise. With
///   "base dec" they are refused: nobody documents which of their numbers that means.
namespace rangerctl::log::asc {

class Parser final : public reading::PlainLineParser {
 public:
  explicit Parser(LocalToUtc to_utc) : to_utc_(to_utc) {}

 private:
  LineKind read(std::string_view line, LineEnd end, LogFrame& out) override;
  LineKind read_header(reading::Words words);
  LineKind read_event(reading::Words words, LineEnd end, LogFrame& out);
  LineKind read_frame(std::string_view type, reading::Words& words, LineEnd end, LogFrame& out);
  LineKind read_time(std::string_view word, Timestamp& time);
  void take_date(reading::Words words);

  LocalToUtc to_utc_;
  bool is_decimal_ = false;
  bool is_relative_ = false;
  Timestamp start_;  ///< digits 0: unknown
  Timestamp last_;   ///< of the line before; only where times are relative
  reading::BusName bus_;
};

/// "Sep 30 03:06:13.191 pm 2017", from behind the day of the week on.
bool read_date(reading::Words words, LocalToUtc to_utc, Timestamp& time);

/// From behind the channel on: "221 Rx d 8 00 00 0B B8 00 00 FF 9C".
LineKind read_classic_frame(reading::Words& words, bool is_decimal, LineEnd end, LogFrame& out);
/// From behind the channel on: "Rx 211 1 0 9 12 01 02 ..".
LineKind read_fd_frame(reading::Words& words, LineEnd end, LogFrame& out);
/// The same of CANXL lines, which may have any frame: "Rx XLFF 984438 4656 123 ..".
LineKind read_any_frame(reading::Words& words, LineEnd end, LogFrame& out);

}  // namespace rangerctl::log::asc
