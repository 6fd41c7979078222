#ifndef XSP_WORKERS_PROTOBUF_MAPPED_FILE_H_
#define XSP_WORKERS_PROTOBUF_MAPPED_FILE_H_

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace xsp::protobuf {

/// A file in memory, its pages read as they are touched.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status = {};
    if (fstat(file, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      void* mapped = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (mapped != MAP_FAILED) data_ = static_cast<const char*>(mapped);
    }
    close(file);
  }
  ~MappedFile() {
    if (data_) munmap(const_cast<char*>(data_), size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const { return data_ ? std::string_view(data_, size_) : ""; }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace xsp::protobuf

#endif  // XSP_WORKERS_PROTOBUF_MAPPED_FILE_H_
