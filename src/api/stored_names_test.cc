#include "api/stored_names.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "store/store_testing.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

TEST(StoredNamesTest, PathsInTheStoreBecomeNames) {
  const store::TestFolder folder;
  const std::string store = folder.path().string();
  json document = {{"run", store + "/a/b1-model"},
                   {"rows", {store + "/a", "/elsewhere/a", "in " + store + "/a", 3}}};
  ToStoredNames(folder.path(), &document);
  EXPECT_EQ(document, json({{"run", "a/b1-model"},
                            {"rows", {"a", "/elsewhere/a", "in " + store + "/a", 3}}}));
}

TEST(StoredNamesTest, AStoreBehindALinkIsTheSame) {
  const store::TestFolder folder;
  fs::create_directory(folder.path() / "real");
  fs::create_directory_symlink("real", folder.path() / "link");
  Document table{.content = store::Table{{"experiment", "rows"}, {}}};
  auto& rows = std::get<store::Table>(table.content).rows;
  rows = {{fs::canonical(folder.path() / "real" / "").string() + "/a", std::int64_t{1}},
          {(folder.path() / "link" / "b").string(), std::int64_t{2}}};
  ToStoredNames(folder.path() / "link", &table);
  EXPECT_EQ(std::get<std::string>(rows[0][0]), "a");
  EXPECT_EQ(std::get<std::string>(rows[1][0]), "b");
  EXPECT_EQ(std::get<std::int64_t>(rows[1][1]), 2);
}

TEST(StoredNamesTest, SentencesNameNoPathsOfTheStore) {
  const std::filesystem::path store = "/srv/results";
  const Error error = WithStoredNames(
      store, {ErrorKind::kBadInput, "/srv/results/a/r1: damaged, as is \"/srv/results/b\"",
              "Not /old/srv/results/a, but /srv/results/c."});
  EXPECT_EQ(error.what, "a/r1: damaged, as is \"b\"");
  EXPECT_EQ(error.hint, "Not /old/srv/results/a, but c.");
  Document document{.content = json::object(), .notes = {"left out: /srv/results/a"}};
  ToStoredNames(store, &document);
  EXPECT_EQ(document.notes.front(), "left out: a");
}

}  // namespace
}  // namespace xsp::api
