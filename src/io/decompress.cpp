#include "io/decompress.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <array>

namespace rangerctl::io {
namespace {

constexpr std::string_view kGzipMagic = "\x1F\x8B\x08";
constexpr std::string_view kZstdMagic = "\x28\xB5\x2F\xFD";
constexpr std::array kMagics{kGzipMagic, kZstdMagic};

class Gunzip : public Decompressor {
 public:
  Gunzip() { inflateInit2(&stream_, 16 + MAX_WBITS); }  // 16: gzip header and checksum
  ~Gunzip() override { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  Result<std::size_t> step(std::string_view& in, std::span<char> out) override {
    if (complete_ && !start_next_member(in)) return std::size_t{0};
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));  // zlib does not write there
    stream_.avail_in = static_cast<uInt>(in.size());
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    in.remove_prefix(in.size() - stream_.avail_in);
    complete_ = status == Z_STREAM_END;
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) return damaged();
    return out.size() - stream_.avail_out;
  }
  [[nodiscard]] bool complete() const override { return complete_; }

 private:
  /// Zero bytes behind the last member are padding, as gzip(1) takes them.
  bool start_next_member(std::string_view& in) {
    in.remove_prefix(std::min(in.find_first_not_of('\0'), in.size()));
    if (in.empty()) return false;
    complete_ = false;
    inflateReset(&stream_);
    return true;
  }
  [[nodiscard]] Error damaged() const {
    return {ExitStatus::failed,
            fmt::format("its gzip data are damaged ({})", stream_.msg == nullptr ? "?" : stream_.msg)};
  }

  z_stream stream_{};
  bool complete_ = false;
};

class Unzstd : public Decompressor {
 public:
  Result<std::size_t> step(std::string_view& in, std::span<char> out) override {
    if (complete_ && in.empty()) return std::size_t{0};  // else zstd takes it for the start of another frame
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_.get(), &output, &input);
    in.remove_prefix(input.pos);
    if (ZSTD_isError(status) != 0) {
      return Error{ExitStatus::failed,
                   fmt::format("its zstd data are damaged ({})", ZSTD_getErrorName(status))};
    }
    complete_ = status == 0;
    return output.pos;
  }
  [[nodiscard]] bool complete() const override { return complete_; }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
  bool complete_ = false;
};

}  // namespace

bool may_be_compressed(std::string_view start) {
  for (const std::string_view magic : kMagics) {
    const std::size_t known = std::min(start.size(), magic.size());
    if (start.substr(0, known) == magic.substr(0, known)) return true;
  }
  return false;
}

std::unique_ptr<Decompressor> make_decompressor(std::string_view start) {
  if (start.starts_with(kGzipMagic)) return std::make_unique<Gunzip>();
  if (start.starts_with(kZstdMagic)) return std::make_unique<Unzstd>();
  return nullptr;
}

}  // namespace rangerctl::io
