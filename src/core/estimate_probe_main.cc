// Estimates of what others measured: bench/calibration.py asks it, so that what it judges is the
// code that judges experiments. Reads a JSON document a line from stdin, answers each with a line:
//   {"pairs": [[OWN, ...], [BASELINE, ...]]}
//   {"processes": [[[BLOCK, ...], ...], [[BLOCK, ...], ...]]}   both sides, by process
// Answer: {"ratio": R, "low": L, "high": H, "units": N}, without an interval low and high are null.
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/estimate.h"
#include "core/json_text.h"

int main() {
  using nlohmann::json;
  using Values = std::vector<double>;
  for (std::string line; std::getline(std::cin, line);) {
    const json asked = xsp::core::ParseJson(line);
    xsp::core::Estimate found = {0, {0, 0}, 0};
    try {
      if (asked.contains("pairs")) {
        const auto pairs = asked["pairs"].get<std::vector<Values>>();
        found = xsp::core::PairedRatio(pairs.at(0), pairs.at(1));
      } else {
        const auto sides = asked.at("processes").get<std::vector<std::vector<Values>>>();
        found = xsp::core::CompareProcesses(sides.at(0), sides.at(1)).ratio;
      }
    } catch (const std::exception& error) {
      std::cerr << "error: " << error.what() << ": " << line.substr(0, 100) << '\n';
      return 2;
    }
    // NaN becomes null.
    std::cout << xsp::core::JsonText(json{{"ratio", found.centre},
                                          {"low", found.interval.low},
                                          {"high", found.interval.high},
                                          {"units", found.units}})
              << std::endl;
  }
  return 0;
}
