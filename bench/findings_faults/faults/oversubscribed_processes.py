"""A server has two worker processes for each core, and each keeps PyTorch's default of a thread for each core. Repaired: one worker for each
core, each with one thread, for the same requests."""
import os
import sys

RULE = "oversubscribed_threads"
GAIN = False

PROGRAM = """
import multiprocessing
import torch

WORKERS, THREADS, REQUESTS = {workers}, {threads}, 48


def serve(first):
    if THREADS:
        torch.set_num_threads(THREADS)
    torch.manual_seed(1)
    layers = [torch.nn.Conv2d(3, 32, 3, padding=1)]
    for _ in range(8):
        layers += [torch.nn.Conv2d(32, 32, 3, padding=1), torch.nn.ReLU(inplace=True)]
    model = torch.nn.Sequential(*layers).eval()
    image = torch.randn(1, 3, 56, 56)
    with torch.inference_mode():
        for _ in range(first, REQUESTS, WORKERS):
            model(image)


if __name__ == "__main__":
    workers = [multiprocessing.Process(target=serve, args=(first,)) for first in range(WORKERS)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
"""


def build(folder, repaired):
    cores = len(os.sched_getaffinity(0))
    script = folder / "program.py"
    script.write_text(PROGRAM.format(workers=cores if repaired else 2 * cores, threads=1 if repaired else 0))
    return ["record", "--no-roofs", "--", sys.executable, str(script)]
