#include "derive/compare/outputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "derive/compare/npy.h"

namespace xsp::compare {
namespace {

namespace fs = std::filesystem;

class Results : public testing::Test {
 protected:
  Results() : folder_(fs::temp_directory_path() / ("xsp-results-" + std::to_string(getpid()))) {}
  ~Results() override { fs::remove_all(folder_); }

  /// A file as NumPy writes it.
  template <typename T>
  fs::path Npy(const fs::path& path, const char* type, const char* shape,
               const std::vector<T>& values) {
    fs::create_directories((folder_ / path).parent_path());
    std::string header =
        std::string("{'descr': '") + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize(117, ' ');
    header += '\n';
    std::ofstream file(folder_ / path, std::ios::binary);
    file << std::string("\x93NUMPY\x01\x00", 8) << static_cast<char>(header.size()) << '\0'
         << header;
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(T)));
    return folder_ / path;
  }

  fs::path Outputs(const char* name, const std::vector<float>& logits, const char* shape) {
    Npy(fs::path(name) / "0.npy", "<f4", shape, logits);
    std::ofstream(folder_ / name / "outputs.json")
        << R"([{"name": "logits", "dtype": "float32", "shape": [2, 3], "file": "0.npy"}])";
    return folder_ / name;
  }

  static MeasuredPoint Point(std::int64_t id) {
    MeasuredPoint point;
    point.point_id = id;
    return point;
  }

  fs::path folder_;
};

TEST_F(Results, ReadsEveryElementType) {
  EXPECT_EQ(ReadNpy(Npy<double>("a.npy", "<f8", "(2,)", {1.5, -2})).value().values,
            (std::vector<float>{1.5, -2}));
  EXPECT_EQ(ReadNpy(Npy<std::int64_t>("b.npy", "<i8", "(1, 2)", {7, -8})).value().shape,
            (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(ReadNpy(Npy<std::uint8_t>("c.npy", "|b1", "(3,)", {1, 0, 1})).value().values,
            (std::vector<float>{1, 0, 1}));
  // 1, -2, the largest, the smallest subnormal.
  EXPECT_EQ(ReadNpy(Npy<std::uint16_t>("d.npy", "<f2", "(4,)", {0x3c00, 0xc000, 0x7bff, 1}))
                .value()
                .values,
            (std::vector<float>{1, -2, 65504, 0x1p-24F}));
  EXPECT_EQ(ReadNpy(Npy<float>("e.npy", "<f4", "()", {3})).value().values, (std::vector<float>{3}));
}

TEST_F(Results, RefusesDamagedFiles) {
  const fs::path whole = Npy<float>("f.npy", "<f4", "(4,)", {1, 2, 3, 4});
  const auto size = fs::file_size(whole);
  for (std::uintmax_t cut = 0; cut < size; cut += 3) {
    fs::resize_file(Npy<float>("f.npy", "<f4", "(4,)", {1, 2, 3, 4}), cut);
    EXPECT_FALSE(ReadNpy(whole).ok()) << cut;
  }
  EXPECT_FALSE(ReadNpy(Npy<float>("g.npy", "<c8", "(1,)", {1, 2})).ok());
  EXPECT_FALSE(ReadNpy(Npy<float>("h.npy", "<f4", "(99999999999, 99999999999)", {1})).ok());
  EXPECT_FALSE(ReadNpy(Npy<float>("i.npy", "<f4", "(1", {1})).ok());
  EXPECT_FALSE(ReadNpy(folder_ / "absent.npy").ok());
}

TEST_F(Results, AreHeldAgainstTheFirst) {
  const auto a = Outputs("a", {1, 2, 3, 6, 5, 4}, "(2, 3)");
  const auto b = Outputs("b", {1, 2, 3.5, 6, 5, 4}, "(2, 3)");
  const auto c = Outputs("c", {9, 2, 3, 6, 5, 4}, "(2, 3)");
  const auto d = Outputs("d", {9, 2, 3}, "(3,)");
  const auto rows = CompareResults({{Point(1), Point(2), Point(3), Point(4), Point(5)}},
                                   {{1, a}, {2, b}, {3, c}, {4, d}, {5, folder_ / "absent"}});
  ASSERT_EQ(rows.size(), 4u);
  for (const store::AgreementRow& row : rows) EXPECT_EQ(row.against_point_id, 1);
  EXPECT_EQ(rows[0].max_absolute_error, 0.5);
  EXPECT_EQ(rows[0].label_agreement, 1);
  EXPECT_EQ(rows[0].message, std::nullopt);
  EXPECT_EQ(rows[1].label_agreement, 0.5);
  EXPECT_THAT(rows[2].message, testing::Optional(testing::HasSubstr(
                                   "not the same shape: [3] here, [2,3] in the reference")));
  EXPECT_FALSE(rows[3].message.value().empty());
}

TEST_F(Results, OfAnotherExperimentAreNotThere) {
  const auto a = Outputs("a", {1, 2, 3, 6, 5, 4}, "(2, 3)");
  MeasuredPoint other = Point(1);
  other.experiment = 1;
  EXPECT_TRUE(CompareResults({{Point(1), other}}, {{1, a}}).empty());
}

}  // namespace
}  // namespace xsp::compare
