#include "objects/s3_answers.h"

#include <fmt/format.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <charconv>
#include <optional>
#include <sstream>

namespace xsp::objects {
namespace {

using boost::property_tree::ptree;

std::optional<ptree> Parsed(const std::string& xml) {
  ptree tree;
  try {
    std::istringstream stream(xml);
    boost::property_tree::read_xml(stream, tree);
  } catch (const boost::property_tree::xml_parser_error&) {
    return std::nullopt;
  }
  return tree;
}

Error NotUnderstood(std::string_view what) {
  return {ErrorKind::kEnvironment, fmt::format("the server's answer is not understood: {}", what),
          "Is the address that of an S3 server (AWS_ENDPOINT_URL)?"};
}

int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Of a key in a list: percent-encoded, with + for a space.
std::string Decoded(std::string_view text) {
  std::string decoded;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_encoded = text[at] == '%' && at + 2 < text.size() && DigitOf(text[at + 1]) >= 0 &&
                            DigitOf(text[at + 2]) >= 0;
    if (is_encoded) {
      decoded += static_cast<char>(DigitOf(text[at + 1]) * 16 + DigitOf(text[at + 2]));
      at += 2;
    } else {
      decoded += text[at] == '+' ? ' ' : text[at];
    }
  }
  return decoded;
}

}  // namespace

Result<ListPage> ReadListPage(const std::string& xml) {
  const auto tree = Parsed(xml);
  const auto result = tree ? tree->get_child_optional("ListBucketResult") : boost::none;
  if (!result) return NotUnderstood("no list of objects");
  ListPage page;
  for (const auto& [name, child] : *result) {
    if (name == "Contents") {
      ListPage::Entry entry;
      entry.key = Decoded(child.get<std::string>("Key", ""));
      entry.etag = child.get<std::string>("ETag", "");
      const std::string size = child.get<std::string>("Size", "");
      const auto [end, error] =
          std::from_chars(size.data(), size.data() + size.size(), entry.bytes);
      if (error != std::errc() || entry.key.empty()) return NotUnderstood("an object in a list");
      page.entries.push_back(std::move(entry));
    } else if (name == "CommonPrefixes") {
      page.prefixes.push_back(Decoded(child.get<std::string>("Prefix", "")));
    }
  }
  if (result->get<std::string>("IsTruncated", "false") == "true") {
    page.next_token = result->get<std::string>("NextContinuationToken", "");
    if (page.next_token.empty()) return NotUnderstood("a list without its continuation");
  }
  return page;
}

Result<std::string> ReadUploadId(const std::string& xml) {
  const auto tree = Parsed(xml);
  const std::string id =
      tree ? tree->get<std::string>("InitiateMultipartUploadResult.UploadId", "") : "";
  if (id.empty()) return NotUnderstood("no identifier of an upload");
  return id;
}

S3Problem ReadProblem(const std::string& xml) {
  const auto tree = Parsed(xml);
  if (!tree) return {};
  return {tree->get<std::string>("Error.Code", ""), tree->get<std::string>("Error.Message", "")};
}

}  // namespace xsp::objects
