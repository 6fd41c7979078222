#include "api/request_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "core/json_text.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

/// A value of each type that a field can have.
struct Request {
  bool flag = false;
  int count = 3;
  std::int64_t bytes = -1;
  std::uint64_t seed = 7;
  double share = 0.5;
  std::string mode = "fast";
  std::filesystem::path file = "out.svg";
  std::optional<int> rounds;
  std::optional<double> rate = 2.5;
  int calls = 0;
  std::vector<int> batches = {1};
  std::vector<std::int64_t> sizes;
  std::vector<double> points;
  std::vector<std::string> names;
  std::vector<std::filesystem::path> folders;
  std::vector<std::string> program;
};

void AddScalars(core::RequestFields& fields, Request& request) {
  fields.Add("flag", &request.flag, {.help = "A flag"});
  fields.Add("count", &request.count, {.help = "A count", .range = core::Between(0, 10)});
  fields.Add("bytes", &request.bytes, {.help = "A size", .unit = "byte"});
  fields.Add("seed", &request.seed, {.help = "A seed"});
  fields.Add(
      "share", &request.share,
      {.help = "A share", .range = {.low = 0, .high = 1, .above_low = true, .below_high = true}});
  fields.Add("mode", &request.mode, {.help = "A mode", .allowed = {"fast", "exact"}});
  fields.Add("file", &request.file,
             {.help = "A file", .refers = core::Refers::kOutputPage, .letter = 'o'});
  fields.Add("rounds", &request.rounds,
             {.help = "A number", .range = core::kPositive, .or_default = "as many as needed"});
  fields.Add("calls", &request.calls, {.help = "Calls", .range = core::kPositive});
  fields.Add("rate", &request.rate,
             {.help = "A rate", .unit = "Hz", .excludes = {"rounds", "flag"}, .needs = "seed"});
}

void AddLists(core::RequestFields& fields, Request& request) {
  fields.Add("batches", &request.batches,
             {.help = "Batch sizes", .range = core::kPositive, .list = core::ListStyle::kCommas});
  fields.Add("sizes", &request.sizes, {.help = "Sizes", .max_items = 2});
  fields.Add("points", &request.points, {.help = "Points", .list = core::ListStyle::kRepeated});
  fields.Add("names", &request.names, {.help = "Names", .required = true, .positional = true});
  fields.Add("folders", &request.folders, {.help = "Folders", .list = core::ListStyle::kOneWord});
  fields.Add("program", &request.program, {.help = "A program", .program = true});
}

/// Answers with what it was asked.
Document Echo(const Request& request) {
  json folders = json::array();
  for (const auto& folder : request.folders) folders.push_back(folder.string());
  return Document{.content = json{{"flag", request.flag},
                                  {"count", request.count},
                                  {"bytes", request.bytes},
                                  {"seed", request.seed},
                                  {"share", request.share},
                                  {"mode", request.mode},
                                  {"file", request.file.string()},
                                  {"rounds", request.rounds ? json(*request.rounds) : json()},
                                  {"rate", request.rate ? json(*request.rate) : json()},
                                  {"batches", request.batches},
                                  {"sizes", request.sizes},
                                  {"points", request.points},
                                  {"names", request.names},
                                  {"folders", std::move(folders)},
                                  {"program", request.program}}};
}

const Operation kSample = {
    .name = "group/sample",
    .summary = "Answers with its request",
    .example = "xsp group sample",
    .effect = Effect::kReads,
    .result = R"({"type": "object"})",
    .declare = [](core::RequestFields& fields, const Context&) -> Action {
      auto request = std::make_shared<Request>();
      AddScalars(fields, *request);
      AddLists(fields, *request);
      return [request]() -> Result<Document> { return Echo(*request); };
    },
};

/// The answer to `request`, or the error: "(WHAT) [HINT]".
json Answer(const json& request) {
  const Context context;
  const auto action = ReadRequest(kSample, request, context);
  if (!action.ok()) {
    EXPECT_EQ(action.error().kind, ErrorKind::kUsage);
    return action.error().what + " [" + action.error().hint + "]";
  }
  const auto document = action.value()();
  return document.ok() ? ToJson(document.value()) : json();
}

std::string Refusal(json request) {
  if (request.is_object() && !request.contains("names")) request["names"] = {"a"};
  const json answer = Answer(request);
  return answer.is_string() ? answer.get<std::string>() : "(no error)";
}

TEST(RequestSchema, StatesTypesDefaultsAndRanges) {
  const json properties = RequestSchema(kSample)["properties"];
  EXPECT_EQ(properties["flag"],
            core::ParseJson(R"({"type": "boolean", "default": false, "description": "A flag"})"));
  EXPECT_EQ(properties["count"], core::ParseJson(R"({"type": "integer", "default": 3, "minimum": 0,
                                                 "maximum": 10, "description": "A count"})"));
  EXPECT_EQ(properties["bytes"],
            core::ParseJson(R"({"type": "integer", "default": -1, "unit": "byte",
                                                 "description": "A size"})"));
  EXPECT_EQ(properties["seed"]["type"], "integer");
  EXPECT_EQ(properties["share"],
            core::ParseJson(R"({"type": "number", "default": 0.5, "exclusiveMinimum": 0.0,
                            "exclusiveMaximum": 1.0, "description": "A share"})"));
  EXPECT_EQ(properties["mode"], core::ParseJson(R"({"type": "string", "default": "fast",
                                                "enum": ["fast", "exact"],
                                                "description": "A mode"})"));
  EXPECT_EQ(properties["file"]["default"], "out.svg");
  EXPECT_EQ(properties["file"]["refers"], "output_page");
  EXPECT_FALSE(properties["mode"].contains("refers"));
}

TEST(RequestSchema, LeavesOutADefaultThatNoRequestMayState) {
  const json properties = RequestSchema(kSample)["properties"];
  EXPECT_EQ(properties["rounds"],
            core::ParseJson(R"({"type": "integer", "exclusiveMinimum": 0, "description": "A number",
                            "default_description": "as many as needed"})"));
  EXPECT_FALSE(properties["calls"].contains("default"));
  EXPECT_EQ(properties["rate"]["default"], 2.5);
}

TEST(RequestSchema, StatesTheElementsOfLists) {
  const json properties = RequestSchema(kSample)["properties"];
  EXPECT_EQ(properties["batches"],
            core::ParseJson(R"({"type": "array", "default": [1], "description": "Batch sizes",
                            "items": {"type": "integer", "exclusiveMinimum": 0}})"));
  EXPECT_EQ(properties["sizes"]["maxItems"], 2);
  EXPECT_EQ(properties["points"]["items"], core::ParseJson(R"({"type": "number"})"));
  EXPECT_EQ(properties["names"], core::ParseJson(R"({"type": "array", "items": {"type": "string"},
                                                 "minItems": 1, "description": "Names",
                                                 "positional": true})"));
  EXPECT_EQ(properties["folders"]["items"], core::ParseJson(R"({"type": "string"})"));
}

TEST(RequestSchema, StatesWhatIsRequiredNeededAndExcluded) {
  const json schema = RequestSchema(kSample);
  EXPECT_EQ(schema["type"], "object");
  EXPECT_EQ(schema["additionalProperties"], false);
  EXPECT_EQ(schema["required"], core::ParseJson(R"(["names"])"));
  EXPECT_EQ(schema["dependentRequired"], core::ParseJson(R"({"rate": ["seed"]})"));
  EXPECT_EQ(schema["not"], core::ParseJson(R"({"anyOf": [{"required": ["rate", "rounds"]},
                                                     {"required": ["rate", "flag"]}]})"));
}

TEST(ReadRequest, KeepsTheDefaultsOfWhatIsMissingOrNull) {
  EXPECT_EQ(Answer({{"names", {"a"}}, {"count", nullptr}}), core::ParseJson(R"({
      "flag": false, "count": 3, "bytes": -1, "seed": 7, "share": 0.5, "mode": "fast",
      "file": "out.svg", "rounds": null, "rate": 2.5, "batches": [1], "sizes": [], "points": [],
      "names": ["a"], "folders": [], "program": []})"));
}

TEST(ReadRequest, ReadsEveryType) {
  const json request = core::ParseJson(R"({
      "flag": true, "count": 10, "bytes": -9000000000, "seed": 18446744073709551615,
      "share": 0.25, "mode": "exact", "file": "b.html", "rounds": 4,
      "batches": [1, 2], "sizes": [5000000000, 0], "points": [1, 2.5], "names": ["a", "b"],
      "folders": ["c", "d"], "program": ["make", "-j"]})");
  json expected = request;
  expected["rate"] = 2.5;
  EXPECT_EQ(Answer(request), expected);
}

TEST(ReadRequest, RefusesAFieldThatThereIsNotAndSuggestsTheNearest) {
  EXPECT_EQ(Refusal({{"counts", 1}}), "no such field: counts [Did you mean count?]");
  EXPECT_THAT(Refusal({{"anything", 1}}),
              AllOf(HasSubstr("no such field: anything"), HasSubstr("Fields: flag, count")));
}

TEST(ReadRequest, RefusesValuesOfAnotherType) {
  EXPECT_EQ(Refusal({{"flag", 1}}), "field must be true or false, not 1: flag [flag: A flag]");
  EXPECT_THAT(Refusal({{"count", "3"}}), HasSubstr("an integer of at least 0 and of at most 10"));
  EXPECT_THAT(Refusal({{"count", 2.5}}), HasSubstr("not 2.5: count"));
  EXPECT_THAT(Refusal({{"seed", -1}}), HasSubstr("an integer, not -1: seed"));
  EXPECT_THAT(Refusal({{"rounds", 5000000000}}), HasSubstr("an integer above 0"));
  EXPECT_THAT(Refusal({{"file", json::array()}}), HasSubstr("a text, not []: file"));
  EXPECT_THAT(Refusal({{"batches", 1}}), HasSubstr("an array, each element an integer above 0"));
  EXPECT_THAT(Refusal({{"batches", {1, "2"}}}), HasSubstr("not [1,\"2\"]: batches"));
  EXPECT_THAT(Refusal(json::array()), HasSubstr("request of group/sample must be an object"));
}

TEST(ReadRequest, RefusesValuesOutOfTheirRange) {
  EXPECT_THAT(Refusal({{"count", 11}}), HasSubstr("not 11: count"));
  EXPECT_THAT(Refusal({{"share", 1}}), HasSubstr("a number above 0 and below 1, not 1: share"));
  EXPECT_THAT(Refusal({{"share", 0}}), HasSubstr("not 0: share"));
  EXPECT_THAT(Refusal({{"mode", "slow"}}), HasSubstr("one of fast, exact, not \"slow\": mode"));
  EXPECT_THAT(Refusal({{"batches", {1, 0}}}), HasSubstr("not [1,0]: batches"));
  EXPECT_THAT(Refusal({{"sizes", {1, 2, 3}}}), HasSubstr("an array of at most 2"));
}

TEST(ReadRequest, RefusesWhatIsMissingExcludedOrAlone) {
  EXPECT_EQ(Answer(json::object()), "field is missing: names [names: Names]");
  EXPECT_EQ(Answer({{"names", nullptr}}), "field is missing: names [names: Names]");
  EXPECT_THAT(Refusal({{"names", json::array()}}), HasSubstr("an array that is not empty"));
  EXPECT_EQ(Refusal({{"rate", 1}, {"seed", 1}, {"rounds", 1}}),
            "field excludes rounds: rate [rate: A rate]");
  EXPECT_THAT(Refusal({{"rate", 1}, {"seed", 1}, {"flag", true}}), HasSubstr("excludes flag"));
  EXPECT_EQ(Refusal({{"rate", 1}}), "field needs seed: rate [rate: A rate]");
  EXPECT_EQ(Refusal({{"rate", 1}, {"seed", 1}}), "(no error)");
}

TEST(CommandLine, AsksForTheSame) {
  EXPECT_EQ(CommandLine(kSample, core::ParseJson(R"({
      "flag": true, "count": 4, "share": 0.25, "mode": "exact", "batches": [1, 2],
      "sizes": [3, 4], "points": [1.5, 2.5], "names": ["a", "b"], "folders": ["c", "d"],
      "program": ["make", "-j"]})")),
            "xsp group sample a b --flag --count 4 --share 0.25 --mode exact --batches 1,2 "
            "--sizes 3 --sizes 4 --points 1.5 --points 2.5 --folders c,d -- make -j");
}

TEST(CommandLine, LeavesOutWhatIsNotGivenOrNotKnown) {
  EXPECT_EQ(CommandLine(kSample, {{"names", {"a"}},
                                  {"flag", false},
                                  {"rate", nullptr},
                                  {"sizes", json::array()},
                                  {"other", 1}}),
            "xsp group sample a");
}

TEST(CommandLine, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(CommandLine(kSample, {{"names", {"two words", "it's", "", "$HOME", "a*b"}},
                                  {"file", "a;b"},
                                  {"program", {"sh", "-c", "echo \"hi\" && exit"}}}),
            "xsp group sample 'two words' 'it'\\''s' '' '$HOME' 'a*b' --file 'a;b' "
            "-- sh -c 'echo \"hi\" && exit'");
}

}  // namespace
}  // namespace xsp::api
