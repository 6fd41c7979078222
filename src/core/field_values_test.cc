#include "core/field_values.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json_fields.h"

namespace xsp::core {
namespace {

using nlohmann::json;

struct AllKinds {
  bool plan = false;
  int rows = 20;
  double limit = 0.5;
  std::string name = "a";
  std::filesystem::path file;
  std::optional<int> iterations;
  std::vector<int> batches = {1};
  std::vector<std::filesystem::path> files;
};

void DeclareKinds(RequestFields& fields, AllKinds& request) {
  fields.Add("plan", &request.plan, {.help = ""});
  fields.Add("rows", &request.rows, {.help = ""});
  fields.Add("limit", &request.limit, {.help = ""});
  fields.Add("name", &request.name, {.help = ""});
  fields.Add("file", &request.file, {.help = ""});
  fields.Add("iterations", &request.iterations, {.help = ""});
  fields.Add("batches", &request.batches, {.help = ""});
  fields.Add("files", &request.files, {.help = ""});
}

/// What a request that was read from `given` is as JSON.
json Again(const json& given) {
  AllKinds request;
  JsonFields reader(given);
  FieldValues values(reader);
  DeclareKinds(values, request);
  EXPECT_TRUE(reader.Finish().ok());
  return values.Changed();
}

TEST(FieldValuesTest, AreTheRequestThatWasRead) {
  for (const json& request :
       {json::object(), json{{"plan", true}, {"rows", 0}, {"name", ""}, {"iterations", 3}},
        json{{"limit", 0.25}, {"file", "a b/c"}, {"batches", {2, 4}}, {"files", {"x", "y"}}}})
    EXPECT_EQ(Again(request), request);
}

TEST(FieldValuesTest, DefaultsAreLeftOut) {
  EXPECT_EQ(Again({{"rows", 20}, {"batches", {1}}, {"name", "a"}, {"iterations", nullptr}}),
            json::object());
}

}  // namespace
}  // namespace xsp::core
