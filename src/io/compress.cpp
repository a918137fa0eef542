#include "io/compress.hpp"

#include <zlib.h>
#include <zstd.h>

#include <array>
#include <new>

namespace rangerctl::io {
namespace {

constexpr std::size_t kBlock = std::size_t{64} * 1024;

class Gzip : public Compressor {
 public:
  Gzip() {
    constexpr int kMemoryLevel = 8;
    constexpr int kGzipHeader = 16;
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzipHeader + MAX_WBITS, kMemoryLevel,
                     Z_DEFAULT_STRATEGY) != Z_OK)
      throw std::bad_alloc();
  }
  ~Gzip() override { deflateEnd(&stream_); }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;

  void add(std::string_view in, std::string& out) override { run(in, Z_NO_FLUSH, out); }
  void flush(std::string& out) override { run({}, Z_SYNC_FLUSH, out); }
  void finish(std::string& out) override { run({}, Z_FINISH, out); }

 private:
  /// Three times as quick as the default on logs, for files that are a third larger.
  static constexpr int kLevel = 3;

  void run(std::string_view in, int flush, std::string& out) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));  // zlib does not write there
    stream_.avail_in = static_cast<uInt>(in.size());
    do {
      stream_.next_out = block_.data();
      stream_.avail_out = kBlock;
      deflate(&stream_, flush);
      out.append(reinterpret_cast<const char*>(block_.data()), kBlock - stream_.avail_out);
    } while (stream_.avail_out == 0);
  }

  z_stream stream_{};
  std::array<Bytef, kBlock> block_;
};

class Zstd : public Compressor {
 public:
  Zstd() {
    if (stream_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1);
  }

  void add(std::string_view in, std::string& out) override { run(in, ZSTD_e_continue, out); }
  void flush(std::string& out) override { run({}, ZSTD_e_flush, out); }
  void finish(std::string& out) override { run({}, ZSTD_e_end, out); }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* stream) const { ZSTD_freeCCtx(stream); }
  };

  void run(std::string_view in, ZSTD_EndDirective directive, std::string& out) {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    std::size_t left = 0;
    do {
      ZSTD_outBuffer output{block_.data(), block_.size(), 0};
      left = ZSTD_compressStream2(stream_.get(), &output, &input, directive);
      if (ZSTD_isError(left) != 0) throw std::bad_alloc();  // nothing else can go wrong with these arguments
      out.append(block_.data(), output.pos);
    } while (directive == ZSTD_e_continue ? input.pos < input.size : left != 0);
  }

  std::unique_ptr<ZSTD_CCtx, Free> stream_{ZSTD_createCCtx()};
  std::array<char, kBlock> block_;
};

struct Ending {
  std::string_view text;
  std::unique_ptr<Compressor> (*make)();
};
constexpr std::array kEndings{
    Ending{".gz", [] { return std::unique_ptr<Compressor>(std::make_unique<Gzip>()); }},
    Ending{".zst", [] { return std::unique_ptr<Compressor>(std::make_unique<Zstd>()); }},
};

const Ending* ending_of(std::string_view file_name) {
  for (const Ending& ending : kEndings) {
    if (file_name.ends_with(ending.text)) return &ending;
  }
  return nullptr;
}

}  // namespace

std::unique_ptr<Compressor> make_compressor(std::string_view file_name) {
  const Ending* const ending = ending_of(file_name);
  return ending == nullptr ? nullptr : ending->make();
}

std::string_view without_compression(std::string_view file_name) {
  const Ending* const ending = ending_of(file_name);
  return ending == nullptr ? file_name : file_name.substr(0, file_name.size() - ending->text.size());
}

}  // namespace rangerctl::io
