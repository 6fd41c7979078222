#ifndef XSP_ANSWER_WORDING_SHAPE_TEXT_H_
#define XSP_ANSWER_WORDING_SHAPE_TEXT_H_

#include <string>
#include <string_view>

namespace xsp::wording {

/// Recorded shapes for people: "[[4,197,768],[],[768],[768]]" is "[4, 197, 768], [768] × 2". Empty
/// where no tensor is in it; a text that is no shape comes back as it is. The page does the same
/// (web/src/shape_text.ts).
std::string ShapeText(std::string_view text);

}  // namespace xsp::wording

#endif  // XSP_ANSWER_WORDING_SHAPE_TEXT_H_
