#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "pipeline/base/text_file.h"
#include "pipeline/steps/step.h"
#include "pipeline/text/vocabulary.h"

namespace xsp::pipeline {
namespace {

enum class TokenKind { kWordPiece, kWords };

using Ids = std::vector<std::int64_t>;

/// Cuts the longer of two lists first, so that both together have at most `most` ids: the
/// `longest_first` of Hugging Face's tokenizers (utils/truncation.rs).
void TruncatePair(Ids& first, Ids& second, std::size_t most) {
  Ids& shorter = first.size() > second.size() ? second : first;
  Ids& longer = first.size() > second.size() ? first : second;
  std::size_t a = shorter.size();
  std::size_t b = a > most ? a : std::max(a, most - a);
  if (a + b > most) {
    a = most / 2;
    b = a + most % 2;
  }
  shorter.resize(std::min(shorter.size(), a));
  longer.resize(std::min(longer.size(), b));
}

class Tokenise : public Step {
 public:
  Vocabulary vocabulary;
  TokenKind kind = TokenKind::kWordPiece;
  WordRules rules;
  std::int64_t max_length = 0;
  bool padded = true;
  Dtype dtype = Dtype::kInt64;
  std::string ids_name, mask_name, types_name, length_name;
  std::optional<std::int64_t> begin, end;
  std::int64_t pad = 0;
  std::int64_t unknown = 0;

  Status Follow(Form& form) const override {
    if (form.kind != Form::kRaw) return BadInput("it must be the first step");
    form.kind = Form::kTokens;
    form.dtype = dtype;
    return Ok{};
  }

  Status Run(State& state) const override {
    Ids first = IdsOf(state.input.text);
    Ids second = IdsOf(state.input.second_text);
    const bool pair = !state.input.second_text.empty();
    const std::size_t separators = (begin ? 1 : 0) + (end ? (pair ? 2 : 1) : 0);
    TruncatePair(first, second,
                 static_cast<std::size_t>(max_length) -
                     std::min(separators, static_cast<std::size_t>(max_length)));
    Ids ids, types;
    if (begin) ids.push_back(*begin);
    ids.insert(ids.end(), first.begin(), first.end());
    if (end) ids.push_back(*end);
    types.assign(ids.size(), 0);
    ids.insert(ids.end(), second.begin(), second.end());
    if (pair && end) ids.push_back(*end);
    types.resize(ids.size(), 1);
    const auto length = static_cast<std::int64_t>(ids.size());
    Ids mask(ids.size(), 1);
    if (padded) {
      ids.resize(static_cast<std::size_t>(max_length), pad);
      mask.resize(ids.size(), 0);
      types.resize(ids.size(), 0);
    }
    Add(state, ids_name, ids);
    if (!mask_name.empty()) Add(state, mask_name, mask);
    if (!types_name.empty()) Add(state, types_name, types);
    if (!length_name.empty()) {
      Add(state, length_name, {length});
      state.tensors.back().shape.clear();
    }
    return Ok{};
  }

 private:
  Ids IdsOf(std::string_view text) const {
    Ids ids;
    if (kind == TokenKind::kWordPiece) {
      for (const std::string& word : BertWords(text, rules)) {
        AppendPieces(vocabulary, word, unknown, ids);
      }
    } else {
      for (const std::string& word : SpacedWords(text, rules)) {
        ids.push_back(vocabulary.Find(word).value_or(unknown));
      }
    }
    return ids;
  }

  void Add(State& state, const std::string& name, const Ids& values) const {
    Tensor tensor;
    tensor.name = name;
    tensor.dtype = Dtype::kInt64;
    tensor.shape = {static_cast<std::int64_t>(values.size())};
    tensor.data.resize(values.size() * sizeof(std::int64_t));
    std::memcpy(tensor.data.data(), values.data(), tensor.data.size());
    state.tensors.push_back(Cast(tensor, dtype));
  }
};

/// The number of a special token; a text that is empty means none.
Status Special(const Vocabulary& vocabulary, const char* key, const std::string& token,
               std::optional<std::int64_t>& id) {
  if (token.empty()) return Ok{};
  id = vocabulary.Find(token);
  if (id) return Ok{};
  return BadInput(std::string("the vocabulary lacks the token for ") + key + ": " + token,
                  std::string("name the one that it has as `") + key + "`", key);
}

}  // namespace

Status MakeTokenise(Parameters& parameters, const std::string& folder,
                    std::unique_ptr<Step>& step) {
  auto made = std::make_unique<Tokenise>();
  std::string path;
  parameters.Text("vocabulary", path, true);
  parameters.Choice<TokenKind>(
      "method", made->kind, {{"wordpiece", TokenKind::kWordPiece}, {"words", TokenKind::kWords}});
  const bool bert = made->kind == TokenKind::kWordPiece;
  parameters.Flag("lower_case", made->rules.lower_case);
  made->rules.strip_accents = bert && made->rules.lower_case;
  parameters.Flag("strip_accents", made->rules.strip_accents);
  parameters.Integer("max_length", made->max_length, 1, 1 << 20, true);
  parameters.Choice<bool>("padding", made->padded, {{"max_length", true}, {"none", false}});
  parameters.Choice<Dtype>("dtype", made->dtype,
                           {{"int64", Dtype::kInt64}, {"int32", Dtype::kInt32}});
  made->ids_name = bert ? "input_ids" : "";
  made->mask_name = bert ? "attention_mask" : "";
  made->types_name = bert ? "token_type_ids" : "";
  parameters.Text("ids", made->ids_name);
  parameters.Text("mask", made->mask_name);
  parameters.Text("types", made->types_name);
  parameters.Text("lengths", made->length_name);
  std::string begin = bert ? "[CLS]" : "";
  std::string end = bert ? "[SEP]" : "";
  std::string pad = bert ? "[PAD]" : "<pad>";
  std::string unknown = bert ? "[UNK]" : "<unk>";
  parameters.Text("begin", begin);
  parameters.Text("end", end);
  parameters.Text("pad", pad);
  parameters.Text("unknown", unknown);
  XSP_RETURN_IF_ERROR(parameters.Finish());
  XSP_RETURN_IF_ERROR(About("vocabulary", made->vocabulary.Load(Below(folder, path))));
  std::optional<std::int64_t> pad_id, unknown_id;
  const std::tuple<const char*, std::string, std::optional<std::int64_t>*> specials[] = {
      {"begin", begin, &made->begin},
      {"end", end, &made->end},
      {"pad", made->padded ? pad : "", &pad_id},
      {"unknown", unknown, &unknown_id}};
  for (const auto& [key, token, id] : specials) {
    XSP_RETURN_IF_ERROR(Special(made->vocabulary, key, token, *id));
  }
  if (!unknown_id) return BadInput("`unknown` must not be empty", "", "unknown");
  if (made->padded && !pad_id) {
    return BadInput("`pad` must not be empty with padding", "", "pad");
  }
  made->pad = pad_id.value_or(0);
  made->unknown = *unknown_id;
  step = std::move(made);
  return Ok{};
}

}  // namespace xsp::pipeline
