#include "measure/models/model.h"

#include <gmock/gmock.h>

#include "core/json_text.h"
#include "measure/models/zoo_testing.h"
#include "os/sha256.h"

namespace xsp::models {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class ModelTest : public ZooTesting {
 protected:
  Result<Model> Resolve(const std::string& text, const std::vector<std::string>& formats = {},
                        const fs::path& manifest = {}) {
    return ResolveModel(text, manifest, formats, progress_);
  }
  std::string File(const std::string& name) const { return (folder_ / name).string(); }
};

TEST_F(ModelTest, AZooModelIsMadeInItsFirstFormat) {
  const Model model = Resolve("small").value();
  EXPECT_EQ(model.name, "small");
  EXPECT_EQ(model.framework, "");
  EXPECT_EQ(model.format, "toy");
  EXPECT_EQ(model.path.filename(), "small.toy");
  EXPECT_EQ(model.size_bytes, 8);
  EXPECT_EQ(model.sha256, os::Sha256("weights\n"));
  EXPECT_EQ(model.inputs,
            core::ParseJson(R"([{"name":"x","dtype":"float32","shape":["batch",3,8]}])"));
  EXPECT_EQ(model.folder, folder_ / "home/zoo/small");
  EXPECT_EQ(Resolve("small").value().path, model.path);
  EXPECT_EQ(CallCount(), 1);
}

TEST_F(ModelTest, AZooModelIsMadeInTheFormatThatIsWantedFirst) {
  const Model pair = Resolve("small", {"none", "pair", "toy"}).value();
  EXPECT_EQ(pair.format, "pair");
  EXPECT_EQ(pair.size_bytes, 4);
  EXPECT_EQ(pair.sha256,
            os::Sha256(os::Sha256("a\n") + "  small/a\n" + os::Sha256("b\n") + "  small/b\n"));
  EXPECT_EQ(CallCount(), 1);
  EXPECT_EQ(Resolve("small", {".toy"}).value().format, "toy");
  const auto none = Resolve("small", {"onnx", ".onnx"});
  EXPECT_EQ(none.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(none.error().what,
              HasSubstr("small has none of the formats onnx, .onnx (it has toy, pair)"));
}

TEST_F(ModelTest, AFileIsAModelToo) {
  Write(folder_ / "net.toy", "layers");
  const Model model = Resolve(File("net.toy"), {"onnx"}).value();
  EXPECT_EQ(model.name, "net");
  EXPECT_TRUE(model.inputs.is_null());
  Write(folder_ / "model.yaml",
        "name: fine\nfile: net.toy\ninputs: [{dtype: int64, shape: [2]}]\n");
  EXPECT_EQ(Resolve(File("net.toy")).value().name, "fine");
  EXPECT_EQ(Resolve(File("net.toy")).value().inputs[0]["name"], "input");
  Write(folder_ / "model.yaml", "name: another\nfile: another.toy\n");
  EXPECT_EQ(Resolve(File("net.toy")).value().name, "net");
  Write(folder_ / "m.yaml", "name: named\nframework: toy\n");
  const Model named = Resolve(File("net.toy"), {}, folder_ / "m.yaml").value();
  EXPECT_EQ(named.name, "named");
  EXPECT_EQ(named.framework, "toy");
}

TEST_F(ModelTest, AManifestIsAModelInSeveralFormats) {
  Write(folder_ / "net.toy", "layers");
  Write(folder_ / "saved/net/part", "more");
  Write(folder_ / "saved/net/saved_model.pb", "graph");
  Write(folder_ / "m.yaml",
        "name: named\nfiles: {toy: {file: net.toy}, tensorflow: {file: saved/net}}\n");
  EXPECT_EQ(Resolve(File("m.yaml")).value().path, folder_ / "net.toy");
  const Model saved = Resolve(File("m.yaml"), {"tensorflow"}).value();
  EXPECT_EQ(saved.path, folder_ / "saved/net");
  EXPECT_EQ(saved.size_bytes, 9);
  EXPECT_EQ(saved.name, "named");
  EXPECT_EQ(Resolve(File("saved/net")).value().size_bytes, 9);
  EXPECT_EQ(Resolve(File("saved/net/")).value().name, "net");
  Write(folder_ / "m.yaml", "name: named\n");
  EXPECT_THAT(Resolve(File("m.yaml")).error().what, HasSubstr("names no model file"));
}

TEST_F(ModelTest, AFileIsHeldAgainstItsChecksum) {
  Write(folder_ / "net.toy", "layers");
  const std::string right = os::Sha256("layers"), wrong = os::Sha256("other");
  Write(folder_ / "model.yaml", "name: a\nfile: net.toy\nsha256: " + right + "\n");
  EXPECT_TRUE(Resolve(File("net.toy")).ok());
  Write(folder_ / "model.yaml", "name: a\nfile: net.toy\nsha256: " + wrong + "\n");
  const auto model = Resolve(File("net.toy"));
  EXPECT_EQ(model.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(model.error().what, HasSubstr("another checksum"));
  EXPECT_THAT(model.error().what, HasSubstr(right + ", not " + wrong));
}

TEST_F(ModelTest, SaysWhatIsWrongWithAModelFile) {
  Write(folder_ / "empty.toy", "");
  EXPECT_THAT(Resolve(File("empty.toy")).error().what, HasSubstr("is empty"));
  EXPECT_THAT(Resolve(folder_.string()).error().what, HasSubstr("is a directory"));
  const auto none = Resolve("no-such-model");
  EXPECT_EQ(none.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(none.error().hint, HasSubstr("Zoo models are small"));
  EXPECT_THAT(Resolve("smoll").error().hint, HasSubstr("Did you mean small?"));
  EXPECT_EQ(Resolve("").error().kind, ErrorKind::kBadInput);
  Write(folder_ / "net.toy", "layers");
  Write(folder_ / "m.yaml", "name: a\ninputs: 3\n");
  EXPECT_THAT(Resolve(File("net.toy"), {}, folder_ / "m.yaml").error().what,
              HasSubstr("m.yaml:2:9: inputs is not a list: 3"));
}

TEST_F(ModelTest, AnOldManifestIsTakenWithANote) {
  class Notes final : public core::Progress {
   public:
    void Step(std::string_view, double, double) override {}
    void Note(std::string_view message) override { all += message; }
    std::string all;
  };
  Notes notes;
  Write(folder_ / "graph.pt", "layers");
  Write(folder_ / "old.yaml",
        "name: old\nframework: {name: PyTorch, version: 1.x}\ncontainer: {}\n"
        "model: {graph_path: graph.pt}\n");
  const Model model = ResolveModel(File("old.yaml"), {}, notes).value();
  EXPECT_EQ(model.framework, "torch");
  EXPECT_EQ(model.format, "torchscript");
  EXPECT_THAT(notes.all, HasSubstr("xsp model check " + File("old.yaml")));
}

}  // namespace
}  // namespace xsp::models
