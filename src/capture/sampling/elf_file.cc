#include "capture/sampling/elf_file.h"

#include <cxxabi.h>
#include <gelf.h>
#include <libelf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace xsp::sampling {
namespace {

constexpr std::size_t kLongestName = 1000;

/// DW_EH_PE_datarel | DW_EH_PE_sdata4: what every linker writes (LSB Core, section 10.6.2).
constexpr unsigned char kTableEncoding = 0x3b;

std::int32_t SignedWord(const char* at) {
  std::int32_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

}  // namespace

std::string Demangle(const char* name) {
  int status = 0;
  char* clear = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string text = status == 0 && clear != nullptr ? clear : name;
  std::free(clear);
  if (text.size() > kLongestName) text = text.substr(0, kLongestName) + "...";
  return text;
}

std::unique_ptr<ElfFile> ElfFile::Read(int fd) {
  if (elf_version(EV_CURRENT) == EV_NONE) return nullptr;
  std::unique_ptr<ElfFile> file(new ElfFile);
  if (!file->ReadAll(fd)) return nullptr;
  return file;
}

ElfFile::~ElfFile() {
  if (elf_ != nullptr) elf_end(elf_);
}

bool ElfFile::ReadAll(int fd) {
  elf_ = elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  GElf_Ehdr header;
  if (elf_ == nullptr || gelf_getehdr(elf_, &header) == nullptr) return false;
  is_fixed_ = header.e_type == ET_EXEC;
  bool has_first = false;
  std::size_t count = 0;
  elf_getphdrnum(elf_, &count);
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf_, static_cast<int>(i), &segment) == nullptr) continue;
    if (segment.p_type != PT_LOAD) continue;
    if (!has_first && segment.p_align > 0) first_page_ = segment.p_vaddr & -segment.p_align;
    has_first = true;
    if ((segment.p_flags & PF_X) != 0)
      segments_.push_back({segment.p_offset, segment.p_filesz, segment.p_vaddr});
  }
  ReadSymbols(SHT_SYMTAB);
  if (symbols_.empty()) ReadSymbols(SHT_DYNSYM);
  std::sort(symbols_.begin(), symbols_.end());
  ReadUnwindTable();
  return true;
}

void ElfFile::ReadSymbols(std::uint32_t section_type) {
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr || header.sh_type != section_type) continue;
    Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || header.sh_entsize == 0) continue;
    const std::size_t count = data->d_size / header.sh_entsize;
    for (std::size_t i = 0; i < count; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
      const int type = GELF_ST_TYPE(symbol.st_info);
      // Without a type: labels of assembly. Those of data are not in the way, by their addresses.
      const bool is_function =
          type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && symbol.st_size > 0);
      if (!is_function || symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0) continue;
      const char* name = elf_strptr(elf_, header.sh_link, symbol.st_name);
      if (name == nullptr || *name == '\0') continue;
      symbols_.push_back({symbol.st_value, symbol.st_value + symbol.st_size, name});
    }
  }
}

void ElfFile::ReadUnwindTable() {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    const char* name = elf_strptr(elf_, names, header.sh_name);
    if (name == nullptr || std::strcmp(name, ".eh_frame_hdr") != 0) continue;
    Elf_Data* data = elf_rawdata(section, nullptr);
    constexpr std::size_t kTableOffset = 12;  // Version, three encodings, two words.
    if (data == nullptr || data->d_size < kTableOffset) return;
    const char* bytes = static_cast<const char*>(data->d_buf);
    if (static_cast<unsigned char>(bytes[3]) != kTableEncoding) return;
    for (std::size_t at = kTableOffset; at + 8 <= data->d_size; at += 8)
      unwind_starts_.push_back(header.sh_addr +
                               static_cast<std::uint64_t>(std::int64_t{SignedWord(bytes + at)}));
    std::sort(unwind_starts_.begin(), unwind_starts_.end());
    return;
  }
}

std::optional<std::uint64_t> ElfFile::AddressOf(std::uint64_t offset) const {
  for (const Segment& segment : segments_) {
    // What is mapped begins at a page, and so may begin before the segment.
    constexpr std::uint64_t kPage = 4096;
    const std::uint64_t begin = segment.offset & -kPage;
    if (offset >= begin && offset < segment.offset + segment.size)
      return segment.address + offset - segment.offset;
  }
  return std::nullopt;
}

std::optional<ElfFile::Function> ElfFile::FunctionAt(std::uint64_t address) const {
  const auto after =
      std::upper_bound(symbols_.begin(), symbols_.end(), Symbol{address, 0, nullptr});
  // Of several at one place the last is taken; one that holds another begins earlier.
  constexpr int kMostNested = 8;
  auto at = after;
  for (int i = 0; i < kMostNested && at != symbols_.begin(); ++i) {
    --at;
    const bool open_end = at->end == at->start && std::next(at) == after;
    if (address < at->end || (open_end && address - at->start < (1 << 16)))
      return Function{at->start, Demangle(at->name)};
  }
  const auto next = std::upper_bound(unwind_starts_.begin(), unwind_starts_.end(), address);
  if (next == unwind_starts_.begin()) return std::nullopt;
  return Function{*std::prev(next), ""};
}

}  // namespace xsp::sampling
