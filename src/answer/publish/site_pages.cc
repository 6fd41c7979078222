#include "answer/publish/site_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>
#include <utility>

#include "answer/publish/script_text.h"
#include "os/files.h"
#include "os/paths.h"

namespace xsp::publish {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kMaxFeedEntries = 50;

void Replace(std::string& text, std::string_view place, std::string_view by) {
  for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at))
    text.replace(at, place.size(), by), at += by.size();
}

/// Percent-encoded for one part of an address (RFC 3986): what encodeURIComponent() makes.
std::string EncodedForAddress(std::string_view text) {
  constexpr std::string_view kPlain = "-_.!~*'()";
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                          (c >= 'a' && c <= 'z') || kPlain.find(c) != std::string_view::npos;
    encoded += is_plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

std::string FeedEntry(const json& entry, const std::string& base) {
  const auto name = entry.value("name", "");
  const std::string address =
      EscapedForMarkup(base + "index.html#/experiments/" + EncodedForAddress(name));
  const std::string of = entry.value("model", "") + " " + entry.value("backend", "");
  return fmt::format(
      "<entry><id>{0}</id><title>{1}</title><updated>{2}</updated><link href=\"{0}\"/>"
      "<summary>{3}</summary></entry>\n",
      address, EscapedForMarkup(name), EscapedForMarkup(entry.value("created", "")),
      EscapedForMarkup(of + ": " + entry.value("status", "")));
}

}  // namespace

Result<std::string> WriteAssets(const SiteFolder& site, std::set<std::string>& keep) {
  const fs::path built = os::DataRoot() / "web" / "dist" / "site";
  const fs::path report = os::DataRoot() / "web" / "dist" / "report.html";
  std::error_code error;
  if (!fs::exists(built / "index.html", error) || !fs::exists(report, error))
    return Error{ErrorKind::kNotPossible, "the pages of sites are not built: " + built.string(),
                 "Build them: tools/setup && tools/build"};
  for (const auto& file : fs::directory_iterator(built / "assets", error)) {
    const std::string name = "assets/" + file.path().filename().string();
    XSP_TRY(const std::string text, os::ReadFile(file.path()));
    XSP_RETURN_IF_ERROR(site.WriteOnce(name, text));
    keep.insert(name);
  }
  XSP_TRY(const std::string page, os::ReadFile(report));
  const std::string frame = fmt::format("assets/report-{}.js", ShortHash(page));
  XSP_RETURN_IF_ERROR(site.WriteOnce(frame, ScriptOf("report-page", std::string_view(page))));
  keep.insert(frame);
  XSP_TRY(std::string index, os::ReadFile(built / "index.html"));
  Replace(index, "__XSP_REPORT_PAGE__", frame);
  return index;
}

std::string FilledIndex(std::string_view page, std::string_view title, std::string_view script) {
  // The title last: it may hold the other place's name.
  std::string filled(page);
  Replace(filled, "__XSP_INDEX__", EscapedForMarkup(script));
  Replace(filled, "__XSP_TITLE__", EscapedForMarkup(title));
  return filled;
}

std::string FeedOf(const json& entries, std::string_view title, std::string_view base_url) {
  std::string base(base_url);
  if (!base.ends_with('/')) base += '/';
  const std::string address = EscapedForMarkup(base);
  std::string feed = fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><id>{0}</id><title>{1}</title>"
      "<updated>{2}</updated><author><name>{1}</name></author><link href=\"{0}\"/>"
      "<link rel=\"self\" href=\"{0}feed.xml\"/>\n",
      address, EscapedForMarkup(title),
      entries.empty() ? "1970-01-01T00:00:00Z"
                      : EscapedForMarkup(entries[0].value("created", "1970-01-01T00:00:00Z")));
  for (std::size_t i = 0; i < std::min(entries.size(), kMaxFeedEntries); ++i)
    feed += FeedEntry(entries[i], base);
  return feed + "</feed>\n";
}

}  // namespace xsp::publish
