#include <algorithm>
#include <cmath>
#include <string>

#include "pipeline/steps/step.h"

namespace xsp::pipeline {
namespace {

Status NeedsImage(const Form& form) {
  if (form.kind == Form::kImage) return Ok{};
  if (form.kind == Form::kRaw) {
    return BadInput("it needs an image, which `decode` makes", "put `decode` first");
  }
  return BadInput("it needs 8 bit pixels, which were changed before",
                  "put it before normalise, layout, cast and tokenise");
}

/// A step from one 8 bit image to another.
class ImageStep : public Step {
 public:
  Status Follow(Form& form) const override { return NeedsImage(form); }
};

class Decode : public Step {
 public:
  DecodeOptions options;

  Status Follow(Form& form) const override {
    if (form.kind != Form::kRaw) return BadInput("it must be the first step");
    form.kind = Form::kImage;
    form.channels = options.colour == Colour::kGrey ? 1 : 3;
    return Ok{};
  }

  Status Run(State& state) const override {
    XSP_RETURN_IF_ERROR(DecodeImage(state.input.bytes, options, state.image));
    state.placement.original_width = state.image.width;
    state.placement.original_height = state.image.height;
    return Ok{};
  }
};

/// What an image is scaled to.
struct Target {
  std::int64_t width = 0;  ///< Both 0: by the sides below.
  std::int64_t height = 0;
  std::int64_t shorter_side = 0;  ///< 0: by the longer one.
  std::int64_t longer_side = 0;   ///< With shorter_side: at most.
};

/// The sizes that torchvision.transforms.Resize(size, max_size) gives: the other side is cut, not
/// rounded, to an integer.
std::pair<std::int64_t, std::int64_t> SizeOf(const Target& target, int width, int height) {
  if (target.width > 0) return {target.width, target.height};
  const std::int64_t shorter = std::min(width, height);
  const std::int64_t longer = std::max(width, height);
  std::int64_t new_shorter = target.shorter_side;
  std::int64_t new_longer = target.longer_side;
  if (target.shorter_side > 0) {
    // torchvision computes in doubles, multiplying first.
    new_longer = target.shorter_side * longer / shorter;
    if (target.longer_side > 0 && new_longer > target.longer_side) {
      new_shorter = target.longer_side * new_shorter / new_longer;
      new_longer = target.longer_side;
    }
  } else {
    new_shorter = target.longer_side * shorter / longer;
  }
  // A very long image keeps at least one pixel.
  new_shorter = std::max<std::int64_t>(new_shorter, 1);
  return width <= height ? std::pair(new_shorter, new_longer) : std::pair(new_longer, new_shorter);
}

Status ResizeTo(State& state, std::int64_t width, std::int64_t height, ResizeLike like) {
  if (width > kMaxSide || height > kMaxSide) {
    return BadInput("the resized image is too large, a side of more than " +
                        std::to_string(kMaxSide) + ": " + std::to_string(width) + " x " +
                        std::to_string(height),
                    "limit it with longer_side");
  }
  const int from_width = state.image.width;
  const int from_height = state.image.height;
  Image resized;
  XSP_RETURN_IF_ERROR(
      Resize(state.image, static_cast<int>(width), static_cast<int>(height), like, resized));
  state.image = std::move(resized);
  state.Move(static_cast<double>(width) / from_width, static_cast<double>(height) / from_height, 0,
             0);
  return Ok{};
}

class ResizeStep : public ImageStep {
 public:
  Target target;
  ResizeLike like = ResizeLike::kPil;

  Status Run(State& state) const override {
    const auto [width, height] = SizeOf(target, state.image.width, state.image.height);
    return ResizeTo(state, width, height, like);
  }
};

class CropStep : public ImageStep {
 public:
  std::int64_t width = 0, height = 0;  ///< 0: by the fraction.
  std::int64_t left = -1, top = -1;    ///< -1: in the middle.
  double fraction = 0;

  Status Run(State& state) const override {
    const Image& image = state.image;
    int w = static_cast<int>(width);
    int h = static_cast<int>(height);
    int x = static_cast<int>(left);
    int y = static_cast<int>(top);
    if (fraction > 0) {
      // tf.image.central_crop: the margin is cut to an integer, the rest is kept.
      x = static_cast<int>((image.width - image.width * fraction) / 2);
      y = static_cast<int>((image.height - image.height * fraction) / 2);
      w = image.width - 2 * x;
      h = image.height - 2 * y;
    } else if (left < 0) {
      // torchvision.transforms.CenterCrop: Python's round, which is half to even.
      x = static_cast<int>(std::nearbyint((image.width - w) / 2.0));
      y = static_cast<int>(std::nearbyint((image.height - h) / 2.0));
    }
    Image cropped;
    XSP_RETURN_IF_ERROR(Crop(image, x, y, w, h, cropped));
    state.image = std::move(cropped);
    state.Move(1, 1, -x, -y);
    return Ok{};
  }
};

Status PadTo(State& state, int left, int top, std::int64_t width, std::int64_t height,
             std::int64_t value) {
  if (width > kMaxSide || height > kMaxSide) {
    return BadInput("the padded image is too large, a side of more than " +
                    std::to_string(kMaxSide) + ": " + std::to_string(width) + " x " +
                    std::to_string(height));
  }
  Image padded;
  XSP_RETURN_IF_ERROR(Pad(state.image, left, top, static_cast<int>(width), static_cast<int>(height),
                          static_cast<std::uint8_t>(value), padded));
  state.image = std::move(padded);
  state.Move(1, 1, left, top);
  return Ok{};
}

class PadStep : public ImageStep {
 public:
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;
  std::int64_t width = 0, height = 0;  ///< 0: by the margins.
  std::int64_t multiple_of = 0;
  std::int64_t value = 0;

  Status Run(State& state) const override {
    std::int64_t to_width = width > 0 ? width : state.image.width + left + right;
    std::int64_t to_height = height > 0 ? height : state.image.height + top + bottom;
    if (multiple_of > 0) {
      to_width = (to_width + multiple_of - 1) / multiple_of * multiple_of;
      to_height = (to_height + multiple_of - 1) / multiple_of * multiple_of;
    }
    return PadTo(state, static_cast<int>(left), static_cast<int>(top), to_width, to_height, value);
  }
};

class LetterboxStep : public ImageStep {
 public:
  std::int64_t width = 0, height = 0, value = 114;
  ResizeLike like = ResizeLike::kPil;
  bool centred = true;

  Status Run(State& state) const override {
    const double scale = std::min(static_cast<double>(width) / state.image.width,
                                  static_cast<double>(height) / state.image.height);
    const auto scaled = [&](int side, std::int64_t most) {
      return std::clamp<std::int64_t>(std::llround(side * scale), 1, most);
    };
    const std::int64_t w = scaled(state.image.width, width);
    const std::int64_t h = scaled(state.image.height, height);
    XSP_RETURN_IF_ERROR(ResizeTo(state, w, h, like));
    return PadTo(state, centred ? static_cast<int>((width - w) / 2) : 0,
                 centred ? static_cast<int>((height - h) / 2) : 0, width, height, value);
  }
};

const std::vector<std::pair<const char*, ResizeLike>> kLikes = {{"pil", ResizeLike::kPil},
                                                                {"opencv", ResizeLike::kOpenCv}};

}  // namespace

void State::Move(double scale_x, double scale_y, double offset_x, double offset_y) {
  placement.scale_x *= scale_x;
  placement.scale_y *= scale_y;
  placement.offset_x = placement.offset_x * scale_x + offset_x;
  placement.offset_y = placement.offset_y * scale_y + offset_y;
}

Status MakeDecode(Parameters& parameters, const std::string&, std::unique_ptr<Step>& step) {
  auto made = std::make_unique<Decode>();
  parameters.Choice<Orientation>(
      "orientation", made->options.orientation,
      {{"ignore", Orientation::kIgnore}, {"apply", Orientation::kApply}});
  parameters.Choice<Colour>("colour", made->options.colour,
                            {{"rgb", Colour::kRgb}, {"grey", Colour::kGrey}});
  step = std::move(made);
  return Ok{};
}

Status MakeResize(Parameters& parameters, const std::string&, std::unique_ptr<Step>& step) {
  auto made = std::make_unique<ResizeStep>();
  const bool fixed = parameters.Has("width") || parameters.Has("height");
  const bool sides = parameters.Has("shorter_side") || parameters.Has("longer_side");
  parameters.Integer("width", made->target.width, 1, kMaxSide, fixed);
  parameters.Integer("height", made->target.height, 1, kMaxSide, fixed);
  parameters.Integer("shorter_side", made->target.shorter_side, 1, kMaxSide);
  parameters.Integer("longer_side", made->target.longer_side, 1, kMaxSide);
  parameters.Choice<ResizeLike>("like", made->like, kLikes);
  if (fixed == sides) {
    parameters.Fail("the size must be given in one way", "width and height, or shorter_side");
  }
  step = std::move(made);
  return Ok{};
}

Status MakeCrop(Parameters& parameters, const std::string&, std::unique_ptr<Step>& step) {
  auto made = std::make_unique<CropStep>();
  const bool fraction = parameters.Has("fraction");
  const bool corner = parameters.Has("left") || parameters.Has("top");
  parameters.Number("fraction", made->fraction, 1e-6, 1);
  parameters.Integer("width", made->width, 1, kMaxSide, !fraction);
  parameters.Integer("height", made->height, 1, kMaxSide, !fraction);
  parameters.Integer("left", made->left, 0, kMaxSide, corner);
  parameters.Integer("top", made->top, 0, kMaxSide, corner);
  if (fraction && (made->width > 0 || made->height > 0 || corner)) {
    parameters.Fail("fraction says the whole rectangle", "leave out width, height, left and top",
                    "fraction");
  }
  step = std::move(made);
  return Ok{};
}

Status MakePad(Parameters& parameters, const std::string&, std::unique_ptr<Step>& step) {
  auto made = std::make_unique<PadStep>();
  parameters.Integer("left", made->left, 0, kMaxSide);
  parameters.Integer("top", made->top, 0, kMaxSide);
  parameters.Integer("right", made->right, 0, kMaxSide);
  parameters.Integer("bottom", made->bottom, 0, kMaxSide);
  const bool sized = parameters.Has("width") || parameters.Has("height");
  parameters.Integer("width", made->width, 1, kMaxSide, sized);
  parameters.Integer("height", made->height, 1, kMaxSide, sized);
  parameters.Integer("multiple_of", made->multiple_of, 1, kMaxSide);
  parameters.Integer("value", made->value, 0, 255);
  if (sized && (made->right > 0 || made->bottom > 0)) {
    parameters.Fail("width and height say where the right and lower margins end",
                    "leave out right and bottom");
  }
  step = std::move(made);
  return Ok{};
}

Status MakeLetterbox(Parameters& parameters, const std::string&, std::unique_ptr<Step>& step) {
  auto made = std::make_unique<LetterboxStep>();
  parameters.Integer("width", made->width, 1, kMaxSide, true);
  parameters.Integer("height", made->height, 1, kMaxSide, true);
  parameters.Integer("value", made->value, 0, 255);
  parameters.Choice<ResizeLike>("like", made->like, kLikes);
  parameters.Choice<bool>("align", made->centred, {{"centre", true}, {"corner", false}});
  step = std::move(made);
  return Ok{};
}

}  // namespace xsp::pipeline
