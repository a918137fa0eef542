#pragma once

#include <string>
#include <string_view>

#include "io/descriptor.hpp"
#include "rangerctl/result.hpp"

namespace rangerctl::io {

/// A file that gets its name only once it is complete: until then it has another one beside it, and without
/// finish() nothing is left. "-" is standard output; devices and named pipes are written as they are.
class NewFile {
 public:
  /// Whether a file of that name may be there already, which then is replaced.
  enum class Existing : bool { keep, replace };

  static Result<NewFile> create(std::string path, Existing existing);
  NewFile(NewFile&&) = default;
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  /// Errors as write_stdout() has them.
  Result<void> write(std::string_view bytes);
  /// Makes sure that the bytes are on the disk, then gives the file its name.
  Result<void> finish();

 private:
  NewFile(std::string path, Existing existing) : path_(std::move(path)), existing_(existing) {}

  [[nodiscard]] Error error(int number) const;
  int open();
  int make_temporary();
  [[nodiscard]] int take_name() const;

  std::string path_;
  Existing existing_;
  Descriptor file_;
  std::string temporary_;  ///< the name that it has; empty: none of its own
};

}  // namespace rangerctl::io
