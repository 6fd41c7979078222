#include "app/cli/option_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <type_traits>

#include "app/cli/program_arguments.h"
#include "core/number_check.h"

namespace xsp::cli {
namespace {

std::string Dashed(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

/// "MODEL", or "-o,--time-limit".
std::string OptionName(const std::string& name, const core::FieldInfo& info) {
  if (info.positional) {
    if (!info.value_name.empty()) return info.value_name;
    std::string word = Dashed(name);
    std::ranges::transform(word, word.begin(), [](unsigned char c) { return std::toupper(c); });
    return word;
  }
  const std::string option = "--" + Dashed(name);
  return info.letter == 0 ? option : fmt::format("-{},{}", info.letter, option);
}

/// "not a number above 0 and of at most 1: 3"; empty: it is in the range.
std::string CheckRange(const std::string& text, const core::NumberRange& range) {
  const double highest = std::numeric_limits<double>::infinity();
  if (range.low == 0 && range.high == highest)
    return range.above_low ? core::PositiveNumber(text) : core::NonNegativeNumber(text);
  double value = 0;
  const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
  if (is_number && range.Contains(value)) return "";
  return fmt::format("not a number {} {:g} and {} {:g}: {}",
                     range.above_low ? "above" : "of at least", range.low,
                     range.below_high ? "below" : "of at most", range.high, text);
}

template <typename T>
constexpr bool kIsList = false;
template <typename T>
constexpr bool kIsList<std::vector<T>> = true;

/// Choices that are longer in all are not written out in place of the value.
constexpr std::size_t kMaxChoicesBytes = 40;

/// What stands for the value in help: "FILE", "local|slurm", "GB", "N".
template <typename T>
std::string ValueName(const core::FieldInfo& info) {
  if (!info.value_name.empty()) return info.value_name;
  if (!info.allowed.empty()) {
    const std::string choices = fmt::format("{}", fmt::join(info.allowed, "|"));
    return choices.size() <= kMaxChoicesBytes ? choices : "NAME";
  }
  if constexpr (std::is_arithmetic_v<T>) {
    std::string unit = info.unit;
    std::ranges::transform(unit, unit.begin(), [](unsigned char c) { return std::toupper(c); });
    return unit.empty() ? "N" : unit;
  }
  return "";
}

template <typename T>
bool IsWorthShowing(const T& value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return true;
  } else if constexpr (kIsList<T> || std::is_same_v<T, std::string> ||
                       std::is_same_v<T, std::filesystem::path>) {
    return !value.empty();
  } else {
    return value.has_value();
  }
}

void Shape(CLI::Option& option, const core::FieldInfo& info) {
  switch (info.list) {
    case core::ListStyle::kWords:
      break;
    case core::ListStyle::kCommas:
      option.delimiter(',');
      break;
    case core::ListStyle::kRepeated:
      option.take_all()->allow_extra_args(false);
      break;
    case core::ListStyle::kOneWord:
      option.expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->allow_extra_args(false)
          ->delimiter(',');
      break;
  }
  if (info.max_items > 0) option.expected(1, info.max_items);
}

}  // namespace

template <typename T>
CLI::Option* OptionFields::AddValue(const std::string& name, T& value,
                                    const core::FieldInfo& info) {
  const std::string option_name = OptionName(name, info);
  if constexpr (std::is_same_v<T, bool>) {
    return app_.add_flag(option_name, value, info.help);
  } else {
    CLI::Option* option = app_.add_option(option_name, value, info.help);
    if constexpr (kIsList<T>) Shape(*option, info);
    if (!info.positional || !info.value_name.empty())
      option->type_name(info.positional ? "" : ValueName<T>(info));
    if (info.required) option->required();
    const core::NumberRange& range = info.range;
    if (std::isfinite(range.low) || std::isfinite(range.high))
      option->check(
          CLI::Validator([range](const std::string& text) { return CheckRange(text, range); }, ""));
    if (!info.allowed.empty()) option->check(CLI::IsMember(info.allowed).description(""));
    if (!info.if_bare.empty()) {
      option->expected(0, 1)->default_str(info.if_bare);
    } else if (info.for_people != 0) {
      option->default_str(std::to_string(info.for_people));
    } else if (!info.or_default.empty()) {
      option->default_str(info.or_default);
    } else if (!info.required && IsWorthShowing(value) &&
               info.help.find("default:") == std::string::npos) {
      option->capture_default_str();
    }
    return option;
  }
}

void OptionFields::AddProgram(std::vector<std::string>& program, const core::FieldInfo& info) {
  takes_program_ = true;
  // What stands before the program is read before what is misplaced.
  if (pending_ != nullptr) AddValue("", *pending_, pending_info_);
  pending_ = nullptr;
  program = ProgramArguments();
  CLI::Option* option = app_.add_option("COMMAND", misplaced_, info.help)->type_name("");
  // A list before it takes every word.
  if (has_positional_list_) option->expected(1);
}

void OptionFields::AddPair(const core::FieldInfo& info, std::string& last) {
  const std::string names = fmt::format("{}-AND-{}", pending_info_.value_name, info.value_name);
  app_.add_option_function<std::vector<std::string>>(
          names,
          [first = pending_, &last](const std::vector<std::string>& words) {
            if (words.size() > 1) *first = words.front();
            last = words.back();
          },
          fmt::format("{}: {}. {}: {}", pending_info_.value_name, pending_info_.help,
                      info.value_name, info.help))
      ->required()
      ->expected(1, 2)
      ->type_name(fmt::format("[{}] {}", pending_info_.value_name, info.value_name));
  pending_ = nullptr;
}

void OptionFields::Add(const std::string& name, core::FieldValue value,
                       const core::FieldInfo& info) {
  if (info.program) {
    AddProgram(*std::get<std::vector<std::string>*>(value), info);
    return;
  }
  auto* const* text = std::get_if<std::string*>(&value);
  if (info.positional && text != nullptr) {
    if (!info.required) {
      pending_ = *text;
      pending_info_ = info;
      return;
    }
    if (pending_ != nullptr) {
      AddPair(info, **text);
      return;
    }
  }
  CLI::Option* option =
      std::visit([&](auto* variable) { return AddValue(name, *variable, info); }, value);
  has_positional_list_ |= info.positional && option->get_items_expected_max() > 1;
  if (info.hidden) option->group("");
  added_.push_back({option, value, info});
}

void OptionFields::Finish() {
  if (pending_ != nullptr) AddValue("", *pending_, pending_info_);
  pending_ = nullptr;
  for (const auto& [option, value, info] : added_) {
    for (const std::string& excluded : info.excludes)
      option->excludes(app_.get_option("--" + Dashed(excluded)));
    if (!info.needs.empty()) option->needs(app_.get_option("--" + Dashed(info.needs)));
  }
}

Status OptionFields::Complete(const std::string& command, bool for_people) const {
  for (const auto& [option, value, info] : added_) {
    auto* const* number = std::get_if<int*>(&value);
    if (for_people && info.for_people != 0 && number != nullptr && option->count() == 0)
      **number = info.for_people;
  }
  if (misplaced_.empty()) return Ok{};
  return Error{ErrorKind::kUsage, fmt::format("program is not after `--`: {}", misplaced_.front()),
               fmt::format("xsp {} -- {}", command, fmt::join(misplaced_, " "))};
}

}  // namespace xsp::cli
