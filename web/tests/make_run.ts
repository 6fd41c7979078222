// Documents of imported runs for the page's tests: a thread of operators, a stream of kernels, and
// blocks of merged spans, all made up.
import type { RankRow, Ranks, RunTimeline } from '../src/report_data.ts';
import { random } from './make_fixture.ts';

export interface RunOptions {
  /** Spans and blocks together. */
  rows: number;
  /** Tracks of a thread and a stream each. */
  ranks?: number;
  python?: boolean;
}

/** Steps of operators that each launch a kernel; of every fourth operator the next is a block. */
export function runTimeline(options: RunOptions): RunTimeline {
  const next = random(3);
  const ranks = options.ranks ?? 1;
  const spans: { track: number; start: number; duration: number; name: number; kind: number }[] = [];
  const blocks: (typeof spans[number] & { count: number; busy: number })[] = [];
  const launches: { kernel: (typeof spans)[number]; track: number; start: number }[] = [];
  const names = ['ProfilerStep#1', 'aten::conv2d', 'cudaLaunchKernel', 'void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3> >(int, at::native::CUDAFunctor_add<float>, at::detail::Array<char*, 3>)', 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', 'module.py(1): forward'];
  const kinds = ['application/step', 'layer/aten::conv2d', 'library/cuda_runtime', 'kernel/kernel', 'application/python'];
  let at = 0;
  while (spans.length + blocks.length < options.rows) {
    for (let rank = 0; rank < ranks; rank += 1) {
      const [stream, thread] = [rank * 2, rank * 2 + 1];
      const length = 400 + Math.round(next() * 600);
      if (options.python) spans.push({ track: thread, start: at, duration: length + 90, name: 5, kind: 4 });
      spans.push({ track: thread, start: at + 10, duration: length, name: 1, kind: 1 });
      spans.push({ track: thread, start: at + 50, duration: 60, name: 2, kind: 2 });
      const kernel = { track: stream, start: at + 150, duration: Math.round(length / 2), name: next() < 0.2 ? 4 : 3, kind: 3 };
      spans.push(kernel);
      launches.push({ kernel, track: thread, start: at + 50 });
      if (next() < 0.25) blocks.push({ track: stream, start: at + 1200, duration: 300, name: 3, kind: 3, count: 12, busy: 150 });
    }
    at += 1600;
  }
  spans.push({ track: 1, start: 0, duration: at, name: 0, kind: 0 });
  const byStart = <T extends { start: number }>(rows: T[]): T[] => rows.sort((a, b) => a.start - b.start);
  byStart(spans);
  const pack = (rows: typeof spans): RunTimeline['spans'] => ({
    track: rows.map((row) => row.track),
    start_step_ns: byStart(rows).map((row, index) => row.start - (rows[index - 1]?.start ?? 0)),
    duration_ns: rows.map((row) => row.duration), name: rows.map((row) => row.name), kind: rows.map((row) => row.kind),
  });
  return {
    point_id: 1, run_id: 1, duration_ns: at, total: options.rows * 170, names, kinds,
    tracks: Array.from({ length: ranks * 2 }, (_, index) => ({
      id: index + 1, kind: index % 2 ? 'thread' : 'stream', name: index % 2 ? 'main' : 'GPU 0 stream 7', rank: ranks > 1 ? index >> 1 : null,
      is_device: index % 2 === 0, spans: 1000, folded: index > 5 })),
    steps: { name: ['ProfilerStep#1'], start_ns: [0], duration_ns: [at] },
    shown: { name: 'ProfilerStep#1', start_ns: 0, duration_ns: Math.min(at, 16000) },
    spans: pack(spans),
    blocks: { ...pack(byStart(blocks)), count: blocks.map((block) => block.count), busy_ns: blocks.map((block) => block.busy) },
    launches: { span: launches.map((launch) => spans.indexOf(launch.kernel)).slice(0, 2000), track: launches.map((launch) => launch.track).slice(0, 2000), start_ns: launches.map((launch) => launch.start).slice(0, 2000) },
  };
}

/** Ranks of which the last computes longest and ends last. */
export function ranks(count: number): Ranks {
  const parts = 100;
  const row = (rank: number): RankRow => {
    const compute = Array.from({ length: parts }, (_, part) => (part % 10 < 4 + rank ? 1000 : 0));
    const communication = compute.map((share, part) => (share === 0 && part % 10 < 9 ? 700 : 0));
    const total = (shares: number[]): number => shares.reduce((all, share) => all + share * 1e4, 0);
    return {
      rank, device: 0, kernels: 500, first_ns: 0, last_ns: 1e9 - (count - rank) * 1e6, compute_ns: total(compute), communication_ns: total(communication), copy_ns: 0,
      steps: 3, step_ns: 3e8, strip: { compute, communication, copy: compute.map(() => 0) },
    };
  };
  return { point_id: 1, run_id: 1, duration_ns: 1e9, stretch_ns: 1e7, rows: Array.from({ length: count }, (_, rank) => row(rank)) };
}
