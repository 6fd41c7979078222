#include "capture/record/range_domain.h"

#include <gtest/gtest.h>

#include <string>

namespace xsp::record {
namespace {

TEST(RangeDomain, KnowsLibrariesByTheWordTheirDomainStartsWith) {
  EXPECT_EQ(LibraryFamily("cuDNN"), "cudnn");
  EXPECT_EQ(LibraryFamily("cuBLAS"), "cublas");
  EXPECT_EQ(LibraryFamily("cublasLt"), "cublas");
  EXPECT_EQ(LibraryFamily("cusolverDn"), "cusolver");
  EXPECT_EQ(LibraryFamily("NCCL"), "nccl");
  EXPECT_EQ(LibraryFamily("dnnl::primitive::execute"), "onednn");
  EXPECT_EQ(LibraryFamily("ov::phases::cpu"), "openvino");
  for (const char* other : {"", "overture", "OVERTURE", "my.domain", "ncclient", "PyTorch", "cu"}) {
    EXPECT_EQ(LibraryFamily(other), "") << other;
  }
}

TEST(RangeDomain, IsMadeOnce) {
  RangeDomain* domain = FindRangeDomain("once");
  EXPECT_EQ(FindRangeDomain("once"), domain);
  EXPECT_NE(FindRangeDomain("twice"), domain);
  EXPECT_EQ(domain->level, XSP_LEVEL_APPLICATION);
  EXPECT_EQ(FindRangeDomain("NCCL")->level, XSP_LEVEL_LIBRARY);
  EXPECT_EQ(FindRangeDomain("")->name, 0u);
}

TEST(RangeDomain, KeepsTheNewestNameOfACategory) {
  RangeDomain& domain = *FindRangeDomain("categories");
  EXPECT_EQ(CategoryName(domain, 3), "");
  NameCategory(domain, 3, "old");
  NameCategory(domain, 4, "other");
  NameCategory(domain, 3, "new");
  EXPECT_EQ(CategoryName(domain, 3), "new");
  EXPECT_EQ(CategoryName(domain, 4), "other");
}

TEST(RangeDomain, BoundsTheNamesOfCategories) {
  RangeDomain& domain = *FindRangeDomain("bounded");
  for (int i = 0; i < 3000; ++i) NameCategory(domain, 1, std::to_string(i));
  EXPECT_EQ(CategoryName(domain, 1), "1023");
}

}  // namespace
}  // namespace xsp::record
