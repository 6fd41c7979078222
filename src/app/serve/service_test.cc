#include "app/serve/service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "api/operations/operation_list.h"
#include "app/serve/served_operation.h"
#include "core/json_text.h"
#include "os/scratch_folder.h"
#include "source_dir.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kToken = "a-token-of-this-test";

/// A server of a store with one experiment, without a network.
class ServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path trace = scratch_.path() / "trace.json";
    std::ofstream(trace) << R"({"traceEvents": [
      {"ph": "X", "name": "<b>step</b>", "pid": 1, "tid": 1, "ts": 0, "dur": 10},
      {"ph": "X", "name": "work", "pid": 1, "tid": 1, "ts": 2, "dur": 5}]})";
    api::Context context;
    context.store = store_;
    const auto imported = api::Perform(
        "import", {{"file", json::array({trace.string()})}, {"name", "mine"}}, context);
    ASSERT_TRUE(imported.ok()) << imported.error().what;
    Start(Role::kMeasure);
  }

  void Start(Role highest) {
    service_.reset();
    Service::Settings settings;
    settings.context.store = store_;
    settings.context.analyses = {fs::path(XSP_SOURCE_DIR) / "analyses"};
    settings.context.query_limits = {.time_s = 10, .rows = 1000};
    settings.access = {.token = kToken, .highest = highest};
    settings.hosts = {"localhost", "127.0.0.1"};
    settings.application = scratch_.path() / "application";
    settings.machine_lock = scratch_.path() / "lock";
    // Performs each job by failing: what a job does is tested by tests/serve_test.py.
    settings.program = "/bin/false";
    settings.upload_bytes = 1000;
    settings.model_uploads = model_uploads_;
    service_ = std::make_unique<Service>(std::move(settings));
  }

  static Request RequestFor(const std::string& method, const std::string& address) {
    Request request;
    request.method = method;
    request.path = address.substr(0, address.find('?'));
    request.headers = {{"host", "localhost:7077"},
                       {"authorization", std::string("Bearer ") + kToken}};
    std::string query =
        address.size() > request.path.size() ? address.substr(request.path.size() + 1) : "";
    while (!query.empty()) {
      const std::string field = query.substr(0, query.find('&'));
      query.erase(0, std::min(query.size(), field.size() + 1));
      request.query.emplace(field.substr(0, field.find('=')), field.substr(field.find('=') + 1));
    }
    return request;
  }
  Reply Get(const std::string& address) { return service_->Handle(RequestFor("GET", address)); }
  Reply Post(const std::string& address, const json& body) {
    Request request = RequestFor("POST", address);
    request.headers["content-type"] = "application/json";
    request.body = core::JsonText(body);
    return service_->Handle(std::move(request));
  }
  Reply Upload(const std::string& name, const std::string& content) {
    Request request = RequestFor("POST", "/api/v1/uploads?name=" + name);
    request.read_body = [&](const std::function<bool(std::string_view)>& take) {
      return take(content);
    };
    return service_->Handle(std::move(request));
  }
  static std::string HeaderOf(const Reply& reply, const std::string& name) {
    for (const auto& [key, value] : reply.headers)
      if (key == name) return value;
    return {};
  }
  static json ErrorOfReply(const Reply& reply) { return core::ParseJson(reply.body)["error"]; }

  os::ScratchFolder scratch_ = os::ScratchFolder::Create().value();
  fs::path store_ = scratch_.path() / "store";
  bool model_uploads_ = false;
  std::unique_ptr<Service> service_;
};

TEST_F(ServiceTest, AnswersWhatTheOperationAnswers) {
  const Reply reply = Get("/api/v1/list");
  ASSERT_EQ(reply.status, 200) << reply.body;
  api::Context context;
  context.store = store_;
  EXPECT_EQ(core::ParseJson(reply.body),
            api::ToJson(api::Perform("list", json::object(), context).value()));
  json shown = api::ToJson(api::Perform("show", {{"run", "mine"}}, context).value());
  EXPECT_EQ(shown["path"], (store_ / "mine").string());
  shown["path"] = "mine";  // Where the store lies is not told.
  EXPECT_EQ(core::ParseJson(Get("/api/v1/show?run=mine").body), shown);
}

TEST_F(ServiceTest, ErrorsNameNoPathOfTheStore) {
  std::ofstream(store_ / "mine" / "experiment.json") << "{";
  const Reply reply = Get("/api/v1/show?run=mine");
  EXPECT_EQ(reply.status, 422);
  EXPECT_EQ(ErrorOfReply(reply)["what"], "not a JSON object: mine/experiment.json");
}

TEST_F(ServiceTest, TellsNothingToWhomItDoesNotKnow) {
  std::set<std::string> open;
  for (const ServedOperation& served : ServedOperations()) {
    for (const char* method : {"GET", "POST"}) {
      Request request = RequestFor(method, served.path());
      request.headers.erase("authorization");
      const int status = service_->Handle(request).status;
      EXPECT_TRUE(status == 401 || status == 405) << method << " " << served.path();
    }
    EXPECT_NE(service_
                  ->Handle([&] {
                    Request page = RequestFor("GET", "/pages/" + served.operation->name);
                    page.headers.erase("authorization");
                    return page;
                  }())
                  .status,
              200);
  }
  for (const char* path : {"/api/v1/session", "/api/v1/operations", "/api/v1/openapi.json",
                           "/api/v1/jobs", "/api/v1/jobs/events", "/api/v1/jobs/1/log"}) {
    Request request = RequestFor("GET", path);
    request.headers.erase("authorization");
    EXPECT_EQ(service_->Handle(request).status, 401) << path;
    request.headers["authorization"] = "Bearer wrong";
    EXPECT_EQ(service_->Handle(request).status, 401) << path;
  }
}

TEST_F(ServiceTest, LimitsTheSqlOfSuitesAsThatOfQueries) {
  const auto what = [&](const std::string& address, const json& body) {
    const json reply = core::ParseJson(Post(address, body).body);
    return reply.value("error", json::object()).value("what", "none");
  };
  const json experiment = json::array({"mine"});
  EXPECT_EQ(
      what("/api/v1/suite/vectors", {{"source", experiment}, {"metric", {"a=count(*) FROM span"}}}),
      "none");
  EXPECT_THAT(what("/api/v1/suite/vectors",
                   {{"source", experiment}, {"metric", {"a=i FROM range(2000) AS t(i)"}}}),
              HasSubstr("more rows than its limit: 1000"));
  for (const char* metric : {"a=count(*) FROM duckdb_settings()",
                             "a=count(*) FROM enable_logging(storage = 'file', storage_config = "
                             "{'path': '/tmp/xsp'})",
                             "a=SELECT 1; DROP VIEW span"})
    EXPECT_NE(what("/api/v1/suite/vectors", {{"source", experiment}, {"metric", {metric}}}), "none")
        << metric;
  EXPECT_EQ(what("/api/v1/suite/vectors", {{"source", experiment}, {"where", "batch = 1 OR true"}}),
            "none");
  for (const char* where :
       {"current_setting('threads') = '1'", "true); DROP TABLE input; SELECT (1",
        "(SELECT count(*) FROM duckdb_settings()) > 0"})
    EXPECT_NE(what("/api/v1/suite/vectors", {{"source", experiment}, {"where", where}}), "none")
        << where;
}

TEST_F(ServiceTest, LetsViewersReadOnly) {
  Start(Role::kView);
  EXPECT_EQ(Get("/api/v1/list").status, 200);
  EXPECT_EQ(Post("/api/v1/query", {{"run", "mine"}, {"sql", "SELECT 1"}}).status, 200);
  for (const ServedOperation& served : ServedOperations())
    if (served.role() == Role::kMeasure) {
      EXPECT_EQ(Post(served.path(), json::object()).status, 403) << served.path();
    }
  EXPECT_EQ(Upload("a", "b").status, 403);
  Request cancel = RequestFor("DELETE", "/api/v1/jobs/000001");
  EXPECT_EQ(service_->Handle(cancel).status, 403);
}

TEST_F(ServiceTest, RefusesNamesThatItIsNotKnownBy) {
  Request request = RequestFor("GET", "/api/v1/list");
  for (const char* host : {"", "attacker.example", "attacker.example:7077",
                           "localhost.attacker.example", "[::1", "localhost, attacker.example"}) {
    request.headers["host"] = host;
    EXPECT_EQ(service_->Handle(request).status, 421) << host;
  }
  for (const char* host : {"localhost", "LOCALHOST:80", "127.0.0.1:7077"}) {
    request.headers["host"] = host;
    EXPECT_EQ(service_->Handle(request).status, 200) << host;
  }
}

TEST_F(ServiceTest, RefusesChangesFromPagesOfOthers) {
  Request log_in = RequestFor("POST", "/api/v1/session");
  log_in.headers.erase("authorization");
  log_in.headers["content-type"] = "application/json";
  log_in.body = core::JsonText(json{{"token", kToken}});
  const std::string cookie = HeaderOf(service_->Handle(log_in), "Set-Cookie");
  EXPECT_THAT(cookie, HasSubstr("HttpOnly; SameSite=Strict"));
  Request tag = RequestFor("POST", "/api/v1/tag");
  tag.headers.erase("authorization");
  tag.headers["cookie"] = cookie.substr(0, cookie.find(';'));
  tag.headers["content-type"] = "application/json";
  tag.body = core::JsonText(json{{"name", "mine"}, {"tags", json::array({"a=b"})}});
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"origin", "http://attacker.example"},
                                                        {"origin", "null"},
                                                        {"sec-fetch-site", "cross-site"},
                                                        {"sec-fetch-site", "same-site"}}) {
    Request of_others = tag;
    of_others.headers[name] = value;
    EXPECT_EQ(service_->Handle(of_others).status, 403) << value;
  }
  Request form = tag;
  form.headers["origin"] = "http://localhost:7077";
  form.headers["content-type"] = "text/plain";
  EXPECT_EQ(service_->Handle(form).status, 400);
  tag.headers["origin"] = "http://localhost:7077";
  const Reply reply = service_->Handle(tag);
  EXPECT_EQ(reply.status, 200) << reply.body;
}

TEST_F(ServiceTest, LogsInByTheAddressItPrintsAndTakesTheTokenOutOfIt) {
  Request request = RequestFor("GET", std::string("/jobs?token=") + kToken);
  request.headers.erase("authorization");
  const Reply reply = service_->Handle(request);
  EXPECT_EQ(reply.status, 303);
  EXPECT_EQ(HeaderOf(reply, "Location"), "/jobs");
  const std::string cookie = HeaderOf(reply, "Set-Cookie");
  Request session = RequestFor("GET", "/api/v1/session");
  session.headers.erase("authorization");
  session.headers["cookie"] = cookie.substr(0, cookie.find(';'));
  EXPECT_EQ(core::ParseJson(service_->Handle(session).body)["role"], "measure");
  for (const char* elsewhere : {"//attacker.example/", "/\\attacker.example", "/a\r\nX: y"}) {
    request.path = elsewhere;
    EXPECT_EQ(HeaderOf(service_->Handle(request), "Location"), "/") << elsewhere;
  }
  request.query = {{"token", "wrong"}};
  EXPECT_EQ(HeaderOf(service_->Handle(request), "Set-Cookie"), "");
}

TEST_F(ServiceTest, SendsSecurityHeadersWithEveryReply) {
  for (const char* address :
       {"/", "/api/v1/list", "/api/v1/nothing", "/assets/none.js", "/pages/report?run=mine"}) {
    const Reply reply = Get(address);
    EXPECT_EQ(HeaderOf(reply, "X-Content-Type-Options"), "nosniff") << address;
    EXPECT_THAT(HeaderOf(reply, "Content-Security-Policy"), HasSubstr("default-src 'none'"));
    EXPECT_EQ(HeaderOf(reply, "Referrer-Policy"), "no-referrer") << address;
  }
  EXPECT_THAT(HeaderOf(Get("/"), "Content-Security-Policy"), Not(HasSubstr("unsafe")));
}

TEST_F(ServiceTest, ShowsPagesInASandbox) {
  const Reply reply = Get("/pages/report?run=mine");
  if (reply.status == 501 || reply.status == 503) GTEST_SKIP() << "web/dist is not built";
  ASSERT_EQ(reply.status, 200) << reply.body.substr(0, 500);
  EXPECT_EQ(reply.content_type, "text/html; charset=utf-8");
  EXPECT_TRUE(HeaderOf(reply, "Content-Security-Policy").starts_with("sandbox allow-scripts"));
  EXPECT_THAT(HeaderOf(reply, "Content-Security-Policy"), Not(HasSubstr("allow-same-origin")));
  EXPECT_THAT(reply.body, Not(HasSubstr("<b>step</b>")));
  EXPECT_EQ(Get("/pages/report?run=mine&output=/tmp/x.html").status, 400);
}

TEST_F(ServiceTest, ReachesNoFileByARequest) {
  const std::string outside = (scratch_.path() / "trace.json").string();
  for (const std::string& run :
       {outside, std::string("../store/mine"), std::string("/etc"),
        std::string("mine/../../trace.json"), std::string(".serve"), (store_ / "mine").string()}) {
    for (const char* operation : {"show", "query", "findings"}) {
      json fields = {{"run", run}};
      if (operation == std::string("query")) fields["sql"] = "SELECT 1";
      const Reply reply = Post(std::string("/api/v1/") + operation, fields);
      EXPECT_GE(reply.status, 400) << operation << " " << run;
      EXPECT_LT(reply.status, 500) << operation << " " << run << reply.body;
    }
  }
  EXPECT_EQ(Post("/api/v1/import", {{"file", json::array({outside})}}).status, 400);
  EXPECT_EQ(Post("/api/v1/run", {{"model", outside}}).status, 400);
  EXPECT_EQ(Post("/api/v1/compare", {{"side", json::array({"mine", outside})}}).status, 400);
  for (const char* sql : {"SELECT * FROM read_text('/etc/passwd')", "SELECT * FROM glob('/*')",
                          "COPY (SELECT 1) TO '/tmp/x'", "ATTACH '/tmp/x'"})
    EXPECT_EQ(Post("/api/v1/query", {{"run", "mine"}, {"sql", sql}}).status, 422) << sql;
}

TEST_F(ServiceTest, AnswersAgainWithoutABodyUntilTheStoreChanges) {
  const Reply first = Get("/api/v1/list");
  Request again = RequestFor("GET", "/api/v1/list");
  again.headers["if-none-match"] = HeaderOf(first, "ETag");
  const Reply second = service_->Handle(again);
  EXPECT_EQ(second.status, 304);
  EXPECT_EQ(second.body, "");
  const Reply renamed = Post("/api/v1/rename", {{"name", "mine"}, {"new_name", "other"}});
  ASSERT_EQ(renamed.status, 200) << renamed.body;
  const Reply third = service_->Handle(again);
  EXPECT_EQ(third.status, 200);
  EXPECT_THAT(third.body, HasSubstr("other"));
}

TEST_F(ServiceTest, GivesListsInPages) {
  ASSERT_EQ(Get("/api/v1/zoo/list?limit=0").status, 400);
  const Reply whole = Get("/api/v1/zoo/list");
  const json all = core::ParseJson(whole.body);
  ASSERT_TRUE(all.is_array());
  json read = json::array();
  std::string address = "/api/v1/zoo/list?limit=7";
  while (!address.empty()) {
    const Reply reply = Get(address);
    ASSERT_EQ(reply.status, 200) << reply.body;
    EXPECT_EQ(HeaderOf(reply, "X-Total-Count"), std::to_string(all.size()));
    for (const json& item : core::ParseJson(reply.body)) read.push_back(item);
    const std::string link = HeaderOf(reply, "Link");
    address = link.empty() ? "" : link.substr(1, link.find('>') - 1);
  }
  EXPECT_EQ(read, all);
  EXPECT_EQ(Get("/api/v1/zoo/list?cursor=99999999999999999999999").status, 400);
  const Reply no_list = Get("/api/v1/show?run=mine&limit=7");
  EXPECT_EQ(no_list.status, 400);
  EXPECT_EQ(ErrorOfReply(no_list)["field"], "limit") << no_list.body;
}

TEST_F(ServiceTest, QueuesWhatTakesMinutes) {
  const Reply reply = Post("/api/v1/run", {{"model", "resnet50"}, {"iterations", 3}});
  ASSERT_EQ(reply.status, 202) << reply.body;
  const json job = core::ParseJson(reply.body)["job"];
  EXPECT_EQ(HeaderOf(reply, "Location"), "/api/v1/jobs/" + job["id"].get<std::string>());
  EXPECT_EQ(job["command"], "xsp run resnet50 --iterations 3");
  EXPECT_EQ(job["user"], "token");
  const json jobs = core::ParseJson(Get("/api/v1/jobs").body)["jobs"];
  ASSERT_EQ(jobs.size(), 1);
  EXPECT_EQ(jobs[0]["id"], job["id"]);
  EXPECT_EQ(Get("/api/v1/jobs/000099").status, 404);
  EXPECT_EQ(Get("/api/v1/jobs/..").status, 404);
}

TEST_F(ServiceTest, PlansAMeasurementAtOnceAndReachesNoOtherModels) {
  // There is no such model, which only who plans can tell: a job would fail later.
  const Reply planned = Post("/api/v1/run", {{"model", "no-such-model"}, {"plan", true}});
  EXPECT_EQ(planned.status, 422) << planned.body;
  EXPECT_THAT(planned.body, HasSubstr("no-such-model"));
  EXPECT_EQ(core::ParseJson(Get("/api/v1/jobs").body)["jobs"].size(), 0U);
  EXPECT_EQ(Post("/api/v1/run", {{"model", "/etc/passwd"}, {"plan", true}}).status, 400);
  EXPECT_EQ(Post("/api/v1/run", {{"model", "resnet50"}, {"plan", false}}).status, 202);
  Start(Role::kView);
  EXPECT_EQ(Post("/api/v1/run", {{"model", "resnet50"}, {"plan", true}}).status, 403);
}

TEST_F(ServiceTest, RefusesAWrongRequestBeforeItQueuesIt) {
  const Reply reply = Post("/api/v1/run", {{"model", "resnet50"}, {"iterations", "three"}});
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(ErrorOfReply(reply)["field"], "iterations");
  EXPECT_EQ(Post("/api/v1/run", {{"model", "resnet50"}, {"no_such", 1}}).status, 400);
  EXPECT_TRUE(core::ParseJson(Get("/api/v1/jobs").body)["jobs"].empty());
}

TEST_F(ServiceTest, FollowsAJobToItsEnd) {
  const Reply reply = Post("/api/v1/run", {{"model", "resnet50"}});
  const std::string id = core::ParseJson(reply.body)["job"]["id"];
  const Reply events = Get("/api/v1/jobs/" + id + "/events");
  ASSERT_TRUE(events.stream);
  std::string text, piece;
  bool goes_on = true;
  while (goes_on) {
    piece.clear();
    goes_on = events.stream(&piece);
    text += piece;
  }
  EXPECT_THAT(text, HasSubstr("event: job\ndata: {"));
  EXPECT_THAT(text, HasSubstr(R"("state":"failed")"));
  EXPECT_EQ(Get("/api/v1/jobs/" + id + "/result").status, 404);
  EXPECT_EQ(Get("/api/v1/jobs/" + id + "/log").status, 200);
}

TEST_F(ServiceTest, TakesUploadsUpToTheirLimit) {
  const Reply reply = Upload("trace.json", "{}");
  ASSERT_EQ(reply.status, 201) << reply.body;
  const json upload = core::ParseJson(reply.body);
  EXPECT_EQ(Post("/api/v1/import", {{"file", json::array({upload["upload"]})}}).status, 202);
  EXPECT_EQ(Upload("large", std::string(2000, 'x')).status, 413);
  EXPECT_EQ(
      Post("/api/v1/import", {{"file", json::array({"upload:000000000000000000000000"})}}).status,
      422);
}

TEST_F(ServiceTest, MeasuresUploadedModelsOnlyWhereThatIsAllowed) {
  const auto run = [&](const std::string& field, const std::string& name) {
    const Reply reply = Upload(name, "{}");
    EXPECT_EQ(reply.status, 201) << reply.body;
    json request = {{"model", "resnet50"}};
    request[field] = core::ParseJson(reply.body)["upload"];
    return Post("/api/v1/run", request);
  };
  const auto may_upload = [&] {
    return core::ParseJson(Get("/api/v1/session").body)["model_uploads"].get<bool>();
  };
  EXPECT_FALSE(may_upload());
  const Reply refused = run("model", "net.onnx");
  EXPECT_EQ(refused.status, 400) << refused.body;
  EXPECT_THAT(ErrorOfReply(refused)["what"].get<std::string>(), HasSubstr("not a model"));
  model_uploads_ = true;
  Start(Role::kView);
  EXPECT_FALSE(may_upload());
  Start(Role::kMeasure);
  EXPECT_TRUE(may_upload());
  EXPECT_EQ(run("model", "net.onnx").status, 202);
  EXPECT_EQ(run("model", "net.yaml").status, 400);
  EXPECT_EQ(run("manifest", "net.yaml").status, 400);
  EXPECT_EQ(run("manifest", "net.onnx").status, 400) << "what is named here is read as a manifest";
}

TEST_F(ServiceTest, SaysThatItsStoreIsGone) {
  fs::remove_all(store_ / "mine");
  EXPECT_GE(Get("/api/v1/show?run=mine").status, 400);
  service_.reset();
  fs::remove_all(store_);
  Start(Role::kView);
  fs::remove_all(store_);
  EXPECT_EQ(Get("/api/v1/list").status, 503);
}

TEST_F(ServiceTest, KnowsItsAddressesAndMethods) {
  EXPECT_EQ(Get("/api/v1/nothing").status, 404);
  EXPECT_EQ(Get("/pages/nothing").status, 404);
  EXPECT_EQ(Get("/assets/../secret").status, 404);
  const Reply reply = Get("/api/v1/run");
  EXPECT_EQ(reply.status, 405);
  EXPECT_EQ(HeaderOf(reply, "Allow"), "POST");
  EXPECT_EQ(Get("/experiments/mine").content_type, "text/html; charset=utf-8");
}

TEST_F(ServiceTest, KeepsAnswersAboutAnExperimentWhileOthersChange) {
  // Each operation that declares it, asked about the experiment alone.
  const json others = {{"sql", "SELECT count(*) FROM span"}, {"id", "A6"}};
  int asked = 0;
  std::map<std::string, std::pair<std::string, std::string>> before;  // Body and tag by address.
  for (const ServedOperation& served : ServedOperations()) {
    if (!served.operation->reads_named_only || !served.is_read()) continue;
    const json& properties = served.request_schema["properties"];
    std::string address = served.path() + "?run=mine";
    for (const auto& [name, value] : others.items())
      if (properties.contains(name)) address += "&" + name + "=" + value.get<std::string>();
    const Reply reply = Get(address);
    ASSERT_EQ(reply.status, 200) << address << reply.body;
    before[address] = {reply.body, HeaderOf(reply, "ETag")};
    ++asked;
  }
  EXPECT_GE(asked, 4);
  fs::copy(store_ / "mine", store_ / "other", fs::copy_options::recursive);
  Start(Role::kMeasure);  // Has stored nothing: computes each anew.
  for (const auto& [address, answer] : before) {
    EXPECT_EQ(Get(address).body, answer.first) << address << " depends on other experiments";
    EXPECT_EQ(HeaderOf(Get(address), "ETag"), answer.second);
  }
}

TEST_F(ServiceTest, ComputesAnAnswerAgainOnceItsExperimentChanges) {
  const auto tags = [this] {
    const json shown = core::ParseJson(Get("/api/v1/show?run=mine").body);
    return shown["experiment"].value("tags", json::object());
  };
  EXPECT_EQ(tags(), json::object());
  EXPECT_EQ(Post("/api/v1/tag", {{"name", "mine"}, {"tags", json::array({"a=b"})}}).status, 200);
  EXPECT_EQ(tags(), json({{"a", "b"}}));
}

TEST_F(ServiceTest, AnswersManyAtOnce) {
  std::vector<std::jthread> threads;
  std::vector<int> statuses(16);
  for (std::size_t i = 0; i < statuses.size(); ++i)
    threads.emplace_back([&, i] {
      const std::vector<std::string> addresses = {"/api/v1/list", "/api/v1/show?run=mine",
                                                  "/api/v1/findings?run=mine",
                                                  "/api/v1/query?run=mine&sql=SELECT%201"};
      statuses[i] = Get(addresses[i % 3]).status;
    });
  threads.clear();
  for (const int status : statuses) EXPECT_EQ(status, 200);
}

}  // namespace
}  // namespace xsp::serve
