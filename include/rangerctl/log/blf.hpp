#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rangerctl/log/log_frame.hpp"

/// Vector BLF: a header, then objects, most of them in containers that may be compressed. An object may begin
/// in one container and end in the next.
namespace rangerctl::log::blf {

using Bytes = std::span<const std::uint8_t>;

inline constexpr std::size_t kHeaderSize =
    72;  ///< of the file's header that are known; it says how long it is
inline constexpr std::size_t kObjectHeaderSize = 16;
inline constexpr std::size_t kContainerHeaderSize = 16;
/// More than any writer puts into one container, and into the header of a file.
inline constexpr std::size_t kMostContainerBytes = std::size_t{16} * 1024 * 1024;
inline constexpr std::size_t kMostHeaderBytes = 65536;

struct FileHeader {
  std::uint32_t size = 0;       ///< of the whole header
  std::uint64_t file_size = 0;  ///< of the file, as whoever closed it knew it; less: it was not closed
  Timestamp start;         ///< that times of objects count from; digits 0: they count from zero
};
/// Of at least kHeaderSize bytes. The start is local time, as python-can takes it. Nothing: no BLF, or a
/// header that cannot be.
[[nodiscard]] std::optional<FileHeader> read_file_header(Bytes bytes, LocalToUtc to_utc = local_to_utc);

struct ObjectHeader {
  std::uint32_t size = 0;  ///< with this header, without the padding behind it
  std::uint32_t type = 0;
};
/// Of kObjectHeaderSize bytes. Nothing: no object begins here.
[[nodiscard]] std::optional<ObjectHeader> read_object_header(Bytes bytes);
inline constexpr std::uint32_t kContainer = 10;
/// Behind an object of that size.
[[nodiscard]] constexpr std::uint32_t padding_of(std::uint32_t size) { return size % 4; }

struct ContainerHeader {
  enum class Method : std::uint8_t { none, zlib, unknown };
  Method method = Method::none;
  std::uint32_t size = 0;  ///< of what is in it, uncompressed
};
/// Of kContainerHeaderSize bytes.
[[nodiscard]] ContainerHeader read_container_header(Bytes bytes);

/// The objects of the containers, which it is given one after the other. Keeps at most one object that is not
/// whole.
///
/// CAN messages (1, 86), CAN FD messages (100, 101) and error frames (2, 73) are frames; an error frame says
/// nothing of its classes and is read as a bus error with eight bytes of zeros, as with Vector ASC. All other
/// objects are events. Channel 1 is the bus "can0".
class Objects {
 public:
  explicit Objects(const Timestamp& start) : start_(start) {}

  /// Precondition: next() has returned nothing since the last one.
  void append(Bytes bytes);
  /// The next object: what it is, and in `out` its frame. Nothing: it is not whole yet, or is_damaged().
  std::optional<LineKind> next(LogFrame& out);

  /// Where no object begins although one should: nothing behind it can be read.
  [[nodiscard]] bool is_damaged() const { return damaged_; }
  /// Whether an object has begun that is not whole.
  [[nodiscard]] bool has_rest() const;

 private:
  bool find_object();
  LineKind read(Bytes object, std::uint32_t type, LogFrame& out);

  Timestamp start_;
  std::vector<std::uint8_t> bytes_;
  std::size_t at_ = 0;
  std::uint64_t skip_ = 0;  ///< bytes of an object that is no frame
  bool damaged_ = false;
  std::array<char, 16> bus_{};
};

}  // namespace rangerctl::log::blf
