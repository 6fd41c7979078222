#include "measure/models/model_format.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace xsp::models {
namespace {

namespace fs = std::filesystem;

class ModelFormatTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "xsp-format-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path File(const std::string& name, const std::string& bytes) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  static void Little(std::string& bytes, std::uint64_t value, int size) {
    for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i));
  }

  /// A zip archive of empty members.
  static std::string Zip(const std::vector<std::string>& members) {
    std::string bytes, list;
    for (const std::string& name : members) {
      const std::size_t at = bytes.size();
      bytes += std::string("PK\x03\x04") + std::string(22, '\0');
      Little(bytes, name.size(), 2);
      Little(bytes, 0, 2);
      bytes += name;
      list += std::string("PK\x01\x02") + std::string(24, '\0');
      Little(list, name.size(), 2);
      list += std::string(12, '\0');
      Little(list, at, 4);
      list += name;
    }
    const std::size_t start = bytes.size();
    bytes += list + std::string("PK\x05\x06") + std::string(4, '\0');
    Little(bytes, members.size(), 2);
    Little(bytes, members.size(), 2);
    Little(bytes, list.size(), 4);
    Little(bytes, start, 4);
    Little(bytes, 0, 2);
    return bytes;
  }

  fs::path folder_;
};

TEST_F(ModelFormatTest, ArchivesAreToldByTheirMembers) {
  const std::string script = Zip({"net/data.pkl", "net/code/__torch__.py", "net/constants.pkl"});
  EXPECT_EQ(FormatOfModel(File("a.bin", script)).name, "torchscript");
  EXPECT_EQ(FormatOfModel(File("b.jit", script)).own_worker, "torch");
  EXPECT_EQ(FormatOfModel(File("c.pt2", Zip({"p/data/aotinductor/model/x.so"}))).name,
            "aotinductor");
  const ModelFormat weights =
      FormatOfModel(File("d.pt", Zip({"archive/data.pkl", "archive/data/0"})));
  EXPECT_EQ(weights.name, "");
  EXPECT_NE(weights.what.find("checkpoint"), std::string::npos);
  EXPECT_NE(weights.advice.find("torch.jit.trace"), std::string::npos);
  const ModelFormat keras =
      FormatOfModel(File("e.keras", Zip({"metadata.json", "config.json", "model.weights.h5"})));
  EXPECT_EQ(keras.what, "a Keras file");
  EXPECT_NE(keras.advice.find(".export("), std::string::npos);
}

TEST_F(ModelFormatTest, DamagedArchivesGoByTheirEnding) {
  std::string script = Zip({"net/code/a.py", "net/constants.pkl"});
  EXPECT_EQ(FormatOfModel(File("cut.pt", script.substr(0, script.size() - 30))).name,
            "torchscript");
  EXPECT_EQ(FormatOfModel(File("cut.zip", script.substr(0, script.size() - 30))).name, "");
  script[script.size() - 7] = '\x7f';  // The list is larger than the file.
  EXPECT_EQ(FormatOfModel(File("wrong.zip", script)).name, "");
}

TEST_F(ModelFormatTest, OtherFilesAreToldByTheirFirstBytes) {
  EXPECT_EQ(FormatOfModel(File("m", std::string("\x08\x09\x12\x03", 4) + "abc")).name, "onnx");
  EXPECT_EQ(FormatOfModel(File("m.bin", std::string("\x1c\0\0\0TFL3", 8))).name, "tflite");
  EXPECT_EQ(FormatOfModel(File("m.xml", "<?xml version=\"1.0\"?>\n<net name=\"x\" version=\"11\">"))
                .own_worker,
            "openvino");
  EXPECT_EQ(FormatOfModel(File("m.h5", "\x89HDF\r\n")).what, "an HDF5 file of Keras");
  EXPECT_NE(FormatOfModel(File("m.gguf", "GGUF\x03")).advice.find("xsp record"), std::string::npos);
  EXPECT_EQ(FormatOfModel(File("m.pb", "\x0a\x10")).own_worker, "tensorflow");
}

TEST_F(ModelFormatTest, ASavedModelIsItsFolderHoweverItIsNamed) {
  EXPECT_EQ(ModelPath("/a/net/saved_model.pb"), "/a/net");
  EXPECT_EQ(ModelPath("/a/net/"), "/a/net");
  EXPECT_EQ(ModelPath("/a/net.onnx"), "/a/net.onnx");
}

TEST_F(ModelFormatTest, FoldersAreSavedModelsOrNone) {
  File("saved/saved_model.pb", "x");
  EXPECT_EQ(FormatOfModel(folder_ / "saved").name, "tensorflow");
  File("other/notes.txt", "x");
  EXPECT_EQ(FormatOfModel(folder_ / "other").name, "");
  EXPECT_EQ(FormatOfModel(folder_ / "none").name, "");
}

}  // namespace
}  // namespace xsp::models
