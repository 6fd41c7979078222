#include "answer/wording/short_name.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace xsp::wording {
namespace {

using Text = std::string_view;

constexpr Text kEllipsis = "\u2026";

bool IsWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

Text Trimmed(Text text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// The first `bytes` bytes, fewer where that would split a character.
Text Head(Text text, std::size_t bytes) {
  if (bytes >= text.size()) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return text.substr(0, bytes);
}

Text Tail(Text text, std::size_t bytes) {
  std::size_t from = text.size() - std::min(bytes, text.size());
  while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) ++from;
  return text.substr(from);
}

/// 1 where text[at] opens a bracket, -1 where it closes one. The end of an arrow does neither.
int Bracket(Text text, std::size_t at) {
  if (text[at] == '>' && at > 0 && text[at - 1] == '-') return 0;
  if (Text("<({[").find(text[at]) != Text::npos) return 1;
  return Text(">)}]").find(text[at]) != Text::npos ? -1 : 0;
}

bool IsBalanced(Text text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size() && depth >= 0; ++at) depth += Bracket(text, at);
  return depth == 0;
}

/// A function as a C++ demangler writes it: not an operator ("aten::mm"), not "Memcpy HtoD (...)".
bool IsSignature(Text name) {
  if (!IsBalanced(name)) return false;
  if (name.starts_with("void ")) return true;
  const auto open = name.find('(');
  if (open != Text::npos && open > 0 && name.ends_with(')') &&
      std::ranges::all_of(name.substr(0, open), IsWord))
    return true;
  for (std::size_t at = 1; at < name.size(); ++at) {
    if (!IsWord(name[at - 1])) continue;
    if (name[at] == '<') return true;
    if (name[at] == '(' && name.ends_with(')') && name.find("::") != Text::npos) return true;
  }
  return false;
}

/// Parts of `text` between `separator` outside of all brackets.
std::vector<Text> Split(Text text, Text separator) {
  std::vector<Text> parts;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    depth += Bracket(text, at);
    if (depth != 0 || !text.substr(at).starts_with(separator)) continue;
    parts.push_back(text.substr(from, at - from));
    from = at + separator.size();
    at = from - 1;
  }
  parts.push_back(text.substr(from));
  return parts;
}

/// Without "(int, float*)" at the end, and what a compiler adds behind it.
Text WithoutParameters(Text text) {
  for (bool again = true; again;) {
    again = false;
    for (const Text end : {Text(" const"), Text(" (.kd)"), Text(".kd")})
      if (text.ends_with(end)) {
        text.remove_suffix(end.size());
        again = true;
      }
    if (const auto clone = text.rfind(" [clone "); clone != Text::npos && text.ends_with(']')) {
      text = text.substr(0, clone);
      again = true;
    }
  }
  if (!text.ends_with(')')) return text;
  int depth = 0;
  for (std::size_t at = text.size() - 1; at > 0; --at) {
    depth += Bracket(text, at);
    if (depth == 0)
      return text.substr(0, at).ends_with("operator") ? text : Trimmed(text.substr(0, at));
  }
  return text;
}

Text TemplateArguments(Text text) {
  const auto from = text.find('<');
  if (from == Text::npos) return {};
  int depth = 0;
  for (std::size_t at = from; at < text.size(); ++at) {
    depth += Bracket(text, at);
    if (depth == 0) return text.substr(from + 1, at - from - 1);
  }
  return {};
}

/// "(bool)1" is written 1.
Text WithoutCast(Text text) {
  const auto close = text.find(')');
  if (!text.starts_with('(') || close == Text::npos || close + 1 == text.size()) return text;
  const Text value = text.substr(close + 1);
  const Text digits = value.starts_with('-') ? value.substr(1) : value;
  return !digits.empty() && std::ranges::all_of(digits, IsWord) ? value : text;
}

bool IsLambda(Text part) {
  part = Trimmed(part);
  if (part.starts_with('{') || part.starts_with('\'')) part.remove_prefix(1);
  return part.starts_with("lambda");
}

std::string Simplify(Text type, int depth);

std::string List(Text arguments, int depth) {
  std::vector<std::string> shown;
  for (const Text item : Split(arguments, ","))
    if (!Trimmed(item).empty()) shown.push_back(Simplify(item, depth));
  return fmt::format("{}", fmt::join(shown, ", "));
}

/// What the last lambda takes: PyTorch makes one for each element type.
std::string LambdaArguments(Text part, int depth) {
  const auto from = part.find('('), to = part.rfind(')');
  if (!IsLambda(part) || from == Text::npos || to == Text::npos || to <= from + 1) return {};
  return fmt::format("({})", List(part.substr(from + 1, to - from - 1), std::max(0, depth - 1)));
}

/// One name or type: its last part with template arguments down to `depth`.
std::string Simplify(Text type, int depth) {
  const Text text = Trimmed(type);
  if (const Text value = WithoutCast(text); value != text) return std::string(value);
  const std::vector<Text> parts = Split(text, "::");
  Text last;
  bool found = false;
  for (const Text part : parts) {
    if (part.starts_with("(anonymous") || part.starts_with("operator()") || IsLambda(part))
      continue;
    last = part;
    found = true;
  }
  if (!found) return std::string(text);
  std::string own, pointer;
  int open = 0;
  for (std::size_t at = 0; at < last.size(); ++at) {
    const int change = Bracket(last, at);
    open += change;
    if (open != 0 || change != 0) continue;
    const bool refers = last[at] == '*' || last[at] == '&';
    if (refers) {
      pointer += last[at];
    } else if (pointer.empty()) {
      own += last[at];
    }
  }
  Text identifier = Trimmed(own);
  if (identifier.ends_with(" const")) identifier.remove_suffix(6);
  const Text arguments = TemplateArguments(last);
  if (identifier.starts_with("gpu_kernel_impl") && !arguments.empty())
    return Simplify(Split(arguments, ",").front(), depth);
  std::string shown(identifier);
  if (!Trimmed(arguments).empty())
    shown += depth == 0 ? fmt::format("<{}>", kEllipsis)
                        : fmt::format("<{}>", List(arguments, depth - 1));
  return shown + LambdaArguments(parts.back(), depth) + pointer;
}

/// Head and tail of a plain name; of rocBLAS's the tile, which tells them apart.
std::string Cut(Text name, std::size_t most) {
  if (name.size() <= most) return std::string(name);
  if (const auto tile = name.find("_MT"); name.starts_with("Cijk_") && tile != Text::npos) {
    const Text size = name.substr(tile + 1, name.find('_', tile + 1) - tile - 1);
    return fmt::format("{}{}{}{}", Head(name, std::min<std::size_t>(tile, 26)), kEllipsis, size,
                       kEllipsis);
  }
  const std::size_t tail = most / 4;
  return fmt::format("{}{}{}", Head(name, most - tail - 1), kEllipsis, Tail(name, tail));
}

/// Bytes, an ellipsis counted as one.
std::size_t Length(const std::string& text) {
  std::size_t length = text.size();
  for (auto at = text.find(kEllipsis); at != std::string::npos; at = text.find(kEllipsis, at + 1))
    length -= kEllipsis.size() - 1;
  return length;
}

}  // namespace

std::string ShortName(std::string_view name, std::size_t most) {
  // What PyTorch's profiler puts before every node of a backward pass.
  constexpr std::string_view kNode = "autograd::engine::evaluate_function: ";
  if (name.starts_with(kNode)) name.remove_prefix(kNode.size());
  if (!IsSignature(name)) return Cut(name, most);
  std::string bare(WithoutParameters(name));
  for (auto at = bare.find(" >"); at != std::string::npos; at = bare.find(" >")) bare.erase(at, 1);
  const Text function = Split(bare, " ").back();
  for (int depth = 4; depth > 1; --depth)
    if (std::string text = Simplify(function, depth); Length(text) <= most) return text;
  const std::string text = Simplify(function, 1);
  if (Length(text) <= most) return text;
  return fmt::format("{}{}>", Head(text, most - 2), kEllipsis);
}

}  // namespace xsp::wording
