#ifndef XSP_TRACE_COLUMN_H_
#define XSP_TRACE_COLUMN_H_

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <type_traits>
#include <utility>

namespace xsp::trace {

/// Memory of a column: `bytes` of it where there were `old_bytes` at `old` (both may be 0), what
/// they hold kept as far as it fits. Above some hundred KiB it is pages of the system: growing
/// moves them and copies nothing, what is not yet written takes no memory, and 0 bytes gives them
/// back at once. Throws std::bad_alloc.
void* ResizeColumn(void* old, std::size_t old_bytes, std::size_t bytes);

/// A growing array of plain values, as std::vector, for what is long as a trace is: a vector holds
/// everything twice while it grows, and leaves holes behind in the heap. Owns its values. As a
/// vector's, pointers and iterators end when it grows.
template <typename T>
class Column {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  Column() = default;
  explicit Column(std::size_t size, const T& value = T()) { resize(size, value); }
  Column(std::initializer_list<T> values) { Append(values.begin(), values.size()); }
  Column(const Column& other) { Append(other.data_, other.size_); }
  Column(Column&& other) noexcept { swap(other); }
  Column& operator=(Column other) noexcept {
    swap(other);
    return *this;
  }
  ~Column() { ResizeColumn(data_, capacity_ * sizeof(T), 0); }

  void push_back(const T& value) {
    const T kept = value;  // It may lie in this column.
    if (size_ == capacity_) Reallocate(GrownCapacity(size_ + 1));
    data_[size_++] = kept;
  }
  template <typename... Values>
  T& emplace_back(Values&&... values) {
    push_back(T{std::forward<Values>(values)...});
    return back();
  }
  void pop_back() { --size_; }
  void clear() { size_ = 0; }
  void reserve(std::size_t size) {
    if (size > capacity_) Reallocate(size);
  }
  void resize(std::size_t size, const T& value = T()) {
    const T kept = value;
    reserve(size);
    if (size > size_) std::fill(data_ + size_, data_ + size, kept);
    size_ = size;
  }
  void assign(std::size_t size, const T& value) {
    const T kept = value;
    clear();
    resize(size, kept);
  }

  T& operator[](std::size_t row) { return data_[row]; }
  const T& operator[](std::size_t row) const { return data_[row]; }
  T& front() { return data_[0]; }
  const T& front() const { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T* begin() { return data_; }
  const T* begin() const { return data_; }
  T* end() { return data_ + size_; }
  const T* end() const { return data_ + size_; }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return capacity_; }

  void swap(Column& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  friend bool operator==(const Column& a, const Column& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::size_t GrownCapacity(std::size_t least) const {
    constexpr std::size_t kFirst = 16;
    return std::max({least, 2 * capacity_, kFirst});
  }
  void Reallocate(std::size_t capacity) {
    data_ = static_cast<T*>(ResizeColumn(data_, capacity_ * sizeof(T), capacity * sizeof(T)));
    capacity_ = capacity;
  }
  void Append(const T* values, std::size_t count) {
    reserve(size_ + count);
    std::copy_n(values, count, data_ + size_);
    size_ += count;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace xsp::trace

#endif  // XSP_TRACE_COLUMN_H_
