#include "ingest/importers/byte_stream.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <isa-l/igzip_lib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

#include "core/step_times.h"

namespace xsp::importers {
namespace {

constexpr std::size_t kChunkBytes = 1 << 20;
constexpr std::size_t kChunksAhead = 4;
constexpr unsigned char kGzipMagic[] = {0x1f, 0x8b};

/// One chunk after another from a thread that fills them to one that empties them.
class ChunkQueue {
 public:
  /// For the filling thread: a chunk to fill; nullptr when the reader is gone.
  std::vector<char>* Claim() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return filled_ - emptied_ < kChunksAhead || abandoned_; });
    return abandoned_ ? nullptr : &chunks_[filled_ % kChunksAhead];
  }
  void Deliver() {
    const std::lock_guard lock(mutex_);
    ++filled_;
    changed_.notify_all();
  }
  void Finish(std::string damage) {
    const std::lock_guard lock(mutex_);
    damage_ = std::move(damage);
    finished_ = true;
    changed_.notify_all();
  }

  /// For the reader: the oldest chunk; nullptr at the end.
  const std::vector<char>* Front() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return filled_ > emptied_ || finished_; });
    return filled_ > emptied_ ? &chunks_[emptied_ % kChunksAhead] : nullptr;
  }
  void Pop() {
    const std::lock_guard lock(mutex_);
    ++emptied_;
    changed_.notify_all();
  }
  void Abandon() {
    const std::lock_guard lock(mutex_);
    abandoned_ = true;
    changed_.notify_all();
  }
  /// Once Front() gave nullptr.
  const std::string& damage() const { return damage_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<char> chunks_[kChunksAhead];
  std::size_t filled_ = 0, emptied_ = 0;
  bool finished_ = false, abandoned_ = false;
  std::string damage_;
};

/// Where the bytes come from: a file, or text in memory.
class Bytes {
 public:
  explicit Bytes(int file) : file_(file) {}
  explicit Bytes(std::string text) : text_(std::move(text)) {}
  ~Bytes() {
    if (file_ >= 0) close(file_);
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  /// As read(2), again after signals. -1 on an error.
  ssize_t Read(char* out, std::size_t capacity) {
    if (file_ < 0) {
      const std::size_t got = text_.copy(out, capacity, taken_);
      taken_ += got;
      return static_cast<ssize_t>(got);
    }
    for (;;) {
      const ssize_t got = read(file_, out, capacity);
      if (got >= 0 || errno != EINTR) return got;
    }
  }

  /// Whether the first bytes are those of gzip; they are not taken.
  bool IsPacked() const {
    unsigned char start[2] = {};
    const bool two = file_ < 0 ? text_.copy(reinterpret_cast<char*>(start), 2) == 2
                               : pread(file_, start, sizeof start, 0) == 2;
    return two && std::equal(start, start + 2, kGzipMagic);
  }

 private:
  int file_ = -1;
  std::string text_;
  std::size_t taken_ = 0;
};

/// Unpacks `bytes` into `queue` until its end, damage, or a reader that is gone.
class Unpacker {
 public:
  Unpacker(Bytes& bytes, ChunkQueue& queue) : bytes_(bytes), queue_(queue), packed_(kChunkBytes) {
    isal_inflate_init(&inflate_);
    inflate_.crc_flag = ISAL_GZIP;
  }

  void Run() {
    const core::StepTimer timer("inflate");
    while (std::vector<char>* chunk = queue_.Claim()) {
      chunk->resize(kChunkBytes);
      inflate_.next_out = reinterpret_cast<std::uint8_t*>(chunk->data());
      inflate_.avail_out = kChunkBytes;
      const bool more = Fill();
      chunk->resize(kChunkBytes - inflate_.avail_out);
      if (!chunk->empty()) queue_.Deliver();
      if (!more) break;
    }
    queue_.Finish(std::move(damage_));
  }

 private:
  /// Until the chunk is full; false at the end.
  bool Fill() {
    while (inflate_.avail_out > 0) {
      if (inflate_.avail_in == 0 && !Refill()) return false;
      if (inflate_.block_state == ISAL_BLOCK_FINISH) {
        // Another member; zeros after the last one are padding.
        if (*inflate_.next_in == 0) return false;
        isal_inflate_reset(&inflate_);
        inflate_.crc_flag = ISAL_GZIP;
      }
      const int status = isal_inflate(&inflate_);
      if (status != ISAL_DECOMP_OK && status != ISAL_END_INPUT) {
        damage_ = fmt::format("compressed data is damaged (code {})", status);
        return false;
      }
    }
    return true;
  }

  bool Refill() {
    const ssize_t got = bytes_.Read(packed_.data(), packed_.size());
    if (got < 0) damage_ = fmt::format("cannot be read on: {}", std::strerror(errno));
    if (got == 0 && inflate_.block_state != ISAL_BLOCK_FINISH)
      damage_ = "compressed data ends in the middle";
    inflate_.next_in = reinterpret_cast<std::uint8_t*>(packed_.data());
    inflate_.avail_in = static_cast<std::uint32_t>(std::max<ssize_t>(got, 0));
    return got > 0;
  }

  Bytes& bytes_;
  ChunkQueue& queue_;
  std::vector<char> packed_;
  inflate_state inflate_;
  std::string damage_;
};

}  // namespace

struct ByteStream::State {
  template <typename Source>
  explicit State(Source source) : bytes(std::move(source)) {
    if (bytes.IsPacked()) unpacking = std::thread([this] { Unpacker(bytes, queue).Run(); });
  }
  ~State() {
    queue.Abandon();
    if (unpacking.joinable()) unpacking.join();
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  Bytes bytes;
  ChunkQueue queue;
  std::size_t taken = 0;  ///< Of the front chunk.
  std::string damage;
  std::thread unpacking;
};

Result<ByteStream> ByteStream::Open(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    const bool missing = errno == ENOENT || errno == ENOTDIR;
    return Error{missing ? ErrorKind::kBadInput : ErrorKind::kEnvironment,
                 fmt::format("cannot open: {}: {}", path.string(), std::strerror(errno)), ""};
  }
  struct stat status = {};
  if (fstat(file, &status) == 0 && S_ISDIR(status.st_mode)) {
    close(file);
    return Error{ErrorKind::kBadInput, fmt::format("is a directory: {}", path.string()), ""};
  }
  posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL);
  return ByteStream(std::make_unique<State>(file));
}

ByteStream ByteStream::OfText(std::string text) {
  return ByteStream(std::make_unique<State>(std::move(text)));
}

ByteStream::ByteStream(std::unique_ptr<State> state) : state_(std::move(state)) {}
ByteStream::ByteStream(ByteStream&&) noexcept = default;
ByteStream& ByteStream::operator=(ByteStream&&) noexcept = default;
ByteStream::~ByteStream() = default;

std::size_t ByteStream::Read(char* out, std::size_t capacity) {
  State& state = *state_;
  if (!state.unpacking.joinable()) {
    const ssize_t got = state.bytes.Read(out, capacity);
    if (got < 0) state.damage = fmt::format("cannot be read on: {}", std::strerror(errno));
    return static_cast<std::size_t>(std::max<ssize_t>(got, 0));
  }
  const std::vector<char>* chunk = state.queue.Front();
  if (chunk == nullptr) {
    state.damage = state.queue.damage();
    return 0;
  }
  const std::size_t count = std::min(capacity, chunk->size() - state.taken);
  std::memcpy(out, chunk->data() + state.taken, count);
  state.taken += count;
  if (state.taken == chunk->size()) {
    state.taken = 0;
    state.queue.Pop();
  }
  return count;
}

const std::string& ByteStream::damage() const { return state_->damage; }

Result<std::string> ReadPrefix(const std::filesystem::path& path, std::size_t most) {
  XSP_TRY(ByteStream stream, ByteStream::Open(path));
  std::string prefix(most, '\0');
  std::size_t size = 0;
  while (size < most) {
    const std::size_t got = stream.Read(prefix.data() + size, most - size);
    if (got == 0) break;
    size += got;
  }
  prefix.resize(size);
  if (prefix.empty() && !stream.damage().empty()) {
    return Error{ErrorKind::kBadInput, fmt::format("{}: {}", stream.damage(), path.string()),
                 "Copy or record it again."};
  }
  return prefix;
}

}  // namespace xsp::importers
