#include "derive/roofs/data_sheet_share.h"

#include <algorithm>
#include <string_view>

namespace xsp::roofs {

namespace {

bool SameCeiling(const Roof& measured, const Roof& sheet) {
  if (measured.kind != sheet.kind) return false;
  if (measured.kind == "bandwidth")
    return sheet.name == "DRAM" && measured.name.starts_with("DRAM");
  return measured.dtype == sheet.dtype && measured.unit == sheet.unit &&
         (sheet.cores == 0 || sheet.cores == measured.cores);
}

void Add(std::string& text, std::string_view reason) {
  if (!text.empty()) text += "; ";
  text += reason;
}

std::string WhyLow(const Roof& measured, const DataSheetConditions& conditions) {
  std::string why;
  if (conditions.disturbed) Add(why, "the machine was busy");
  if (conditions.is_gpu) {
    if (measured.kind != "flops") {
      Add(why, "error correction, or other work on the GPU");
    } else if (measured.unit == "tensor" && measured.how.starts_with("mma.sync")) {
      Add(why, "mma.sync does not reach what this GPU's own instructions can");
    } else {
      Add(why, "the clock under this load is lower than the stated one");
    }
    return why;
  }
  if (measured.kind == "flops") {
    if (conditions.clock_is_bound)
      Add(why, "the sheet's clock is that of one core: all together run slower");
    if (conditions.virtualised)
      Add(why, "a virtual CPU may be half of a core, and the host sets the clock");
    if (why.empty()) Add(why, "the clock under this load is lower than the stated one");
  } else {
    if (measured.cores > 0 && conditions.virtualised)
      Add(why, "these cores are a part of the host's, which share its channels");
    if (measured.cores == 1) Add(why, "one core cannot keep all channels busy");
    if (why.empty())
      Add(why, "fewer or slower memory modules than the CPU takes, or too few cores to fill them");
  }
  return why;
}

std::string WhyHigh(const Roof& measured) {
  if (measured.kind == "bandwidth")
    return "a cache served a part, or the memory is faster than stated";
  return "the clock was higher than the stated one";
}

}  // namespace

std::vector<DataSheetShare> SharesOfDataSheet(std::span<const Roof> measured,
                                              std::span<const Roof> sheet,
                                              const DataSheetConditions& conditions) {
  std::vector<DataSheetShare> shares;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    for (std::size_t k = 0; k < sheet.size(); ++k) {
      if (!SameCeiling(measured[i], sheet[k]) || sheet[k].value <= 0) continue;
      DataSheetShare share{i, k, measured[i].value / sheet[k].value, ""};
      const bool surpassed = std::any_of(measured.begin(), measured.end(), [&](const Roof& other) {
        return other.name == measured[i].name && other.cores == measured[i].cores &&
               other.value > measured[i].value;
      });
      if (share.share < kLeastShare) {
        share.explanation =
            surpassed ? "another line of this name reached more" : WhyLow(measured[i], conditions);
      }
      if (share.share > kMostShare) share.explanation = WhyHigh(measured[i]);
      shares.push_back(std::move(share));
      break;
    }
  }
  return shares;
}

void UseDataSheetWhereLower(RoofReport& measured, std::span<const Roof> sheet) {
  std::vector<Roof> added;
  for (const Roof& of_sheet : sheet) {
    const auto is_reached = [&](const Roof& roof) {
      return roof.used && SameCeiling(roof, of_sheet) && roof.value >= kLeastShare * of_sheet.value;
    };
    if (!measured.disturbed &&
        std::any_of(measured.roofs.begin(), measured.roofs.end(), is_reached))
      continue;
    for (Roof& roof : measured.roofs)
      if (SameCeiling(roof, of_sheet)) roof.used = false;
    added.push_back(of_sheet);
  }
  measured.roofs.insert(measured.roofs.end(), added.begin(), added.end());
}

}  // namespace xsp::roofs
