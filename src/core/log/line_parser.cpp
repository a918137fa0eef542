#include "rangerctl/log/line_parser.hpp"

#include "asc_line.hpp"
#include "csv_lines.hpp"
#include "trc_line.hpp"

namespace rangerctl::log {

std::unique_ptr<LineParser> make_line_parser(Format format, LocalToUtc to_utc) {
  switch (format) {
    case Format::asc:
      return std::make_unique<asc::Parser>(to_utc);
    case Format::trc:
      return std::make_unique<trc::Parser>(to_utc);
    case Format::python_can_csv:
      return std::make_unique<csv::PythonCanParser>();
    default:
      return std::make_unique<csv::GvretParser>();
  }
}

}  // namespace rangerctl::log
