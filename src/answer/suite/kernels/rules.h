#ifndef XSP_ANSWER_SUITE_KERNELS_RULES_H_
#define XSP_ANSWER_SUITE_KERNELS_RULES_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "answer/suite/kernels/pattern.h"
#include "core/result.h"

namespace xsp::suite::kernels {

/// A name that a rule is there for, and the class that it must get.
struct Example {
  std::string name;
  std::string kernel_class;
  int line = 0;
};

/// Fits a kernel when any of `match` does, none of `unless`, and library and type are among those
/// named (none named: any).
struct Rule {
  std::string kernel_class;  ///< "MM_{m}x{n}"; of a rule on libraries: the library.
  std::string kind;          ///< "matrix_product"; of a rule on libraries: empty.
  std::vector<NamePattern> match;
  std::vector<NamePattern> unless;
  std::vector<std::string> libraries;
  std::vector<std::string> types;  ///< As kernel.type: kernel, memcpy, memset, primitive, native.
  std::vector<Example> examples;
  std::string file;
  int line = 0;  ///< 1-based.
};

/// What the rules say of a kernel. Empty: nothing.
struct Classified {
  std::string kernel_class;
  std::string kind;
  std::string library;
};

struct Kind {
  std::string name;
  std::string help;
};

/// The ordered rules of one file, and of the file that it extends after them. Immutable; any
/// thread.
class RuleBook {
 public:
  /// The rules of `source`: a file, or the name of one that ships with XSP ("kernel_classes").
  /// Errors: kBadInput, with file and line: broken YAML, an unknown key, kind or library, a pattern
  /// that cannot be read, a named part of the class that a pattern lacks, a rule without examples,
  /// an example that its rule does not fit, gets another class, or that an earlier rule takes (a
  /// rule all of whose examples are taken can never match). Examples of an extended file may be
  /// taken by the file that extends it.
  static Result<RuleBook> Load(const std::string& source);

  /// The same, from text: `file` is for messages.
  static Result<RuleBook> Parse(std::string_view text, const std::string& file);

  /// What the first fitting rule says. `type` as kernel.type; empty: not known, any may fit. A few
  /// microseconds.
  Classified Classify(std::string_view name, std::string_view type) const;

  const std::vector<Rule>& rules() const { return rules_; }
  const std::vector<Rule>& libraries() const { return libraries_; }
  const std::vector<Kind>& kinds() const { return kinds_; }

 private:
  friend class RuleReader;

  std::string LibraryOf(const KernelName& name, std::string_view type) const;
  /// The place of the first rule that fits; npos: none.
  std::size_t FirstFitting(const KernelName& name, std::string_view type,
                           std::string_view library) const;
  Classified Said(const Rule& rule, const KernelName& name, std::string library) const;
  Status Check(const Rule& rule, std::size_t place) const;
  Status CheckAll() const;

  std::vector<Kind> kinds_;
  std::vector<Rule> libraries_;
  std::vector<Rule> rules_;
};

/// The names of the rule files that ship with XSP, sorted.
std::vector<std::string> ShippedRules();

}  // namespace xsp::suite::kernels

#endif  // XSP_ANSWER_SUITE_KERNELS_RULES_H_
