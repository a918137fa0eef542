#pragma once

#include <string>

#include "rangerctl/protocol/schema.hpp"

namespace rangerctl::protocol {

/// The catalogue as a DBC file, for cantools, SavvyCAN, Wireshark and others. ASCII, lines end in LF.
///
/// Nodes are `chassis` and `host`; names of messages and signals are the catalogue's own. Periods are
/// GenMsgCycleTime in ms. Enumerations are VAL_ tables. A set of flags stays one unsigned signal, its bits
/// are named in the comment. Comments carry meanings and sources. A fine-scaled signal (bms_status.voltage)
/// is exported in its finer unit, with a comment that says which raw values mean something else: DBC has no
/// way to express a unit that depends on the value.
[[nodiscard]] std::string to_dbc(const Catalogue& catalogue);

}  // namespace rangerctl::protocol
