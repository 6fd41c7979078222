#include "capture/record/range_domain.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <new>

#include "capture/record/process.h"

namespace xsp::record {
namespace {

// A program that names categories in a loop shall not fill the memory.
constexpr int kMostCategories = 1024;

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
RangeDomain* domains = nullptr;  // Under the mutex.

/// Another thread may have held it when this process was forked off.
[[maybe_unused]] const int at_fork =
    pthread_atfork(nullptr, nullptr, [] { mutex = PTHREAD_MUTEX_INITIALIZER; });

struct Family {
  std::string_view domain;  ///< How the domain's name starts, in lower case.
  std::string_view name;
};

constexpr Family kFamilies[] = {
    {"cudnn", "cudnn"},       {"cublas", "cublas"},     {"cublaslt", "cublas"},
    {"cusolver", "cusolver"}, {"cusparse", "cusparse"}, {"cusparselt", "cusparse"},
    {"cufft", "cufft"},       {"nccl", "nccl"},         {"nvshmem", "nvshmem"},
    {"tensorrt", "tensorrt"}, {"cccl", "cccl"},         {"dnnl", "onednn"},
    {"onednn", "onednn"},     {"openvino", "openvino"}, {"ov", "openvino"},
    {"tbb", "tbb"},
};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLetter(char c) { return Lower(c) >= 'a' && Lower(c) <= 'z'; }

/// "cusolverDn" and "ov::cpu" start with the words "cusolver" and "ov", "overture" does not.
bool StartsWithWord(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (Lower(text[i]) != word[i]) return false;
  }
  if (text.size() == word.size()) return true;
  const char last = text[word.size() - 1], next = text[word.size()];
  return !IsLetter(next) || IsUpper(next) != IsUpper(last);
}

const char* Copy(std::string_view text) {
  char* copy = static_cast<char*>(malloc(text.size() + 1));
  if (copy == nullptr) return nullptr;
  memcpy(copy, text.data(), text.size());
  copy[text.size()] = '\0';
  return copy;
}

RangeDomain* Make(std::string_view name) {
  const char* text = Copy(name);
  void* memory = malloc(sizeof(RangeDomain));
  if (text == nullptr || memory == nullptr) return nullptr;
  auto* made = new (memory) RangeDomain;
  made->name = Intern(name);
  made->text = {text, name.size()};
  const std::string_view family = LibraryFamily(name);
  made->level = family.empty() ? XSP_LEVEL_APPLICATION : XSP_LEVEL_LIBRARY;
  made->type = family.empty() ? Intern("range") : Intern(family);
  return made;
}

}  // namespace

std::string_view LibraryFamily(std::string_view domain) {
  for (const Family& family : kFamilies) {
    if (StartsWithWord(domain, family.domain)) return family.name;
  }
  return {};
}

RangeDomain* FindRangeDomain(std::string_view name) {
  pthread_mutex_lock(&mutex);
  RangeDomain* found = domains;
  while (found != nullptr && found->text != name) found = found->next;
  if (found == nullptr) {
    found = Make(name);
    if (found != nullptr) {
      found->next = domains;
      domains = found;
    }
  }
  pthread_mutex_unlock(&mutex);
  return found;
}

void NameCategory(RangeDomain& domain, std::uint32_t number, std::string_view name) {
  pthread_mutex_lock(&mutex);
  const RangeCategory* first = domain.categories.load(std::memory_order_relaxed);
  int count = 0;
  for (const RangeCategory* known = first; known != nullptr; known = known->next) ++count;
  if (count < kMostCategories && CategoryName(domain, number) != name) {
    void* memory = malloc(sizeof(RangeCategory) + name.size());
    if (memory != nullptr) {
      auto* added =
          new (memory) RangeCategory{number, static_cast<std::uint32_t>(name.size()), first, {}};
      memcpy(added->text, name.data(), name.size());
      domain.categories.store(added, std::memory_order_release);
    }
  }
  pthread_mutex_unlock(&mutex);
}

std::string_view CategoryName(const RangeDomain& domain, std::uint32_t number) {
  for (const RangeCategory* known = domain.categories.load(std::memory_order_acquire);
       known != nullptr; known = known->next) {
    if (known->number == number) return {known->text, known->length};
  }
  return {};
}

}  // namespace xsp::record
