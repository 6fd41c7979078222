#!/usr/bin/env python3
"""Writes sample/two_calls.xspr: a recording made byte by byte from docs/recording.md.

It shares no code with the writer in src/capture/wire, so that the importer's test on it notices when the
format and its description part. Usage: make_sample.py OUTPUT
"""
import struct
import sys

HEADER_BYTES, BLOCK_BYTES, UNIT = 4096, 8192, 32
TICKS_PER_NS = 2
MONOTONIC_NS = 5_000_000  # When recording started, on CLOCK_MONOTONIC ...
REALTIME_NS = 1_700_000_000_000_000_000  # ... and on the wall.
TICKS = 123_456_789

RAW = ("onednn_verbose,v1,primitive,exec,cpu,convolution,brg_conv_fwd:avx512_core,forward_inference,"
       "src_f32::blocked:acdb::f0 wei_f32::blocked:Acdb64a::f0 bia_f32::blocked:a::f0 "
       "dst_f32::blocked:acdb::f0,attr-scratchpad:user,alg:convolution_direct,"
       "mb1_ic3oc64_ih224oh112kh7sh2dh0ph3_iw224ow112kw7sw2dw0pw3,0.25")


def ticks(after_ns):
    return TICKS + TICKS_PER_NS * after_ns


def pair(after_ns):
    return struct.pack("<Qqq", ticks(after_ns), MONOTONIC_NS + after_ns, REALTIME_NS + after_ns)


class Recording:
    def __init__(self):
        self.blocks, self.texts = [], {}

    def block(self, thread, name, sequence):
        number = len(self.blocks)
        self.blocks.append(bytearray())
        self.record(1, number, struct.pack("<Q16x", 0x314B4C42505358FF))
        self.record(2, thread, struct.pack("<II16s", 4000 + thread, sequence, name.encode()))

    def record(self, kind, text, body, flags=0):
        """Appends a record to the last block; returns its number, which is a span's id."""
        body = body.ljust(-(-(len(body) + 8) // UNIT) * UNIT - 8, b"\0")
        block = self.blocks[-1]
        at = HEADER_BYTES + (len(self.blocks) - 1) * BLOCK_BYTES + len(block)
        block += struct.pack("<BBHI", kind, flags, (len(body) + 8) // UNIT, text) + body
        return at // UNIT

    def define(self, *texts):
        for text in texts:
            self.texts[text] = len(self.texts) + 1
            self.record(3, self.texts[text],
                        struct.pack("<Q", len(text.encode())) + text.encode())

    def span(self, level, type_, name, parent, start_ns, end_ns, kind=5):
        if kind == 5:
            start, end = ticks(start_ns), ticks(end_ns) if end_ns is not None else 0
        else:
            start, end = MONOTONIC_NS + start_ns, MONOTONIC_NS + end_ns
        return self.record(kind, self.texts[type_],
                           struct.pack("<IIQQ", self.texts[name], parent, start, end), level)

    def metric(self, span, name, value, unit, provenance):
        t = self.texts
        self.record(7, t[name], struct.pack("<IIQd", span, t[unit], t[provenance], value))

    def attribute(self, span, key, value):
        self.record(8, self.texts[key], struct.pack("<II", span, len(value)) + value.encode())

    def bytes(self):
        header = struct.pack("<8sIIIIQIIQ", b"XSPR\r\n\x1a\n", 1, HEADER_BYTES, BLOCK_BYTES, 1, 1 << 20,
                             4001, 4000, 99)
        header += pair(0) + pair(1_000) + pair(10_000_000)
        header += struct.pack("<QQ40s128s", 1, len(self.blocks), b"sample-boot", b"/opt/sample/worker")
        header = header.ljust(320, b"\0") + struct.pack("<Q", 1 << 62)
        header = header.ljust(384, b"\0") + struct.pack("<Q", 2)
        return header.ljust(HEADER_BYTES, b"\0") + b"".join(
            bytes(block).ljust(BLOCK_BYTES, b"\0") for block in self.blocks)


def main():
    r = Recording()
    r.block(0, "worker", 0)
    r.define("predict", "resnet50", "aten::conv2d", "conv1", "primitive", "announced", "raw",
             "iteration", "1", "measured:worker", "framework.version", "warm", "memory", "byte",
             "measured:procfs", "run_queue_wait_ns", "ns", "range", "helper")
    r.block(1, "main", 1)
    r.attribute(0, "framework.version", "2.15.0")
    r.record(9, r.texts["warm"], struct.pack("<Q", ticks(50)))
    for call in range(2):
        at = 1_000_000 * (call + 1)
        model = r.span(1, "predict", "resnet50", 0, at, at + 900_000)
        layer = r.span(2, "aten::conv2d", "conv1", model, at + 100_000, at + 500_000)
        kernel = r.span(4, "primitive", "announced", layer, at + 150_000, at + 400_000, kind=6)
        r.attribute(kernel, "raw", RAW)
        r.metric(model, "iteration", call, "1", "measured:worker")
        r.metric(model, "run_queue_wait_ns", 0, "ns", "measured:procfs")
        r.record(10, r.texts["memory"],
                 struct.pack("<QQd", ticks(at + 900_000), r.texts["byte"], 1e6 + call))
    r.block(2, "helper", 2)
    r.span(0, "range", "helper", 0, 1_500_000, None)
    with open(sys.argv[1], "wb") as file:
        file.write(r.bytes())


if __name__ == "__main__":
    main()
