#ifndef XSP_OBJECTS_S3_ANSWERS_H_
#define XSP_OBJECTS_S3_ANSWERS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace xsp::objects {

/// One page of ListObjectsV2, asked for with `encoding-type=url`.
struct ListPage {
  struct Entry {
    std::string key;  ///< Whole.
    std::uint64_t bytes = 0;
    std::string etag;
  };
  std::vector<Entry> entries;
  std::vector<std::string> prefixes;
  std::string next_token;  ///< Empty: it is the last page.
};

/// Errors: kEnvironment (the answer is not what the protocol says).
Result<ListPage> ReadListPage(const std::string& xml);

/// The text of <UploadId> of an answer to CreateMultipartUpload. Errors: as ReadListPage().
Result<std::string> ReadUploadId(const std::string& xml);

/// <Code> and <Message> of an error's answer; empty where it has none.
struct S3Problem {
  std::string code, message;
};
S3Problem ReadProblem(const std::string& xml);

}  // namespace xsp::objects

#endif  // XSP_OBJECTS_S3_ANSWERS_H_
