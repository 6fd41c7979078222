#include "answer/suite/schedule/packing_program.h"

#include <coin/Clp_C_Interface.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace xsp::suite::schedule {
namespace {

constexpr int kCellsOfDevice = 2048;

/// The program's own tolerance is 1e-7: smaller differences do not count.
constexpr double kTolerance = 1e-6;

}  // namespace

struct PackingProgram::Clp {
  Clp_Simplex* model = Clp_newModel();
  ~Clp() { Clp_deleteModel(model); }
};

PackingProgram::PackingProgram(const Problem& problem, double makespan, Bins bins)
    : cells_(bins == Bins::kDevices ? kCellsOfDevice : problem.devices),
      jobs_(problem.jobs.size()),
      clp_(std::make_unique<Clp>()) {
  std::vector<std::size_t> order(jobs_);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t job) { return problem.jobs[job].release; });
  for (std::size_t j = 0; j < jobs_; ++j) {
    first_.push_back(pieces_.size());
    const Job& job = problem.jobs[order[j]];
    for (const Choice& choice : job.choices) {
      const double share = choice.time / makespan;
      const int cells = static_cast<int>(std::floor(share * cells_ - 1e-9));
      pieces_.push_back(bins == Bins::kDevices ? Piece{j, static_cast<double>(choice.width),
                                                       std::clamp(cells, 0, cells_)}
                                               : Piece{j, share, choice.width});
    }
    const bool last = j + 1 == jobs_;
    const double until = last ? makespan : problem.jobs[order[j + 1]].release;
    if (bins == Bins::kMoments && until > job.release)
      bins_.push_back({(until - job.release) / makespan, j + 1});
  }
  if (bins == Bins::kDevices) bins_.push_back({static_cast<double>(problem.devices), jobs_});
  first_.push_back(pieces_.size());
  AddRows();
  for (std::size_t p = 0; p < pieces_.size(); ++p) {
    const double zero = 0;
    const double most = std::numeric_limits<double>::max();
    const CoinBigIndex starts[] = {0, 2};
    const int rows[] = {static_cast<int>(p), static_cast<int>(pieces_.size() + pieces_[p].job)};
    const double elements[] = {-pieces_[p].amount, 1.0};
    Clp_addColumns(clp_->model, 1, &zero, &most, &zero, starts, rows, elements);
    AddPattern({p}, bins_.size() - 1);
  }
}

PackingProgram::~PackingProgram() = default;

/// Of pieces, of jobs, of bins but the last.
void PackingProgram::AddRows() {
  const double most = std::numeric_limits<double>::max();
  std::vector<double> lower(pieces_.size(), 0.0);
  std::vector<double> upper(pieces_.size(), most);
  lower.resize(pieces_.size() + jobs_, 1.0);
  upper.resize(pieces_.size() + jobs_, 1.0);
  for (std::size_t b = 0; b + 1 < bins_.size(); ++b) {
    lower.push_back(-most);
    upper.push_back(bins_[b].count);
  }
  Clp_setLogLevel(clp_->model, 0);
  Clp_resize(clp_->model, static_cast<int>(lower.size()), 0);
  Clp_chgRowLower(clp_->model, lower.data());
  Clp_chgRowUpper(clp_->model, upper.data());
}

void PackingProgram::AddPattern(const std::vector<std::size_t>& pieces, std::size_t bin) {
  const double zero = 0;
  const bool last = bin + 1 == bins_.size();
  const double cost = last ? 1 : 0;
  const double most = std::numeric_limits<double>::max();
  std::vector<int> rows(pieces.begin(), pieces.end());
  if (!last) rows.push_back(static_cast<int>(pieces_.size() + jobs_ + bin));
  const CoinBigIndex starts[] = {0, static_cast<CoinBigIndex>(rows.size())};
  const std::vector<double> elements(rows.size(), 1.0);
  Clp_addColumns(clp_->model, 1, &zero, &most, &cost, starts, rows.data(), elements.data());
}

/// The most that the pieces in one bin are worth, at most one piece a job, for every bin: jobs are
/// by release, so that the knapsack of the first ones is that of an earlier bin.
void PackingProgram::FindPatterns(const std::vector<double>& worth) {
  std::vector<double> value(static_cast<std::size_t>(cells_) + 1, 0);
  taken_.assign(jobs_ * value.size(), 0);
  most_.assign(bins_.size(), 0);
  for (std::size_t j = 0, bin = 0; j < jobs_; ++j) {
    std::uint16_t* taken = &taken_[j * value.size()];
    // From the full bin down, so that what is read is still without this job. Pieces without size
    // read their own cell: all of a job's are tried on the value before it.
    for (int cell = cells_; cell >= 0; --cell) {
      const double before = value[static_cast<std::size_t>(cell)];
      double best = before;
      for (std::size_t p = first_[j]; p < first_[j + 1]; ++p) {
        if (pieces_[p].size > cell || worth[p] <= 0) continue;
        const double rest =
            pieces_[p].size == 0 ? before : value[static_cast<std::size_t>(cell - pieces_[p].size)];
        if (rest + worth[p] <= best) continue;
        best = rest + worth[p];
        taken[cell] = static_cast<std::uint16_t>(1 + p - first_[j]);
      }
      value[static_cast<std::size_t>(cell)] = best;
    }
    if (bins_[bin].jobs == j + 1) most_[bin++] = value.back();
  }
}

/// The pattern that is worth `most_[bin]`.
std::vector<std::size_t> PackingProgram::PatternOf(std::size_t bin) const {
  std::vector<std::size_t> pieces;
  int cell = cells_;
  for (std::size_t j = bins_[bin].jobs; j-- > 0;) {
    const std::size_t row = j * (static_cast<std::size_t>(cells_) + 1);
    const std::uint16_t taken = taken_[row + static_cast<std::size_t>(cell)];
    if (taken == 0) continue;
    pieces.push_back(first_[j] + taken - 1);
    cell -= pieces_[pieces.back()].size;
  }
  return pieces;
}

/// Whether these prices, which need not be the program's, show that the bins do not suffice: what
/// the jobs are worth at least is more than all bins can hold (weak duality; of one kind of bin
/// Farley 1990). So what they say holds whatever the solver's rounding.
bool PackingProgram::Proven(const std::vector<double>& worth) const {
  double needed = 0, held = 0;
  for (std::size_t j = 0; j < jobs_; ++j) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t p = first_[j]; p < first_[j + 1]; ++p)
      least = std::min(least, pieces_[p].amount * worth[p]);
    needed += least;
  }
  for (std::size_t b = 0; b < bins_.size(); ++b) held += bins_[b].count * most_[b];
  return needed > held * (1 + kTolerance) && needed > 0;
}

/// Adds the patterns that would make the solution better by the program's prices, if any.
bool PackingProgram::AddWorthy(const double* dual) {
  bool any = false;
  std::vector<std::vector<std::size_t>> patterns(bins_.size());
  for (std::size_t b = 0; b < bins_.size(); ++b) {
    const double price =
        b + 1 == bins_.size() ? 1 : std::max(0.0, -dual[pieces_.size() + jobs_ + b]);
    if (most_[b] > price + kTolerance) patterns[b] = PatternOf(b);
  }
  // `dual` is gone once the program is changed.
  for (std::size_t b = 0; b < bins_.size(); ++b) {
    if (patterns[b].empty()) continue;
    AddPattern(patterns[b], b);
    any = true;
  }
  return any;
}

Refuted PackingProgram::Solve(const std::function<bool()>& stop) {
  std::vector<double> worth(pieces_.size());
  while (!stop()) {
    if (Clp_primal(clp_->model, 0) != 0 || Clp_status(clp_->model) != 0) return Refuted::kNo;
    if (Clp_getObjValue(clp_->model) <= bins_.back().count * (1 + kTolerance)) return Refuted::kNo;
    const double* dual = Clp_dualRowSolution(clp_->model);
    for (std::size_t p = 0; p < pieces_.size(); ++p) worth[p] = std::max(0.0, dual[p]);
    FindPatterns(worth);
    if (Proven(worth)) return Refuted::kYes;
    if (!AddWorthy(dual)) return Refuted::kNo;
  }
  return Refuted::kStopped;
}

}  // namespace xsp::suite::schedule
