#include "app/serve/router.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::serve {
namespace {

using Names = std::map<std::string, std::string, std::less<>>;

/// The pattern of the route that was found, or "none".
std::string PatternFor(const Router& router, std::string_view method, std::string_view path,
                       Names* names) {
  const Route* route = router.Find(method, path, names);
  return route == nullptr ? "none" : route->pattern;
}

Route RouteOf(const std::string& method, const std::string& pattern) {
  return {.method = method, .pattern = pattern, .answer = {}};
}

TEST(Router, CapturesPartsOfThePath) {
  Router router;
  router.Add(RouteOf("GET", "/jobs/{id}/log"));
  Names names;
  EXPECT_EQ(PatternFor(router, "GET", "/jobs/000007/log", &names), "/jobs/{id}/log");
  EXPECT_EQ(names, (Names{{"id", "000007"}}));
  EXPECT_EQ(PatternFor(router, "GET", "/jobs/../log", &names), "/jobs/{id}/log");
  EXPECT_EQ(names, (Names{{"id", ".."}}));
}

TEST(Router, APartIsNotEmptyAndHasNoSlash) {
  Router router;
  router.Add(RouteOf("GET", "/jobs/{id}"));
  Names names;
  for (const std::string_view path :
       {"/jobs/", "/jobs", "/jobs//", "/jobs/a/", "/jobs/a/b", "//jobs/a", "jobs/a", "", "/"})
    EXPECT_EQ(PatternFor(router, "GET", path, &names), "none") << path;
}

TEST(Router, PrefersPatternsWithoutNames) {
  for (const bool is_plain_first : {true, false}) {
    Router router;
    if (is_plain_first) router.Add(RouteOf("GET", "/jobs/events"));
    router.Add(RouteOf("GET", "/jobs/{id}"));
    if (!is_plain_first) router.Add(RouteOf("GET", "/jobs/events"));
    Names names;
    EXPECT_EQ(PatternFor(router, "GET", "/jobs/events", &names), "/jobs/events");
    EXPECT_TRUE(names.empty());
    EXPECT_EQ(PatternFor(router, "GET", "/jobs/event", &names), "/jobs/{id}");
  }
}

TEST(Router, AnswersHeadAsGetAndNoOtherMethod) {
  Router router;
  router.Add(RouteOf("GET", "/a"));
  router.Add(RouteOf("POST", "/a"));
  router.Add(RouteOf("POST", "/b"));
  Names names;
  EXPECT_EQ(router.Find("HEAD", "/a", &names), router.Find("GET", "/a", &names));
  EXPECT_EQ(router.Find("POST", "/a", &names)->method, "POST");
  for (const std::string_view method : {"HEAD", "GET", "DELETE", "post", "", "PATCH", "OPTIONS"})
    EXPECT_EQ(router.Find(method, "/b", &names), nullptr) << method;
}

TEST(Router, ListsTheMethodsOfAPathOnce) {
  Router router;
  router.Add(RouteOf("GET", "/a"));
  router.Add(RouteOf("GET", "/{x}"));
  router.Add(RouteOf("DELETE", "/{x}"));
  EXPECT_EQ(router.MethodsOf("/a"), "GET, DELETE");
  EXPECT_EQ(router.MethodsOf("/b"), "GET, DELETE");
  EXPECT_EQ(router.MethodsOf("/b/"), "");
}

std::vector<std::string> PartsOf(std::string_view path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '/') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

/// By the definition, part by part.
bool SlowlyMatches(const std::string& pattern, const std::string& path, Names* names) {
  const std::vector<std::string> wanted = PartsOf(pattern), parts = PartsOf(path);
  names->clear();
  if (wanted.size() != parts.size()) return false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool is_name = wanted[i].starts_with('{');
    if (is_name ? parts[i].empty() : wanted[i] != parts[i]) return false;
    if (is_name) names->emplace(wanted[i].substr(1, wanted[i].size() - 2), parts[i]);
  }
  return true;
}

TEST(Router, AgreesWithASlowOneOnRandomRoutes) {
  std::mt19937 random(11);
  const std::string words[] = {"a", "b", "", "ab", "{x}", "{y}"};
  const auto path_of = [&](unsigned kinds) {
    std::string path;
    for (unsigned parts = random() % 4; parts > 0; --parts) path += "/" + words[random() % kinds];
    return path;
  };
  for (int round = 0; round < 300; ++round) {
    Router router;
    std::vector<std::string> patterns;
    for (unsigned i = random() % 8; i > 0; --i) {
      patterns.push_back(path_of(6));
      router.Add(RouteOf("GET", patterns.back()));
    }
    for (int i = 0; i < 20; ++i) {
      const std::string path = path_of(4);
      std::string expected = "none";
      Names expected_names, names_of_one, names;
      for (const std::string& pattern : patterns) {
        if (!SlowlyMatches(pattern, path, &names_of_one)) continue;
        if (expected != "none" && (expected_names.empty() || !names_of_one.empty())) continue;
        expected = pattern;
        expected_names = names_of_one;
      }
      ASSERT_EQ(PatternFor(router, "GET", path, &names), expected) << path;
      ASSERT_EQ(names, expected_names) << path;
      ASSERT_EQ(router.MethodsOf(path), expected == "none" ? "" : "GET");
    }
  }
}

}  // namespace
}  // namespace xsp::serve
