#pragma once

#include <string>
#include <string_view>

namespace rangerctl::record {

/// The name of the `number`-th file of a recording that is cut into files: "drive-0001.log" of "drive.log",
/// "drive-0001.log.zst" of "drive.log.zst". Sorted by name they are sorted by time, up to 9999 of them.
[[nodiscard]] std::string numbered_name(std::string_view path, unsigned number);

}  // namespace rangerctl::record
