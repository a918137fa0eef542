#include "io/blf_log.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "io/byte_source.hpp"
#include "rangerctl/log/blf.hpp"

namespace rangerctl::io {
namespace {

using log::LineKind;
namespace blf = log::blf;

class BlfLog : public LogPieces {
 public:
  explicit BlfLog(std::unique_ptr<Input> input) : source_(std::move(input)) {}

  bool next(log::LogFrame& out, Piece& piece) override {
    while (true) {
      waits_ = false;
      if (!objects_ && !open()) return false;
      if (const auto kind = objects_->next(out)) {
        piece = {*kind, ++number_};
        return true;
      }
      if (const auto kind = loose_->next(out)) {
        piece = {*kind, ++number_};
        return true;
      }
      if (objects_->is_damaged() || loose_->is_damaged()) return fail("no object begins where one should");
      waits_ = !may_wait_ && !has_object();
      if (waits_ || error_ || !read_object()) return false;
    }
  }
  [[nodiscard]] const std::optional<Error>& error() const override { return error_; }
  void may_wait(bool may) override { may_wait_ = may; }
  [[nodiscard]] bool waits() const override { return waits_; }

 private:
  bool open() {
    waits_ = !may_wait_ && !has_header();
    if (waits_ || error_) return false;
    std::vector<std::uint8_t> bytes(blf::kHeaderSize);
    if (!read(bytes)) return fail("its header is cut short");
    const auto header = blf::read_file_header(bytes);
    if (!header) return fail("its header is damaged");
    std::vector<std::uint8_t> rest(header->size - blf::kHeaderSize);
    if (!read(rest)) return fail("its header is cut short");
    objects_.emplace(header->start);
    loose_.emplace(header->start);
    file_size_ = header->file_size;
    return true;
  }

  bool read(std::span<std::uint8_t> to) { return take(to) == to.size(); }

  std::size_t take(std::span<std::uint8_t> to) {
    const std::size_t count = source_.read({reinterpret_cast<char*>(to.data()), to.size()});
    taken_ += count;
    return count;
  }

  bool has_header() {
    if (!source_.has(blf::kHeaderSize)) return false;
    const auto header = blf::read_file_header(source_.ahead());
    return !header || source_.has(header->size);
  }
  /// Whether the next object can be read without waiting; what stands behind the last one need not be there
  /// yet.
  bool has_object() {
    if (!source_.has(padding_ + blf::kObjectHeaderSize)) return false;
    if (source_.ahead().size() < padding_ + blf::kObjectHeaderSize) return true;
    const auto header = blf::read_object_header(source_.ahead().subspan(padding_));
    return !header || header->size > blf::kMostContainerBytes || source_.has(padding_ + header->size);
  }

  /// The next object of the file itself, as a rule a container. False at the end.
  bool read_object() {
    std::array<std::uint8_t, 3> padding;
    take(std::span(padding).first(std::exchange(padding_, 0)));  // the last one may lack it
    std::array<std::uint8_t, blf::kObjectHeaderSize> bytes;
    const std::size_t count = take(bytes);
    if (count == 0) return end();
    if (count < bytes.size()) return fail("it is cut short");
    const auto header = blf::read_object_header(bytes);
    if (!header) return fail("no object begins where one should");
    if (header->size > blf::kMostContainerBytes) return fail("an object is too large");
    std::vector<std::uint8_t> object(bytes.begin(), bytes.end());
    object.resize(header->size);
    if (!read(std::span(object).subspan(bytes.size()))) return fail("it is cut short");
    padding_ = blf::padding_of(header->size);
    if (header->type == blf::kContainer) return unpack(blf::Bytes(object).subspan(bytes.size()));
    loose_->append(object);
    return true;
  }

  bool unpack(blf::Bytes container) {
    if (container.size() < blf::kContainerHeaderSize) return fail("a container is cut short");
    const auto header = blf::read_container_header(container);
    const blf::Bytes content = container.subspan(blf::kContainerHeaderSize);
    if (header.method == blf::ContainerHeader::Method::none) {
      objects_->append(content);
      return true;
    }
    if (header.method == blf::ContainerHeader::Method::unknown)
      return fail("a container is compressed in an unknown way");
    if (header.size > blf::kMostContainerBytes) return fail("a container is too large");
    std::vector<std::uint8_t> bytes(header.size);
    uLongf size = bytes.size();
    if (::uncompress(bytes.data(), &size, content.data(), content.size()) != Z_OK || size != bytes.size())
      return fail("a container is damaged");
    objects_->append(bytes);
    return true;
  }

  bool end() {
    if (source_.error() || objects_->has_rest() || taken_ < file_size_) return fail("it is cut short");
    return false;
  }

  bool fail(std::string_view reason) {
    error_ = source_.error() ? *source_.error()
                             : Error{ExitStatus::failed,
                                     fmt::format("cannot read all of {}: {}; everything before was read",
                                                 source_.name(), reason)};
    return false;
  }

  ByteSource source_;
  std::optional<blf::Objects> objects_;  ///< of the containers
  std::optional<blf::Objects> loose_;    ///< outside of them
  std::size_t padding_ = 0;              ///< behind the last object, not read yet
  std::uint64_t file_size_ = 0;          ///< as the header says
  std::uint64_t taken_ = 0;              ///< bytes
  std::uint64_t number_ = 0;
  bool may_wait_ = true;
  bool waits_ = false;
  std::optional<Error> error_;
};

}  // namespace

std::unique_ptr<LogPieces> read_blf(std::unique_ptr<Input> input) {
  return std::make_unique<BlfLog>(std::move(input));
}

}  // namespace rangerctl::io
