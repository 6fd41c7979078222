#!/usr/bin/env python3
"""Writes the samples beside it: small pictures of our own drawing, what Pillow and OpenCV make of them, and lists.

Usage: python3 src/pipeline/sample/make_samples.py   (needs Pillow, numpy and opencv-python-headless)
The files are kept, so that tests need none of these; run it again only to change what is tested.
"""
import io
import json
import pathlib

import cv2
import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent


def drawing(width, height):
    """Smooth colours with edges: both resampling and chroma upsampling show in it."""
    y, x = np.mgrid[0:height, 0:width]
    pixels = np.stack([x * 255 // (width - 1), y * 255 // (height - 1), (x + y) * 7 % 256], axis=2)
    pixels[height // 4: height // 2, width // 4: width // 2] = (250, 20, 30)
    pixels[height // 2:, width // 2: width // 2 + 3] = (10, 240, 60)
    return pixels.astype(np.uint8)


def main():
    photo = Image.fromarray(drawing(64, 48))
    photo.save(HERE / "photo.jpg", quality=85)
    photo.save(HERE / "progressive.jpg", quality=85, progressive=True)
    photo.convert("L").save(HERE / "grey.jpg", quality=85)
    photo.convert("CMYK").save(HERE / "cmyk.jpg", quality=95)
    exif = Image.Exif()
    exif[0x0112] = 6
    photo.save(HERE / "turned.jpg", quality=85, exif=exif)
    small = photo.resize((16, 12))
    small.save(HERE / "rgb.png")
    small.convert("RGBA").save(HERE / "alpha.png")
    small.quantize(16).save(HERE / "palette.png")
    small.quantize(16).convert("RGB").save(HERE / "palette_decoded.png")
    small.convert("1").save(HERE / "bits.png")
    grey16 = (np.arange(12 * 16, dtype=np.uint16).reshape(12, 16) * 341)
    Image.fromarray(grey16).save(HERE / "grey16.png")
    for name in ("photo", "progressive", "cmyk"):
        Image.open(HERE / f"{name}.jpg").convert("RGB").save(HERE / f"{name}_decoded.png")
    decoded = Image.open(HERE / "photo_decoded.png")
    for width, height in ((24, 31), (80, 40)):
        # One axis after the other: which one Pillow begins with when asked for both depends on its version.
        wide = decoded.resize((width, decoded.height), Image.Resampling.BILINEAR)
        wide.resize((width, height), Image.Resampling.BILINEAR).save(HERE / f"pil_{width}x{height}.png")
        resized = cv2.resize(np.asarray(decoded), (width, height), interpolation=cv2.INTER_LINEAR)
        Image.fromarray(resized).save(HERE / f"opencv_{width}x{height}.png")

    for name, picture in (("folder/cat/1.jpg", photo), ("folder/dog/1.jpg", photo.rotate(180)), ("coco/a.jpg", photo)):
        (HERE / name).parent.mkdir(parents=True, exist_ok=True)
        picture.resize((24, 18)).save(HERE / name, quality=70)
    small.save(HERE / "folder/dog/2.png")
    whole = io.BytesIO()
    photo.save(whole, "JPEG", quality=70)
    (HERE / "folder/dog/broken.jpg").write_bytes(whole.getvalue()[:600])
    (HERE / "folder/dog/notes.txt").write_text("not a picture\n")
    small.save(HERE / "coco/b.png")
    (HERE / "list.txt").write_text("dog/2.png 1\ncat/1.jpg 0\ncat/gone.jpg 0\nno label\n../photo.jpg 1\n")
    (HERE / "labels.txt").write_text("cat\ndog\n")
    (HERE / "coco/annotations.json").write_text(json.dumps({
        "images": [{"id": 7, "file_name": "b.png"}, {"id": 3, "file_name": "a.jpg"}, {"id": 4, "file_name": "gone.jpg"}, {"id": 5}],
        "annotations": [
            {"id": 1, "image_id": 3, "category_id": 18, "bbox": [1, 2, 10, 8], "area": 70, "iscrowd": 0,
             "segmentation": [[1, 2, 11, 2, 11, 10]]},
            {"id": 2, "image_id": 3, "category_id": 1, "bbox": [0, 0, 5, 5], "iscrowd": 1,
             "segmentation": {"size": [18, 24], "counts": [0, 10, 422]}},
            {"id": 3, "image_id": 99, "category_id": 1, "bbox": [0, 0, 5, 5]},
            {"id": 4, "image_id": 3, "category_id": 1, "bbox": [0, 0, "wide", 5]}],
        "categories": [{"id": 1, "name": "person"}, {"id": 18, "name": "dog"}]}, indent=1) + "\n")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "quick", "brown", "fox", "jump", "##s", "##ed", "over", "la", "##zy", "dog",
             ".", ",", "!", "un", "##want", "##able", "cafe", "\u4e2d", "\u56fd", "a", "##b", "##c"]
    (HERE / "vocabulary.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    (HERE / "words.txt").write_text("<pad>\n<unk>\n<s>\n</s>\nhello\nworld\n")
    (HERE / "texts.csv").write_text('sentence,other,kind\nThe quick fox,,0\n"He said ""no"",\nand left",a dog,dog\ntoo,few\n'
                                    'x,y,bird\n"open,1,2\n')
    (HERE / "texts.jsonl").write_text('{"source": "hello world", "target": "hallo welt"}\n\nnot json\n{"source": "no target"}\n')
    (HERE / "priors.json").write_text("[[0.5, 0.5, 0.2, 0.4], [0.25, 0.75, 0.1, 0.1]]\n")


if __name__ == "__main__":
    main()
