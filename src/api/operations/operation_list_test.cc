#include "api/operations/operation_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <variant>

#include "api/request_json.h"
#include "api/request_policy.h"
#include "core/json_text.h"

// Rules for every operation, and every group, of this build.

namespace xsp::api {
namespace {

using nlohmann::json;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string GroupOf(const std::string& name) {
  const std::size_t slash = name.find('/');
  return slash == std::string::npos ? "" : name.substr(0, slash);
}

bool IsName(const std::string& name) {
  static const std::regex kForm("[a-z][a-z0-9]*(_[a-z0-9]+)*(/[a-z][a-z0-9]*(_[a-z0-9]+)*)?");
  return std::regex_match(name, kForm);
}

TEST(AllOperations, HaveUniqueNamesInSnakeCaseInOrder) {
  std::vector<std::string> names;
  for (const Operation& operation : AllOperations()) {
    EXPECT_TRUE(IsName(operation.name)) << operation.name;
    EXPECT_EQ(FindOperation(operation.name), &operation);
    names.push_back(operation.name);
  }
  EXPECT_FALSE(names.empty());
  EXPECT_TRUE(std::ranges::is_sorted(names));
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
}

TEST(AllOperations, BelongToGroupsThatThereAre) {
  std::set<std::string> groups, single;
  for (const GroupSpec* group : AllGroups()) groups.insert(group->name);
  for (const Operation& operation : AllOperations()) {
    const std::string group = GroupOf(operation.name);
    if (group.empty()) {
      single.insert(operation.name);
    } else {
      EXPECT_TRUE(groups.contains(group)) << operation.name;
    }
  }
  for (const std::string& group : groups)
    EXPECT_FALSE(single.contains(group)) << group << " is an operation and a group";
}

TEST(AllGroups, HaveTextsOperationsAndADefaultAmongThem) {
  std::set<std::string> names;
  for (const GroupSpec* group : AllGroups()) {
    const std::string name = group->name;
    EXPECT_TRUE(IsName(name)) << name;
    EXPECT_TRUE(names.insert(name).second) << name << " comes twice";
    EXPECT_THAT(group->summary, Not(EndsWith("."))) << name;
    EXPECT_THAT(group->example, StartsWith("xsp " + name)) << name;
    EXPECT_TRUE(std::ranges::any_of(AllOperations(), [&](const Operation& operation) {
      return GroupOf(operation.name) == name;
    })) << name;
    if (group->otherwise == nullptr) continue;
    EXPECT_NE(FindOperation(group->otherwise), nullptr) << group->otherwise;
    EXPECT_EQ(GroupOf(group->otherwise), name);
  }
}

TEST(AllOperations, HaveASummaryOfOneLineAndAnExample) {
  for (const Operation& operation : AllOperations()) {
    EXPECT_FALSE(operation.summary.empty()) << operation.name;
    EXPECT_THAT(operation.summary, Not(EndsWith("."))) << operation.name;
    EXPECT_THAT(operation.summary, Not(HasSubstr("\n"))) << operation.name;
    std::string command = "xsp " + operation.name;
    std::ranges::replace(command, '/', ' ');
    EXPECT_THAT(operation.example, StartsWith(command)) << operation.name;
  }
}

TEST(AllOperations, AreServedAsJobsIfTheyMeasure) {
  for (const Operation& operation : AllOperations()) {
    const bool may_take_long = operation.served_as == ServedAs::kJob;
    if (operation.effect == Effect::kMeasures) {
      EXPECT_TRUE(may_take_long || operation.served_as == ServedAs::kNothing) << operation.name;
    }
  }
}

TEST(AllOperations, DescribeTheirResultsByASchema) {
  for (const Operation& operation : AllOperations()) {
    const json schema = core::ParseJson(operation.result);
    ASSERT_TRUE(schema.is_object()) << operation.name;
    EXPECT_TRUE(schema.contains("type")) << operation.name;
  }
}

TEST(AllOperations, DescribeEveryFieldOfTheirRequests) {
  for (const Operation& operation : AllOperations()) {
    const json schema = RequestSchema(operation);
    for (const auto& [field, property] : schema["properties"].items()) {
      const std::string where = operation.name + ": " + field;
      EXPECT_TRUE(IsName(field) && field.find('/') == std::string::npos) << where;
      EXPECT_FALSE(property.value("description", "").empty()) << where;
      EXPECT_THAT(property.value("description", ""), Not(EndsWith("."))) << where;
      EXPECT_TRUE(property.contains("type")) << where;
    }
  }
}

/// The fields that take paths, programs or SQL, and do not state so.
class PathsThatReferToNothing final : public core::RequestFields {
 public:
  void Add(const std::string& name, core::FieldValue value, const core::FieldInfo& info) override {
    const bool is_path = std::holds_alternative<std::filesystem::path*>(value) ||
                         std::holds_alternative<std::vector<std::filesystem::path>*>(value);
    if (is_path && info.refers == core::Refers::kNothing) names_.push_back(name);
    if (info.value_name.ends_with("SQL") && info.refers != core::Refers::kSql)
      names_.push_back(name);
    if (info.program && info.refers != core::Refers::kProgram) names_.push_back(name);
    pages_ += info.refers == core::Refers::kOutputPage ? 1 : 0;
  }
  const std::vector<std::string>& names() const { return names_; }
  int pages() const { return pages_; }

 private:
  std::vector<std::string> names_;
  int pages_ = 0;
};

TEST(AllOperations, StateWhatTheirPathsAndProgramsReferTo) {
  const Context context;
  for (const Operation& operation : AllOperations()) {
    PathsThatReferToNothing paths;
    operation.declare(paths, context);
    EXPECT_THAT(paths.names(), testing::IsEmpty()) << operation.name;
    EXPECT_LE(paths.pages(), 1) << operation.name;
  }
}

/// A request of `operation` that gives `text` for `field`, as its schema takes it.
json RequestWith(const json& property, const std::string& field, const std::string& text) {
  return {{field, property["type"] == "array" ? json::array({text}) : json(text)}};
}

TEST(AllOperations, ReachNoFileByAFieldThatRefersToSomething) {
  for (const Operation& operation : AllOperations()) {
    const json schema = RequestSchema(operation);
    for (const auto& [field, property] : schema["properties"].items()) {
      const json request = RequestWith(property, field, "/etc/passwd");
      EXPECT_EQ(CheckReach(operation, request, {}).ok(), !property.contains("refers"))
          << operation.name << ": " << field;
    }
  }
}

/// Whether `value` is what the schema of one value takes.
bool Takes(const json& schema, const json& value) {
  if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
    return false;
  if (!value.is_number()) return true;
  const double number = value;
  return number >= schema.value("minimum", number) && number <= schema.value("maximum", number) &&
         !(schema.contains("exclusiveMinimum") && number <= schema["exclusiveMinimum"]) &&
         !(schema.contains("exclusiveMaximum") && number >= schema["exclusiveMaximum"]);
}

TEST(AllOperations, HaveDefaultsThatTheirOwnSchemasTake) {
  for (const Operation& operation : AllOperations()) {
    const json schema = RequestSchema(operation);
    for (const auto& [field, property] : schema["properties"].items()) {
      if (!property.contains("default")) continue;
      const json& fallback = property["default"];
      const bool is_list = property["type"] == "array";
      const json values = is_list ? fallback : json::array({fallback});
      for (const json& value : values)
        EXPECT_TRUE(Takes(is_list ? property["items"] : property, value))
            << operation.name << ": " << field << ": " << value;
    }
  }
}

TEST(AllOperations, NameFieldsThatThereAreWhereTheyExcludeOrNeedOthers) {
  for (const Operation& operation : AllOperations()) {
    const json schema = RequestSchema(operation);
    const auto expect_known = [&](const json& names) {
      for (const json& name : names)
        EXPECT_TRUE(schema["properties"].contains(name.get<std::string>()))
            << operation.name << ": " << name;
    };
    if (schema.contains("not"))
      for (const json& pair : schema["not"]["anyOf"]) expect_known(pair["required"]);
    if (schema.contains("dependentRequired"))
      for (const json& needs : schema["dependentRequired"]) expect_known(needs);
  }
}

/// The options whose help does not say what their values are. Choices and numbers say it
/// themselves.
class NamelessValues final : public core::RequestFields {
 public:
  void Add(const std::string& name, core::FieldValue value, const core::FieldInfo& info) override {
    const bool needs_name =
        !info.positional && !info.program && !info.hidden && info.allowed.empty() &&
        !std::holds_alternative<bool*>(value) && !std::holds_alternative<int*>(value) &&
        !std::holds_alternative<std::int64_t*>(value) &&
        !std::holds_alternative<std::uint64_t*>(value) && !std::holds_alternative<double*>(value);
    if (needs_name && info.value_name.empty()) names_.push_back(name);
  }
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

TEST(AllOperations, NameWhatTheValuesOfOptionsAre) {
  const Context context;
  for (const Operation& operation : AllOperations()) {
    NamelessValues nameless;
    operation.declare(nameless, context);
    EXPECT_THAT(nameless.names(), testing::IsEmpty()) << operation.name;
  }
}

/// The variables of the fields.
class Variables final : public core::RequestFields {
 public:
  void Add(const std::string&, core::FieldValue value, const core::FieldInfo&) override {
    std::visit([this](const auto* variable) { addresses_.insert(variable); }, value);
  }
  const std::set<const void*>& addresses() const { return addresses_; }

 private:
  std::set<const void*> addresses_;
};

TEST(AllOperations, MakeARequestOfItsOwnEachTime) {
  const Context context;
  for (const Operation& operation : AllOperations()) {
    Variables first, second;
    // Actions keep their requests: no address is used again.
    const Action one = operation.declare(first, context);
    const Action other = operation.declare(second, context);
    std::vector<const void*> shared;
    std::ranges::set_intersection(first.addresses(), second.addresses(),
                                  std::back_inserter(shared));
    EXPECT_TRUE(shared.empty()) << operation.name;
  }
}

TEST(FindOperation, IsNullForAnotherName) { EXPECT_EQ(FindOperation("no_such"), nullptr); }

TEST(Perform, SuggestsTheNearestOperation) {
  const auto done = Perform("lst", json::object(), Context{});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(done.error().hint, "Did you mean list?");
}

TEST(Perform, NamesFieldsInHints) {
  const auto done = Perform("zoo/make", json::object(), Context{});
  ASSERT_FALSE(done.ok());
  EXPECT_EQ(done.error().hint, "Name models, or use `all` for every model in every format.");
}

}  // namespace
}  // namespace xsp::api
