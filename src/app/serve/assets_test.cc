#include "app/serve/assets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "store/store_testing.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Pair;

class AssetsTest : public testing::Test {
 protected:
  AssetsTest() {
    fs::create_directories(folder_.path() / "assets" / "below");
    Write("index.html", "<p>index</p>");
    Write("assets/app-1.js", "script");
    Write("assets/below/x.js", "below");
    Write("secret", "secret");
  }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
  }

  store::TestFolder folder_;
};

TEST_F(AssetsTest, HaveAPageForEveryAddress) {
  const Reply reply = Assets(folder_.path()).Index();
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "<p>index</p>");
  EXPECT_EQ(reply.content_type, "text/html; charset=utf-8");
  EXPECT_THAT(reply.headers, Contains(Pair("Cache-Control", "no-cache")));
}

TEST_F(AssetsTest, AreStoredByBrowsersForEver) {
  const Reply reply = Assets(folder_.path()).Asset("app-1.js");
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "script");
  EXPECT_THAT(reply.headers, Contains(Pair("Cache-Control", HasSubstr("immutable"))));
}

TEST_F(AssetsTest, NamesLeadToNoOtherFile) {
  const Assets assets(folder_.path());
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("../index.html"),
        std::string("../secret"), std::string("below"), std::string("below/x.js"),
        std::string("./app-1.js"), std::string("/app-1.js"), std::string("APP-1.js"),
        std::string("app-1.js\0", 9), (folder_.path() / "secret").string()}) {
    const Reply reply = assets.Asset(name);
    EXPECT_EQ(reply.status, 404) << name;
    EXPECT_EQ(reply.body.find("secret"), std::string::npos);
  }
}

TEST_F(AssetsTest, HaveTheTypeOfTheirName) {
  const std::pair<std::string, std::string> types[] = {{"a.js", "text/javascript; charset=utf-8"},
                                                       {"a.css", "text/css; charset=utf-8"},
                                                       {"a.svg", "image/svg+xml"},
                                                       {"a.png", "image/png"},
                                                       {"a.json", "application/json"},
                                                       {"a.woff2", "font/woff2"},
                                                       {"a.html", "application/octet-stream"},
                                                       {"a", "application/octet-stream"}};
  for (const auto& [name, type] : types) Write("assets/" + name, "x");
  const Assets assets(folder_.path());
  for (const auto& [name, type] : types) EXPECT_EQ(assets.Asset(name).content_type, type) << name;
}

TEST_F(AssetsTest, AreReadOnce) {
  const Assets assets(folder_.path());
  Write("assets/app-1.js", "another");
  Write("assets/late.js", "late");
  EXPECT_EQ(assets.Asset("app-1.js").body, "script");
  EXPECT_EQ(assets.Asset("late.js").status, 404);
}

TEST_F(AssetsTest, ThatAreNotBuiltAreExplained) {
  const Assets assets(folder_.path() / "none");
  EXPECT_EQ(assets.Index().status, 200);
  EXPECT_THAT(assets.Index().body, HasSubstr("not built"));
  EXPECT_EQ(assets.Asset("app-1.js").status, 404);
}

}  // namespace
}  // namespace xsp::serve
