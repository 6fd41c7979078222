// The views path_piece, waiting_piece and kernel_piece: the pieces of a call add up to it. How
// gains are read is tested in find_all_test.cc.

#include "answer/findings/gain_claims.h"

#include <gmock/gmock.h>

#include <map>
#include <random>

#include "answer/findings/rule_testing.h"

namespace xsp::findings {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class PathPieceTest : public UserRules {
 protected:
  void SetUp() override { UserRules::SetUp(); }

  std::map<std::string, double> Pieces() {
    auto call = ReadCall(database_, 1);
    EXPECT_TRUE(call.ok()) << call.error().what;
    call_ = std::move(call).value();
    std::map<std::string, double> pieces;
    for (const Piece& piece : call_.pieces) pieces[piece.name] = piece.duration_ns;
    EXPECT_EQ(pieces.size(), call_.pieces.size()) << "two pieces of one name";
    return pieces;
  }
  double Number(const std::string& sql) {
    const auto table = database_.Query(sql);
    EXPECT_TRUE(table.ok()) << table.error().what;
    return table.ok() ? std::get<double>(table.value().rows.at(0).at(0)) : -1;
  }
  void InsertRun(int id, const std::string& rung, int latency_ns) {
    Insert("run (run_id, point_id, rung, status, path, latency_ns) VALUES (" + std::to_string(id) +
           ", 1, '" + rung + "', 'done', 'a', " + std::to_string(latency_ns) + ")");
  }
  void InsertKernel(int index, const std::string& layer, const std::string& name, int duration_ns) {
    Insert(
        "kernel (point_id, kernel_index, layer_index, name, type, duration_ns, source_run, "
        "matched) VALUES (1, " +
        std::to_string(index) + ", " + layer + ", '" + name + "', 'kernel', " +
        std::to_string(duration_ns) + ", 2, 'all')");
  }
  void InsertDevice(int total_ns, int busy_ns) {
    Insert("device_time VALUES (2, NULL, 0, NULL, 0, " + std::to_string(total_ns) + ", " +
           std::to_string(busy_ns) + ", 0, 0, 0, 0, 0, 0, 0, 9)");
  }

  Call call_;
};

TEST_F(PathPieceTest, WithoutAnythingBelowItTheCallIsOnePiece) {
  InsertPoint();
  EXPECT_THAT(Pieces(), ElementsAre(Pair("between", 1000)));
  EXPECT_EQ(call_.whole, "call");
}

TEST_F(PathPieceTest, LayersAndKernelsHaveTheirShareOfTheCall) {
  InsertPoint();                // 1000 ns.
  InsertRun(1, "layer", 2000);  // Twice as slow.
  InsertRun(2, "kernel", 4000);
  Insert(
      "layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_run_ns, source_run, "
      "matched) VALUES "
      "(1, 0, 'a', 't', 800, 900, 1800, 1, 'all'), (1, 1, 'b', 't', 200, NULL, NULL, 1, 'all')");
  InsertKernel(0, "0", "k", 600);
  InsertKernel(1, "0", "l", 300);
  InsertKernel(2, "NULL", "m", 400);
  // Layer a: 400, half of it in kernels; m: a tenth of its call; the rest lies between.
  EXPECT_THAT(Pieces(), ElementsAre(Pair("between", DoubleNear(400, 1e-6)),
                                    Pair("kernel:0", DoubleNear(400.0 / 3, 1e-6)),
                                    Pair("kernel:1", DoubleNear(200.0 / 3, 1e-6)),
                                    Pair("kernel:2", DoubleNear(100, 1e-6)),
                                    Pair("layer:0", DoubleNear(200, 1e-6)),
                                    Pair("layer:1", DoubleNear(100, 1e-6))));
  EXPECT_NEAR(Number("SELECT sum(duration_ns) FROM kernel_piece"), 300, 1e-6);
}

TEST_F(PathPieceTest, LayersThatOverlapFillTheCallAndNoMore) {
  InsertPoint();
  InsertRun(1, "layer", 1000);
  Insert(
      "layer (point_id, layer_index, name, type, latency_ns, source_run, matched) VALUES "
      "(1, 0, 'a', 't', 900, 1, 'all'), (1, 1, 'b', 't', 900, 1, 'all')");
  EXPECT_THAT(Pieces(), ElementsAre(Pair("layer:0", 500), Pair("layer:1", 500)));
}

TEST_F(PathPieceTest, OfADeviceThePiecesAreThoseOfTheCriticalPath) {
  InsertPoint();
  InsertRun(2, "imported", 1000);
  InsertDevice(1000, 500);
  Insert(
      "critical_path VALUES (2, NULL, 1, 'host', 'op', 1, 700), (2, NULL, 1, 'compute', 'k', 1, "
      "200), "
      "(2, NULL, 2, 'host', 'op', 1, 1100)");
  InsertKernel(0, "NULL", "k", 300);
  InsertKernel(1, "NULL", "off the path", 300);
  // A step is 1000 ns: 100 in k, 500 busy, so that 400 of the host's lie beside the device.
  EXPECT_THAT(Pieces(),
              ElementsAre(Pair("beside:(host, while the device works)", DoubleNear(400, 1e-6)),
                          Pair("compute:k", DoubleNear(100, 1e-6)),
                          Pair("host:op", DoubleNear(500, 1e-6))));
  EXPECT_EQ(call_.whole, "step");
  EXPECT_NEAR(Number("SELECT sum(duration_ns) FROM kernel_piece"), 100, 1e-6);
}

TEST_F(PathPieceTest, ProfilingMakesTheHostSlowerButNotTheDevice) {
  InsertPoint();  // 1000 ns.
  InsertRun(2, "kernel", 3000);
  InsertDevice(3000, 600);
  Insert(
      "critical_path VALUES (2, NULL, NULL, 'host', 'op', 1, 2000), (2, NULL, NULL, 'launch', 'k', "
      "1, 500), "
      "(2, NULL, NULL, 'compute', 'k', 1, 500)");
  EXPECT_THAT(
      Pieces(),
      ElementsAre(Pair("beside:(host, while the device works)", DoubleNear(100, 1e-6)),
                  Pair("compute:k", DoubleNear(500, 1e-6)), Pair("host:op", DoubleNear(320, 1e-6)),
                  Pair("launch:k", DoubleNear(80, 1e-6))));
  EXPECT_EQ(call_.whole, "call");
  EXPECT_NEAR(Number("SELECT max(scale) FROM waiting_piece"), 400.0 / 2400, 1e-9);
  EXPECT_NEAR(Number("SELECT before_ns FROM waiting_piece WHERE kind = 'launch'"), 320, 1e-6);
}

TEST_F(PathPieceTest, ADeviceThatIsSlowerThanTheCallFillsIt) {
  InsertPoint();
  InsertRun(2, "kernel", 3000);
  InsertDevice(3000, 1500);
  Insert(
      "critical_path VALUES (2, NULL, NULL, 'host', 'op', 1, 1000), (2, NULL, NULL, 'compute', "
      "'k', 1, 1500)");
  EXPECT_THAT(Pieces(), ElementsAre(Pair("compute:k", DoubleNear(1000, 1e-6))));
}

TEST_F(PathPieceTest, OfSeveralRanksThePiecesAreOfTheMeanOne) {
  InsertPoint();
  InsertRun(2, "imported", 1000);
  Insert(
      "device_time VALUES (2, 0, 0, 1, 0, 900, 0, 0, 0, 0, 0, 0, 0, 0, 9), (2, 0, 0, NULL, 0, 900, "
      "1, 0, 0, 0, 0, 0, 0, 0, 9)");
  Insert(
      "critical_path VALUES (2, 0, 1, 'host', 'op', 1, 700), (2, 1, 1, 'host', 'other', 1, 900)");
  EXPECT_THAT(Pieces(), ElementsAre(Pair("host:op", 350), Pair("host:other", 450)));
}

TEST_F(PathPieceTest, ADeviceWithoutItsPathHasNoPieces) {
  InsertPoint();
  InsertRun(2, "imported", 1000);
  InsertDevice(1000, 500);
  EXPECT_THAT(Pieces(), IsEmpty());
}

TEST_F(PathPieceTest, PiecesOfAnyTablesAddUpToTheCall) {
  std::mt19937 random(4);
  const auto below = [&](int limit) {
    return static_cast<int>(random() % static_cast<unsigned>(limit));
  };
  InsertPoint();
  InsertRun(1, "layer", 1500);
  InsertRun(2, "kernel", 2500);
  for (int i = 0; i < 60; ++i) {
    for (const char* table : {"layer", "kernel", "device_time", "critical_path"})
      ASSERT_TRUE(database_.Query(std::string("DELETE FROM ") + table).ok());
    for (int j = below(5); j > 0; --j)
      Insert(
          "layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_run_ns, "
          "source_run, matched) "
          "VALUES (1, " +
          std::to_string(j) + ", 'l', 't', " + std::to_string(below(900)) + ", " +
          (below(2) != 0 ? "NULL" : std::to_string(below(900))) + ", " +
          (below(2) != 0 ? "NULL" : std::to_string(1 + below(900))) + ", 1, 'all')");
    for (int j = below(8); j > 0; --j)
      InsertKernel(j, below(3) != 0 ? std::to_string(below(6)) : "NULL",
                   "k" + std::to_string(below(3)), below(900));
    const bool has_device = below(2) != 0;
    if (has_device) {
      InsertDevice(2500, 1 + below(2500));
      Insert("critical_path VALUES (2, NULL, NULL, 'host', 'h', 1, 1)");
      for (int j = below(4); j > 0; --j)
        Insert("critical_path VALUES (2, NULL, NULL, '" +
               std::string(below(2) != 0 ? "compute" : "gap") + "', 'k" + std::to_string(j) +
               "', 1, " + std::to_string(below(1500)) + ")");
    }
    Pieces();
    EXPECT_NEAR(call_.duration_ns, 1000, 1e-6) << i << (has_device ? " device" : " host");
    for (const Piece& piece : call_.pieces) EXPECT_GT(piece.duration_ns, 0) << piece.name;
  }
}

}  // namespace
}  // namespace xsp::findings
