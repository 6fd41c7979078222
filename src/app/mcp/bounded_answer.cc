#include "app/mcp/bounded_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "app/mcp/shortened_json.h"

namespace xsp::mcp {
namespace {

using nlohmann::json;

/// The members of an answer without rows, `about` and `notes`: names, two numbers, a cursor.
constexpr std::size_t kEnvelopeBytes = 220;

/// Of `members_left_out`, which is there where rows lack members: names, and how many more.
constexpr std::size_t kLeftOutBytes = 220, kLeftOutNameBytes = 40;

/// Rows are shortened until as many fit, from the level at which texts of traces may not fill the
/// page up to the one at which members are dropped; fewer at full length say more than many stumps.
constexpr std::array<std::size_t, 2> kWantedRows = {8, 3};
constexpr int kFirstWantedLevel = 1, kMaxWantedLevel = 4;

using Rows = std::vector<const json*>;

struct SplitDocument {
  json rows = json::array();
  json about = json::object();
};

SplitDocument Split(json document, const RowsInDocument& where) {
  SplitDocument split;
  if (document.is_array()) {
    split.rows = std::move(document);
    return split;
  }
  for (const char* pointer : where.pointers) {
    if (pointer == nullptr) break;
    const json::json_pointer path(pointer);
    if (!document.contains(path) || !document[path].is_array()) continue;
    split.rows = std::move(document[path]);
    document[path.parent_pointer()].erase(path.back());
    break;
  }
  split.about = std::move(document);
  return split;
}

double SizeOf(const json& row, const char* member) {
  if (!row.is_object()) return 0;
  const auto found = row.find(member);
  return found != row.end() && found->is_number() ? std::abs(found->get<double>()) : 0;
}

Rows InOrder(const json& rows, const char* order_by) {
  Rows ordered;
  for (const json& row : rows) ordered.push_back(&row);
  if (order_by != nullptr)
    std::ranges::stable_sort(ordered, [order_by](const json* a, const json* b) {
      return SizeOf(*a, order_by) > SizeOf(*b, order_by);
    });
  return ordered;
}

/// FNV-1a: the same in every process, so that a cursor outlives the server.
std::uint64_t HashOf(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::uint64_t CursorKey(const AnswerPage& page, std::size_t total) {
  return HashOf(fmt::format("{} {}", total, page.request));
}

/// The row at which the page begins.
Result<std::size_t> OffsetOf(const AnswerPage& page, std::size_t total) {
  if (page.cursor.empty()) return std::size_t{0};
  const std::string_view text = page.cursor;
  const std::size_t dot = text.find('.');
  std::size_t offset = 0;
  const char* const end = text.data() + std::min(dot, text.size());
  const auto read = std::from_chars(text.data(), end, offset, 16);
  const bool is_number = read.ec == std::errc() && read.ptr == end;
  if (is_number && dot != std::string_view::npos && offset < total &&
      text.substr(dot + 1) == fmt::format("{:016x}", CursorKey(page, total)))
    return offset;
  return Error{ErrorKind::kUsage,
               "the cursor belongs to another request, or the answer has changed",
               "Repeat the call without a cursor; a cursor goes with the arguments that gave it."};
}

/// `about` and `notes` in at most `limit` bytes.
json Beginning(const json& about, const std::vector<std::string>& notes, std::size_t limit,
               bool& was_shortened) {
  json whole = json::object();
  if (!about.empty()) whole["about"] = about;
  if (!notes.empty()) whole["notes"] = notes;
  for (int level = 0;; ++level) {
    bool is_shortened = false;
    json beginning = ShortenedJson(whole, level, is_shortened);
    if (level + 1 < kShorteningLevels && CompactText(beginning).size() > limit) continue;
    was_shortened = was_shortened || is_shortened;
    return beginning;
  }
}

struct FilledPage {
  json rows = json::array();
  bool was_shortened = false;
};

FilledPage Fill(const Rows& rows, std::size_t offset, int level, std::size_t limit) {
  FilledPage filled;
  std::size_t bytes = 0;
  for (std::size_t i = offset; i < rows.size(); ++i) {
    bool is_shortened = false;
    json row = ShortenedJson(*rows[i], level, is_shortened);
    bytes += CompactText(row).size() + 1;
    if (bytes > limit) break;
    filled.rows.push_back(std::move(row));
    filled.was_shortened = filled.was_shortened || is_shortened;
  }
  return filled;
}

FilledPage BestPage(const Rows& rows, std::size_t offset, std::size_t limit) {
  const std::size_t left = rows.size() - offset;
  if (FilledPage whole = Fill(rows, offset, 0, limit); whole.rows.size() == left) return whole;
  for (const std::size_t wanted : kWantedRows)
    for (int level = kFirstWantedLevel; level <= kMaxWantedLevel; ++level)
      if (FilledPage filled = Fill(rows, offset, level, limit);
          filled.rows.size() >= std::min(wanted, left))
        return filled;
  for (int level = kFirstWantedLevel; level + 1 < kShorteningLevels; ++level)
    if (FilledPage filled = Fill(rows, offset, level, limit); !filled.rows.empty()) return filled;
  return Fill(rows, offset, kShorteningLevels - 1, limit);
}

/// The names of members that rows of the page lack, each once. The first of each row were kept.
std::vector<std::string> LeftOut(const Rows& rows, std::size_t offset, const json& shown) {
  std::set<std::string_view> seen;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const json& row = *rows[offset + i];
    if (!row.is_object()) continue;
    for (auto it = std::next(row.begin(), static_cast<std::ptrdiff_t>(shown[i].size()));
         it != row.end(); ++it)
      if (seen.insert(it.key()).second) names.push_back(it.key());
  }
  return names;
}

/// As many names as fit into kLeftOutBytes, and how many more there are.
json LeftOutJson(const std::vector<std::string>& names) {
  constexpr std::size_t kFrameBytes = 48;  ///< The member's name, and how many more.
  json list = json::array();
  std::size_t bytes = kFrameBytes;
  for (const std::string& name : names) {
    std::string visible = VisibleText(std::string_view(name).substr(0, kLeftOutNameBytes));
    if (name.size() > kLeftOutNameBytes) visible += "…";
    bytes += CompactText(visible).size() + 1;
    if (bytes > kLeftOutBytes) break;
    list.push_back(std::move(visible));
  }
  if (list.size() < names.size())
    list.push_back(fmt::format("and {} more", names.size() - list.size()));
  return list;
}

}  // namespace

Result<json> BoundedAnswer(json document, const std::vector<std::string>& notes,
                           const RowsInDocument& where, const AnswerPage& page) {
  const SplitDocument split = Split(std::move(document), where);
  const Rows rows = InOrder(split.rows, where.order_by);
  XSP_TRY(const std::size_t offset, OffsetOf(page, rows.size()));
  const auto limit = static_cast<std::size_t>(page.max_tokens) * kBytesPerToken - kEnvelopeBytes;
  bool was_shortened = false;
  json answer = json::object();
  if (offset == 0)
    answer = Beginning(split.about, notes, rows.empty() ? limit : limit / 2, was_shortened);
  const std::size_t room = limit - CompactText(answer).size();
  FilledPage filled = BestPage(rows, offset, room);
  if (!LeftOut(rows, offset, filled.rows).empty()) {
    filled = BestPage(rows, offset, room - kLeftOutBytes);
    if (const auto names = LeftOut(rows, offset, filled.rows); !names.empty())
      answer["members_left_out"] = LeftOutJson(names);
  }
  const std::size_t end = offset + filled.rows.size();
  answer["total"] = rows.size();
  answer["shown"] = filled.rows.size();
  answer["truncated"] = end < rows.size();
  answer["cursor"] = end < rows.size()
                         ? json(fmt::format("{:x}.{:016x}", end, CursorKey(page, rows.size())))
                         : json();
  answer["shortened"] = was_shortened || filled.was_shortened;
  answer["rows"] = std::move(filled.rows);
  return answer;
}

}  // namespace xsp::mcp
