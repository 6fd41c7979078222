#include "ingest/importers/kineto/module_path.h"

#include <gtest/gtest.h>

namespace xsp::importers::kineto {
namespace {

TEST(PathOfHierarchy, IsOfAttributes) {
  // As PyTorch 2.15 writes it, of a traced and of a scripted model.
  EXPECT_EQ(PathOfHierarchy("TOP(Net)::forward."), "");
  EXPECT_EQ(PathOfHierarchy("TOP(Net)::forward.layer1(Sequential)::forward.0(Block)::forward."
                            "conv(Conv2d)::forward."),
            "layer1.0.conv");
  EXPECT_EQ(PathOfHierarchy("TOP(Net)::forward.conv(Conv2d)::forward.SELF(Conv2d)::_conv_forward."),
            "conv");
  EXPECT_EQ(PathOfHierarchy("TOP(Net)::forward.::relu."), "");
  EXPECT_EQ(PathOfHierarchy("TOP(Net)::forward.UNKNOWN_INSTANCE(UNKNOWN_TYPE)::forward."), "");
}

TEST(PathOfHierarchy, TakesAnyText) {
  for (const char* text : {"", ".", "::", "(", ")::.", "a", "a.b.c", "::::", "a(b", "....("})
    EXPECT_LT(PathOfHierarchy(text).size(), 3u) << text;
}

}  // namespace
}  // namespace xsp::importers::kineto
