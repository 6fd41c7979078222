#!/usr/bin/env python3
"""Holds src/pipeline against Pillow (decode, resize, colours), OpenCV (decode, resize) and Hugging Face's tokenizers (WordPiece), on
pictures and texts made here. Prints the largest differences, which docs/pipelines.md states.

Needs a Python with the packages of tests/requirements.txt: the one named by XSP_ORACLE_PYTHON, else .deps/oracles/bin/python; skipped
without one.
"""
import os
import random
import unicodedata
import unittest

import pipeline_probe
from pipeline_probe import ROOT, SAMPLES, Probe, photograph

if __name__ == "__main__":
    pipeline_probe.enter_python((os.environ.get("XSP_ORACLE_PYTHON"), ROOT / ".deps" / "oracles" / "bin" / "python"),
                                ("numpy", "PIL", "cv2", "tokenizers"),
                                "no Python with the packages of tests/requirements.txt (tools/setup --test)")
    import cv2
    import numpy
    import tokenizers
    from PIL import Image

DECODE = [{"step": "decode"}]
SIZES = [(224, 224), (256, 192), (97, 131), (33, 500), (640, 480), (1, 1), (300, 299), (700, 20), (90, 37)]
measured = {}


def note(name, ours, theirs):
    """Remembers and returns the largest difference of two arrays of one shape."""
    assert ours.shape == theirs.shape, (name, ours.shape, theirs.shape)
    most = int(numpy.abs(ours.astype(int) - theirs.astype(int)).max())
    measured[name] = max(measured.get(name, 0), most)
    return most


class ReferenceTest(unittest.TestCase):
    def setUp(self):
        self.probe = Probe()
        self.addCleanup(self.probe.close)

    def pictures(self):
        """PNG files: their pixels are the same for everybody."""
        for seed, (width, height) in enumerate([(320, 240), (500, 375), (64, 64), (1000, 30)]):
            path = self.probe.path / f"picture{seed}.png"
            Image.fromarray(photograph(numpy, width, height, seed)).save(path)
            yield path

    def pixels(self, path, *steps, decode=None):
        (tensor,), _ = self.probe.prepare([{"step": "decode", **(decode or {})}, *steps], file=str(path))
        return tensor


class DecodeTest(ReferenceTest):
    def test_png_as_pillow_and_opencv(self):
        picture = Image.fromarray(photograph(numpy, 77, 50, 1))
        kinds = {"rgb": picture, "grey": picture.convert("L"), "bits": picture.convert("1"), "palette": picture.quantize(50),
                 "alpha": picture.convert("RGBA"), "grey alpha": picture.convert("LA")}
        for kind, image in kinds.items():
            path = self.probe.path / f"{kind}.png"
            image.save(path)
            with self.subTest(kind):
                ours = self.pixels(path)
                self.assertEqual(note("PNG, Pillow", ours, numpy.asarray(Image.open(path).convert("RGB"))), 0)
                theirs = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)
                self.assertEqual(note("PNG, OpenCV", ours, theirs), 0)
        deep = (numpy.arange(77 * 50 * 3).reshape(50, 77, 3) * 5 % 65536).astype(numpy.uint16)
        path = self.probe.path / "deep.png"
        cv2.imwrite(str(path), deep[:, :, ::-1])
        self.assertEqual(note("PNG of 16 bits, Pillow", self.pixels(path), numpy.asarray(Image.open(path).convert("RGB"))), 0)

    def test_jpeg_as_pillow_and_opencv(self):
        picture = Image.fromarray(photograph(numpy, 333, 251, 2))
        for kind, options in {"4:2:0": {"subsampling": 2}, "4:2:2": {"subsampling": 1}, "4:4:4": {"subsampling": 0},
                              "progressive": {"progressive": True}, "quality 30": {"quality": 30}}.items():
            path = self.probe.path / "picture.jpg"
            picture.save(path, **options)
            with self.subTest(kind):
                ours = self.pixels(path)
                self.assertLessEqual(note("JPEG, Pillow", ours, numpy.asarray(Image.open(path).convert("RGB"))), 3)
                theirs = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)
                self.assertLessEqual(note("JPEG, OpenCV", ours, theirs), 3)
        path = self.probe.path / "cmyk.jpg"
        picture.convert("CMYK").save(path)
        self.assertLessEqual(note("JPEG of CMYK, Pillow", self.pixels(path), numpy.asarray(Image.open(path).convert("RGB"))), 3)

    def test_grey_as_pillow(self):
        for path in self.pictures():
            ours = self.pixels(path, decode={"colour": "grey"})[:, :, 0]
            self.assertEqual(note("grey, Pillow", ours, numpy.asarray(Image.open(path).convert("L"))), 0)

    def test_orientation_as_opencv(self):
        for orientation in range(1, 9):
            exif = Image.Exif()
            exif[0x0112] = orientation
            path = self.probe.path / "turned.jpg"
            Image.fromarray(photograph(numpy, 48, 32, 3)).save(path, exif=exif)
            theirs = cv2.cvtColor(cv2.imread(str(path)), cv2.COLOR_BGR2RGB)
            self.assertLessEqual(note("orientation, OpenCV", self.pixels(path, decode={"orientation": "apply"}), theirs), 3)


class ResizeTest(ReferenceTest):
    def test_as_pillow(self):
        for path in self.pictures():
            for width, height in SIZES:
                ours = self.pixels(path, {"step": "resize", "width": width, "height": height, "like": "pil"})
                picture = Image.open(path)
                both = picture.resize((width, height), Image.Resampling.BILINEAR)
                # Which axis comes first when asked for both depends on Pillow's version; ours is the width.
                wide = picture.resize((width, picture.height), Image.Resampling.BILINEAR)
                one_by_one = wide.resize((width, height), Image.Resampling.BILINEAR)
                with self.subTest(path=path.name, size=(width, height)):
                    self.assertEqual(note("resize, Pillow, width first", ours, numpy.asarray(one_by_one)), 0)
                    self.assertLessEqual(note("resize, Pillow", ours, numpy.asarray(both)), 1)

    def test_as_opencv(self):
        for path in self.pictures():
            for width, height in SIZES:
                ours = self.pixels(path, {"step": "resize", "width": width, "height": height, "like": "opencv"})
                theirs = cv2.cvtColor(cv2.resize(cv2.imread(str(path)), (width, height), interpolation=cv2.INTER_LINEAR),
                                      cv2.COLOR_BGR2RGB)
                with self.subTest(path=path.name, size=(width, height)):
                    self.assertLessEqual(note("resize, OpenCV", ours, theirs), 1)


class TokeniseTest(ReferenceTest):
    def reference(self, length):
        tokenizer = tokenizers.BertWordPieceTokenizer(str(SAMPLES / "vocabulary.txt"), lowercase=True)
        tokenizer.enable_truncation(length)
        tokenizer.enable_padding(length=length, pad_id=0, pad_token="[PAD]")
        return tokenizer

    def test_word_pieces_of_random_texts(self):
        rng = random.Random(5)
        parts = ["The", "quick", "JUMPS", "jumped", " ", "  ", ",", "!", "lazy", "dogs", "unwantable", "caf\u00e9", "\u4e2d\u56fd", "abcbc", "\t",
                 "x\u0301", "\u200b", "$a", "...", "\n", "la", "zy", "ab" * 60]
        for _ in range(300):
            text = "".join(rng.choice(parts) + rng.choice(["", " "]) for _ in range(rng.randrange(1, 14)))
            second = "".join(rng.choice(parts) + " " for _ in range(rng.randrange(1, 14))) if rng.random() < 0.5 else ""
            length = rng.randrange(5, 30)
            theirs = self.reference(length).encode(text, second or None)
            tensors, _ = self.probe.prepare([{"step": "tokenise", "vocabulary": "vocabulary.txt", "max_length": length}],
                                            text=text, second_text=second)
            with self.subTest(text=text, second=second, length=length):
                self.assertEqual(tensors[0].tolist(), theirs.ids)
                self.assertEqual(tensors[1].tolist(), theirs.attention_mask)
                self.assertEqual(tensors[2].tolist(), theirs.type_ids)

    def test_every_character_is_split_alike(self):
        normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
        splitter = tokenizers.pre_tokenizers.BertPreTokenizer()
        codes = [code for code in range(1, 0x30000) if not 0xD800 <= code < 0xE000]
        texts = [f"a{chr(code)}B" for code in codes]
        ours = self.probe.ask({"words": texts})["words"]
        differing = [code for code, text, words in zip(codes, texts, ours)
                     if words != [word for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text))]]
        measured["characters split differently"] = len(differing)
        # The tables of tokenizers are older than utf8proc's: what differs must be younger than Unicode 3.2, but for a few characters
        # whose category has changed since.
        old = [code for code in differing if unicodedata.ucd_3_2_0.category(chr(code)) != "Cn"]
        measured["of these, in Unicode 3.2"] = len(old)
        self.assertLess(len(old), 10, [hex(code) for code in old])


def tearDownModule():
    print("\nlargest differences (of 255 for pixels):")
    for name, value in measured.items():
        print(f"  {name}: {value}")


if __name__ == "__main__":
    unittest.main()
