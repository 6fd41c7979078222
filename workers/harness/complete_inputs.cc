#include "harness/complete_inputs.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>

namespace xsp::worker {
namespace {

constexpr std::int64_t kImageSize = 224, kTextLineWidth = 320;
/// Of each guess: lengths of sequences of ids (tables of positions may be short) and of other
/// sequences (32 ms of speech, a second of it), heights of images (a line of text, a detector's).
constexpr std::int64_t kIdLengths[kGuesses] = {128, 16, 8};
constexpr std::int64_t kLengths[kGuesses] = {128, 512, 16000};
constexpr std::int64_t kHeights[kGuesses] = {224, 48, 640};
constexpr std::int64_t kWidths[kGuesses] = {224, 320, 640};
/// Ranks of what is no ids.
constexpr std::size_t kRanks[kGuesses] = {4, 2, 3};
constexpr std::int64_t kSampleRate = 16000;  // Hz; as many samples are a second of speech.
constexpr std::int64_t kSignal = 1024, kFrames = 16, kFrameSize = 112;
/// Images of a lower known size are lines of text, whose width is open.
constexpr std::int64_t kLineHeight = 100;

/// The words of a name in lower case: "past_key_values.0.Key" -> past, key, values, key; also
/// "inputIds" -> input, ids. Digits are left out.
std::vector<std::string> WordsOf(std::string_view name) {
  std::vector<std::string> words;
  bool in_word = false, after_lower = false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (!std::isalpha(byte)) {
      in_word = after_lower = false;
      continue;
    }
    const bool upper = std::isupper(byte) != 0;
    if (!in_word || (upper && after_lower)) words.emplace_back();
    words.back() += static_cast<char>(std::tolower(byte));
    in_word = true;
    after_lower = !upper;
  }
  return words;
}

bool HasWord(const std::vector<std::string>& words,
             std::initializer_list<std::string_view> wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(wanted.begin(), wanted.end(), word) != wanted.end();
  });
}

/// Whether a name has one of the words in it, or is one of the letters.
bool Means(std::string_view name, std::initializer_list<std::string_view> words,
           std::initializer_list<std::string_view> letters) {
  const auto own = WordsOf(name);
  return HasWord(own, words) || (own.size() == 1 && HasWord(own, letters));
}

bool IsInteger(int dtype) {
  return dtype == XSP_INT64 || dtype == XSP_INT32 || dtype == XSP_INT16 || dtype == XSP_INT8 ||
         dtype == XSP_UINT8;
}

bool IsOpen(std::int64_t size) { return size < 1; }

bool IsChannels(std::int64_t size) { return size == 1 || size == 3 || size == 4; }

/// Sizes that are left open, by what the model calls them; equal names are equal sizes.
class Sizes {
 public:
  explicit Sizes(std::int64_t batch) : batch_(batch) {}

  void Learn(std::string_view symbol, std::int64_t size) {
    if (!symbol.empty() && size > 0) known_.try_emplace(std::string(symbol), size);
  }

  std::optional<std::int64_t> Known(std::string_view symbol) const {
    const auto it = known_.find(symbol);
    if (it != known_.end()) return it->second;
    // "past + sequence".
    const std::size_t plus = symbol.find(" + ");
    if (plus == std::string_view::npos) return std::nullopt;
    const auto left = Term(symbol.substr(0, plus)), right = Term(symbol.substr(plus + 3));
    return left && right ? std::optional(*left + *right) : std::nullopt;
  }

  std::int64_t batch() const { return batch_; }
  void SetBatchSymbol(std::string_view symbol) { batch_symbol_ = symbol; }
  bool IsBatch(std::string_view symbol) const {
    return !symbol.empty() &&
           (symbol == batch_symbol_ || Means(symbol, {"batch", "batchsize", "bs"}, {"n", "b"}));
  }

 private:
  std::optional<std::int64_t> Term(std::string_view text) const {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return number;
    return Known(text);
  }

  std::int64_t batch_;
  std::string batch_symbol_;
  std::map<std::string, std::int64_t, std::less<>> known_;
};

/// One input on its way from what is known to what can be made.
class Completion {
 public:
  Completion(const xsp_worker_input& known, const GivenInput* given, std::int64_t batch, int guess)
      : known_(known), given_(given), guess_(static_cast<std::size_t>(guess)) {
    spec_.name = known.name;
    if (known.rank >= 0) spec_.shape.assign(known.shape, known.shape + known.rank);
    has_rank_ = known.rank >= 0;
    has_dtype_ = known.dtype >= 0;
    if (has_dtype_) spec_.dtype = static_cast<xsp_worker_dtype>(known.dtype);
    if (!given) return;
    Overlay(*given, batch, spec_);
    has_dtype_ = has_dtype_ || given->dtype;
    if (!given->shape) return;
    has_rank_ = true;
    // What begins with 1 follows the batch, unless the file fixes that size.
    const bool file_fixes = known.rank > 0 && known.shape[0] > 0;
    if (!spec_.shape.empty() && given->shape->front() == 1 && !file_fixes) {
      spec_.shape[0] = batch;
      spec_.batch_axes.insert(spec_.batch_axes.begin(), 0);
    }
  }

  Status Check() const {
    if (!given_ || !given_->shape || known_.rank < 0) return Ok{};
    const auto rank = static_cast<std::size_t>(known_.rank);
    if (given_->shape->size() == rank || (known_.has_any_rank != 0 && !given_->shape->empty()))
      return Ok{};
    return Error{ErrorKind::kBadInput,
                 "input " + spec_.name + " has " + std::to_string(rank) +
                     " dimensions, and the given shape " + std::to_string(given_->shape->size()),
                 ""};
  }

  void Learn(Sizes& sizes) const {
    for (std::size_t i = 0; i < spec_.shape.size(); ++i) sizes.Learn(Symbol(i), spec_.shape[i]);
  }

  /// The first dimension that is open is the batch, unless its name is another's.
  void FindBatch(Sizes& sizes) const {
    if (!spec_.shape.empty() && IsOpen(spec_.shape[0]) && !IsSequence(0)) {
      sizes.SetBatchSymbol(Symbol(0));
    }
  }

  void GuessType() {
    if (has_dtype_) return;
    spec_.dtype = HasWord(WordsOf(spec_.name), {"ids", "id", "token", "tokens", "index", "indices"})
                      ? XSP_INT64
                      : XSP_FLOAT32;
    Note(std::string("type ") + xsp_worker_dtype_name(spec_.dtype));
  }

  void GuessShape(Sizes& sizes) {
    if (!has_rank_) {
      spec_.shape.assign(IsInteger(spec_.dtype) ? 2 : kRanks[guess_], XSP_WORKER_UNKNOWN);
      Note("rank " + std::to_string(spec_.shape.size()));
    }
    for (std::size_t i = 0; i < spec_.shape.size(); ++i) {
      if (!IsOpen(spec_.shape[i])) continue;
      const std::string_view symbol = Symbol(i);
      if (!sizes.IsBatch(symbol) && !IsBatchPlace(i)) continue;
      spec_.shape[i] = sizes.batch();
      spec_.batch_axes.push_back(i);
    }
    // All others after the batch is known: what they are rests on what lies beside them.
    const std::vector<std::int64_t> told = spec_.shape;
    for (std::size_t i = 0; i < told.size(); ++i) {
      if (!IsOpen(told[i])) continue;
      const auto same = sizes.Known(Symbol(i));
      spec_.shape[i] = same ? *same : Guess(told, i);
      sizes.Learn(Symbol(i), spec_.shape[i]);
      const std::string name = Symbol(i).empty() ? "" : " (" + std::string(Symbol(i)) + ")";
      Note("size " + std::to_string(i) + name + " = " + std::to_string(spec_.shape[i]));
    }
  }

  /// Values that a model could not run with are replaced by what the input's name asks for.
  void GuessValues(std::int64_t sequence) {
    if (given_ && (given_->fill || given_->range)) return;
    const auto words = WordsOf(spec_.name);
    const bool is_small = spec_.shape.size() <= 1;
    const bool counts = IsInteger(spec_.dtype) || spec_.dtype == XSP_BOOL;
    if (HasWord(words, {"mask", "masks"})) {
      const bool hides = HasWord(words, {"padding", "pad"}) && spec_.dtype == XSP_BOOL;
      FillWith(hides ? Fill::kZeros : Fill::kOnes);
    } else if (!counts) {
      if (is_small && IsRate(words)) Value(kSampleRate);
    } else if (HasWord(words, {"segment", "type"})) {
      FillWith(Fill::kZeros);
    } else if (HasWord(words, {"position", "positions"})) {
      FillWith(Fill::kRange);
    } else if (is_small && IsRate(words)) {
      Value(kSampleRate);
    } else if (is_small && HasWord(words, {"length", "lengths", "len", "lens"})) {
      Value(sequence);
    } else if (spec_.shape.empty()) {
      Value(1);
    }
  }

  /// How long its sequence is, where it has one: the size after the batch.
  std::int64_t Sequence() const { return spec_.shape.size() >= 2 ? spec_.shape[1] : 0; }

  InputSpec Take() { return std::move(spec_); }

  std::string Guesses() const { return notes_.empty() ? "" : spec_.name + ": " + notes_; }

 private:
  /// Empty: it has no name; "?" is none.
  std::string_view Symbol(std::size_t i) const {
    if (known_.rank < 0 || i >= static_cast<std::size_t>(known_.rank)) return "";
    const std::string_view symbol = known_.symbols[i];
    return WordsOf(symbol).empty() ? "" : symbol;
  }

  bool IsSequence(std::size_t i) const {
    return Means(Symbol(i),
                 {"seq", "sequence", "length", "len", "token", "tokens", "time", "steps", "frames"},
                 {"t", "s", "l"});
  }
  bool IsSpatial(std::size_t i) const {
    return Means(Symbol(i), {"height", "width", "image", "img", "size"}, {"h", "w"});
  }
  /// Its name says that it is no batch.
  bool HasOwnMeaning(std::size_t i) const { return IsSequence(i) || IsSpatial(i); }

  /// Unnamed sizes that are the batch by their place: the first, and the middle one of a state
  /// (layers, batch, features).
  bool IsBatchPlace(std::size_t i) const {
    if (i == 0) return !HasOwnMeaning(0);
    const auto& shape = spec_.shape;
    return i == 1 && shape.size() == 3 && !IsOpen(shape[0]) && !IsOpen(shape[2]) &&
           Symbol(1).empty() && IsState();
  }

  bool IsState() const {
    return HasWord(WordsOf(spec_.name),
                   {"state", "states", "hidden", "cell", "h", "c", "hx", "cx", "hn", "cn"});
  }

  static bool IsRate(const std::vector<std::string>& words) {
    return HasWord(words, {"sr", "rate", "samplerate"});
  }

  bool IsAudio() const {
    return HasWord(WordsOf(spec_.name), {"audio", "wave", "waveform", "wav", "speech", "signal",
                                         "pcm", "samples", "values"});
  }

  std::int64_t Length() const {
    return IsInteger(spec_.dtype) ? kIdLengths[guess_] : kLengths[guess_];
  }

  std::int64_t Guess(const std::vector<std::int64_t>& told, std::size_t i) const {
    if (IsSequence(i)) return HasWord(WordsOf(Symbol(i)), {"past"}) ? 1 : Length();
    switch (told.size()) {
      case 1:
      case 2:
        return IsAudio() && guess_ == 0 ? kSampleRate : Length();
      case 3:
        if (IsSpatial(i) ||
            (spec_.batch_axes.empty() && IsChannels(told[0]) && IsOpen(told[1]) && IsOpen(told[2])))
          return kHeights[guess_];  // One image, without a batch.
        if (i < 2) return Length();
        if (told[1] == 1 || told[1] == 2) return guess_ == 0 ? kSampleRate : Length();
        return IsOpen(told[1]) ? Length() : kSignal;
      case 4:
        return GuessOfImage(told, i);
      case 5:
        if (i == 1) return 3;
        return i == 2 ? kFrames : kFrameSize;
      default:
        return IsSpatial(i) ? kImageSize : 1;
    }
  }

  /// Channels first, unless the last size is one of channels and the second is not.
  std::int64_t GuessOfImage(const std::vector<std::int64_t>& told, std::size_t i) const {
    const bool last = IsChannels(told[3]) && !IsChannels(told[1]);
    const std::size_t channels = last ? 3 : 1;
    if (i == channels) return 3;
    // "What the file's other shapes imply": images are square, lines of text are wide.
    const std::size_t height = last ? 1 : 2;
    const std::int64_t other = told[i == height ? height + 1 : height];
    if (IsOpen(other)) return i == height ? kHeights[guess_] : kWidths[guess_];
    return other < kLineHeight ? kTextLineWidth : other;
  }

  void Note(const std::string& text) { notes_ += (notes_.empty() ? "" : ", ") + text; }
  void FillWith(Fill fill) {
    spec_.fill = fill;
    Note(fill == Fill::kOnes    ? "values 1"
         : fill == Fill::kZeros ? "values 0"
                                : "values 0, 1, 2, ...");
  }
  void Value(std::int64_t value) {
    spec_.fill = Fill::kValue;
    spec_.value = static_cast<double>(value);
    Note("value " + std::to_string(value));
  }

  const xsp_worker_input& known_;
  const GivenInput* given_;
  std::size_t guess_;
  InputSpec spec_;
  bool has_rank_ = false, has_dtype_ = false;
  std::string notes_;
};

/// The given input of that name; an unnamed one is the model's only one.
const GivenInput* GivenFor(const std::vector<GivenInput>& given, std::string_view name) {
  for (const GivenInput& one : given)
    if (one.name.empty() || one.name == name) return &one;
  return nullptr;
}

/// Whether every given input is one of `names`.
Status CheckNames(const std::vector<GivenInput>& given,
                  const std::vector<std::string_view>& names) {
  std::string list;
  for (const std::string_view name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  for (const GivenInput& one : given) {
    if (one.name.empty() && names.size() == 1 && given.size() == 1) continue;
    if (one.name.empty()) {
      return Error{
          ErrorKind::kBadInput,
          "an input is given without its name, and the model has " + std::to_string(names.size()),
          "write --input NAME=SHAPE; its inputs are: " + list};
    }
    if (std::find(names.begin(), names.end(), one.name) == names.end())
      return Error{ErrorKind::kBadInput, "the model has no input " + one.name,
                   "its inputs are: " + list};
  }
  return Ok{};
}

Status OfGivenAlone(const std::vector<GivenInput>& given, std::int64_t batch, int guess,
                    CompleteInputs& complete) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    xsp_worker_input nothing = UnknownInput();
    const std::string name = given[i].name.empty() ? "input" + std::to_string(i) : given[i].name;
    std::copy_n(name.data(), std::min(name.size(), sizeof nothing.name - 1), nothing.name);
    Completion completion(nothing, &given[i], batch, guess);
    Sizes sizes(batch);
    completion.GuessType();
    completion.GuessShape(sizes);
    if (const std::string guesses = completion.Guesses(); !guesses.empty())
      complete.guesses.push_back(guesses);
    complete.specs.push_back(completion.Take());
  }
  return Ok{};
}

}  // namespace

xsp_worker_input UnknownInput() {
  xsp_worker_input input = {};
  input.dtype = input.rank = XSP_WORKER_UNKNOWN;
  std::fill(std::begin(input.shape), std::end(input.shape), XSP_WORKER_UNKNOWN);
  return input;
}

Status Complete(const std::vector<xsp_worker_input>& known, const std::vector<GivenInput>& given,
                std::int64_t batch, int guess, CompleteInputs& complete) {
  complete = {};
  if (known.empty()) return OfGivenAlone(given, batch, guess, complete);
  std::vector<std::string_view> names;
  for (const xsp_worker_input& input : known) names.emplace_back(input.name);
  XSP_RETURN_IF_ERROR(CheckNames(given, names));
  std::vector<Completion> completions;
  Sizes sizes(batch);
  for (const xsp_worker_input& input : known) {
    completions.emplace_back(input, GivenFor(given, input.name), batch, guess);
    XSP_RETURN_IF_ERROR(completions.back().Check());
  }
  for (auto it = completions.rbegin(); it != completions.rend(); ++it) {
    it->Learn(sizes);
    it->FindBatch(sizes);
  }
  std::int64_t sequence = 0;
  for (Completion& completion : completions) {
    completion.GuessType();
    completion.GuessShape(sizes);
    if (sequence == 0) sequence = completion.Sequence();
  }
  for (Completion& completion : completions) {
    completion.GuessValues(std::max<std::int64_t>(sequence, 1));
    if (const std::string guesses = completion.Guesses(); !guesses.empty())
      complete.guesses.push_back(guesses);
    complete.specs.push_back(completion.Take());
  }
  return Ok{};
}

Status LayOver(const std::vector<GivenInput>& given, std::int64_t batch,
               std::vector<InputSpec>& specs) {
  std::vector<std::string_view> names;
  for (const InputSpec& spec : specs) names.emplace_back(spec.name);
  XSP_RETURN_IF_ERROR(CheckNames(given, names));
  for (InputSpec& spec : specs)
    if (const GivenInput* one = GivenFor(given, spec.name)) Overlay(*one, batch, spec);
  return Ok{};
}

}  // namespace xsp::worker
