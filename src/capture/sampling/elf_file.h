#ifndef XSP_CAPTURE_SAMPLING_ELF_FILE_H_
#define XSP_CAPTURE_SAMPLING_ELF_FILE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct Elf;

namespace xsp::sampling {

/// The functions of a program or library: those of its symbol table, and between them those that
/// only its unwinding tables know, so that a stripped file has functions too.
///
/// Threading: const members from any thread.
class ElfFile {
 public:
  struct Function {
    std::uint64_t start;  ///< Address as in the file.
    std::string name;     ///< Demangled; empty: unknown.
  };

  /// `fd` is borrowed. Null where it is no ELF file of this machine's kind.
  static std::unique_ptr<ElfFile> Read(int fd);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  /// The address, as in the file, of the code at `offset` of it; nothing: no code is there.
  std::optional<std::uint64_t> AddressOf(std::uint64_t offset) const;
  /// Where the file's first loaded page lies by its own addresses.
  std::uint64_t first_page() const { return first_page_; }
  /// Loaded where its own addresses say (a program that is not position independent).
  bool is_fixed() const { return is_fixed_; }

  /// The function around `address`; nothing: neither table has it.
  std::optional<Function> FunctionAt(std::uint64_t address) const;

 private:
  struct Segment {
    std::uint64_t offset, size, address;
  };
  struct Symbol {
    std::uint64_t start, end;  ///< end == start: its size is unknown.
    const char* name;          ///< In the file, as the linker knows it.
    bool operator<(const Symbol& other) const { return start < other.start; }
  };

  ElfFile() = default;
  bool ReadAll(int fd);
  void ReadSymbols(std::uint32_t section_type);
  void ReadUnwindTable();

  Elf* elf_ = nullptr;
  std::vector<Segment> segments_;             ///< Of code.
  std::vector<Symbol> symbols_;               ///< By start.
  std::vector<std::uint64_t> unwind_starts_;  ///< Of functions, in order.
  std::uint64_t first_page_ = 0;
  bool is_fixed_ = false;
};

/// "foo(int)" for "_Z3fooi"; other names as they are.
std::string Demangle(const char* name);

}  // namespace xsp::sampling

#endif  // XSP_CAPTURE_SAMPLING_ELF_FILE_H_
