#include "rangerctl/record/names.hpp"

#include <fmt/format.h>

namespace rangerctl::record {

std::string numbered_name(std::string_view path, unsigned number) {
  const std::size_t name = path.rfind('/') + 1;  // 0 where there is none
  std::size_t end = path.find('.', name + 1);    // a name may begin with a dot
  if (end == std::string_view::npos) end = path.size();
  // "drive.v2.log": only the last ending is one, and that of a compressed file in front of it.
  for (std::size_t next = path.find('.', end + 1); next != std::string_view::npos;
       next = path.find('.', next + 1)) {
    const std::string_view rest = path.substr(next);
    if (rest == ".gz" || rest == ".zst") break;
    end = next;
  }
  return fmt::format("{}-{:04}{}", path.substr(0, end), number, path.substr(end));
}

}  // namespace rangerctl::record
