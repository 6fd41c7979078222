// Comparisons for tests: two sides with a device, and several points over batch sizes.
import type { CompareData, CompareRow, Pair, PairSide, PairSums, Series, SideEntry } from '../src/compare_data.ts';

type Row = Partial<CompareRow> & Pick<CompareRow, 'parent' | 'name' | 'kind'>;

/** Two layers, one of them with other kernels on the second side, and a kernel that each side has alone. */
export const kRows: readonly (Row & { a?: number; b?: number })[] = [
  { parent: -1, name: 'Encoder', kind: 'module', a: 900, b: 1400 },
  { parent: 0, name: 'Layer_0', kind: 'module', a: 500, b: 900 },
  { parent: 1, name: 'aten::linear', kind: 'operator', shape: '[4, 64]', a: 500, b: 900 },
  { parent: 2, name: 'nv_gemm', b_name: 'amd_gemm', kind: 'kernel', leaf: true, a: 450, b: 900 },
  { parent: 2, name: 'memset', kind: 'set', leaf: true, a: 50 },
  { parent: 0, name: 'Layer_1', kind: 'module', a: 400, b: 500 },
  { parent: 5, name: 'aten::linear', kind: 'operator', shape: '[4, 64]', a: 300, b: 250 },
  { parent: 6, name: 'nv_gemm', b_name: 'amd_gemm', kind: 'kernel', leaf: true, a: 300, b: 250 },
  { parent: 5, name: 'aten::softmax', kind: 'operator', a: 100, b: 250 },
  { parent: 8, name: 'softmax', kind: 'kernel', leaf: true, a: 100, b: 150 },
  { parent: 8, name: 'cast', kind: 'kernel', leaf: true, b: 100 },
];

/** As src/answer/compare_page/page_sums.cc has them. */
const kSums: PairSums = {
  types: { total: 2, rows: [{ name: 'aten::linear', count: 2, where: '', a_ns: 800, b_ns: 1150 }, { name: 'aten::softmax', count: 1, where: 'Encoder / Layer_1', a_ns: 100, b_ns: 250 }] },
  only_a: { total: 1, time_ns: 50, rows: [{ name: 'memset', kind: 'set', where: 'Encoder / Layer_0 / aten::linear', count: 1, time_ns: 50 }] },
  only_b: { total: 1, time_ns: 100, rows: [{ name: 'cast', kind: 'kernel', where: 'Encoder / Layer_1 / aten::softmax', count: 1, time_ns: 100 }] },
  renamed: { total: 1, rows: [{ a: 'nv_gemm', b: 'amd_gemm', operator: 'aten::linear', count: 2, a_ns: 750, b_ns: 1150 }] },
};

export const kNoSums: PairSums = {
  types: { total: 0, rows: [] }, only_a: { total: 0, time_ns: 0, rows: [] }, only_b: { total: 0, time_ns: 0, rows: [] }, renamed: { total: 0, rows: [] },
};

function side(name: string, index: number, total: number): PairSide {
  return {
    name, side: index, total_ns: total, device_ns: total, busy_ns: total, wall_ns: total * 4, calls: 1, model: 'net', backend: 'PyTorch', device: 'gpu', precision: 'float32',
    batch: null, processes: 0, kernels_outside: 0,
    device_time: { steps: 1, total_ns: 4000, compute_ns: total - 50, communication_ns: 0, exposed_communication_ns: 0, copy_ns: 50, idle_ns: 4000 - total },
  };
}

export function pairOf(rows: readonly (Row & { a?: number; b?: number })[], more: Partial<Pair> = {}): Pair {
  return {
    sides: [side('h100/net.json.gz', 0, 900), side('mi300/net.json.gz', 1, 1400)], basis: 'device',
    comparable: { verdict: 'partly', differences: [{ what: 'gpu', a: 'H100', b: 'MI300X', matters: true }] },
    verdict: 'unknown_noise', reason: 'processes measured: 1 of each side', ratio: 1400 / 900, low: null, high: null, ratio_of: 'total',
    difference_ns: 500, residual_ns: 0, aligned_share: 0.93, sums: kSums,
    rows: {
      rows_left_out: 0, names_cut: false,
      columns: {
        parent: rows.map((row) => row.parent), name: rows.map((row) => row.name), b_name: rows.map((row) => row.b_name ?? null) as string[],
        kind: rows.map((row) => row.kind), leaf: rows.map((row) => row.leaf ?? false), a_ns: rows.map((row) => row.a ?? null) as number[],
        b_ns: rows.map((row) => row.b ?? null) as number[], verdict: { value: 'unknown_noise', count: rows.length },
        ratio: rows.map((row) => row.ratio ?? null) as number[], low: rows.map((row) => row.low ?? null) as number[], high: rows.map((row) => row.high ?? null) as number[],
        shape: rows.map((row) => row.shape ?? null) as string[], b_path: rows.map((row) => row.b_path ?? null) as string[], left_out: rows.map((row) => row.left_out ?? 0),
      },
    },
    ...more,
  };
}

function entry(name: string, slower: number): SideEntry {
  const spans = {
    level: ['application', 'layer', 'library', 'kernel'], type: ['step', 'aten::linear', 'launch', 'kernel'], name: ['step 1', 'aten::linear', 'cudaLaunchKernel', 'nv_gemm'],
    start_ns: [0, 100, 200, 700], duration_ns: [3600 * slower, 500, 100, 450 * slower], parent: [-1, 0, 1, 2], track: [0, 0, 0, 1], layer_index: [-1, 0, 0, 0],
  };
  return {
    name, was_busy: false, facts: [{ name: 'gpu', value: name }],
    details: {
      roofs: {
        kind: ['flops', 'bandwidth'], name: ['float32 vector', 'DRAM'], dtype: ['float32', null] as string[], unit: ['vector', null] as string[], cores: [null, null] as unknown as number[],
        value: [6e13 * slower, 3e12 * slower], provenance: ['reported:data sheet', 'reported:data sheet'], used: [true, true],
      },
      kernels: {
        total: 3, total_ns: 1000,
        rows: { name: ['gemm', 'softmax'], layer: ['Layer_0', 'Layer_1'], time_ns: [450 * slower, 100], flops: [4e6, 1e4], bytes: [2e5, 4e4], dtype: ['float32', 'float32'], unit: ['vector', 'vector'] },
      },
      layers: { total: 0, total_ns: null, rows: {} },
      idle_causes: [{ cause: 'host', idle_ns: 2500 }, { cause: 'kernel', idle_ns: 100 }],
      timeline: { point_id: 1, run_id: 1, iteration: 0, duration_ns: 3600 * slower, tracks: [{ id: 1, kind: 'thread', name: 'python3' }, { id: 2, kind: 'stream', name: 'GPU 0 stream 7' }], spans },
      timeline_cut: null,
    },
  };
}

export function comparison(more: Partial<CompareData> = {}): CompareData {
  return {
    format_version: 1, generated_at: '2026-11-26T05:00:00Z', xsp_version: '0.1.0', command: 'xsp compare h100/net.json.gz mi300/net.json.gz -o compare.html', notes: [],
    sides: [entry('h100/net.json.gz', 1), entry('mi300/net.json.gz', 1.5)], pairs: [pairOf(kRows)], series: [], ranks: [], ...more,
  };
}

/** Three experiments at three batch sizes each, of which two cannot be told apart. */
export function several(): CompareData {
  const names = ['base', 'after', 'other'];
  const series = names.map((name, index): Series => ({
    experiment: name, model: 'net', backend: index === 2 ? 'ONNX Runtime' : 'PyTorch', device: 'cpu', precision: 'float32', settings: '{}',
    points: [1, 2, 4].map((batch) => ({ batch, latency_ns: 1e6 * batch * (index + 1), latency_low_ns: index === 2 ? -1e5 : 0.9e6 * batch * (index + 1), latency_high_ns: 1.1e6 * batch * (index + 1), device_ns: null, processes: index === 2 ? 1 : 3, is_compared: batch === 4 })),
  }));
  const pairs = [1, 2].map((index) => {
    const pair = pairOf(kRows, { verdict: index === 1 ? 'slower' : 'unknown_noise', low: index === 1 ? 1.4 : null, high: index === 1 ? 1.7 : null, ratio_of: 'latency', basis: 'host' });
    pair.sides[1] = { ...pair.sides[1], side: index, name: names[index]! };
    pair.sides[0] = { ...pair.sides[0], name: 'base', device_time: null };
    return pair;
  });
  return comparison({
    sides: names.map((name, index) => ({ ...entry(name, 1 + index / 2), was_busy: index === 2 })), pairs, series,
    ranks: [{ model: 'net', batch: 4, rows: names.map((_, index) => ({
      series: index, rank: index === 2 ? null : 1, tied_with: index === 2 ? [] : [1 - index], processes: index === 2 ? 1 : 3, was_busy: false, latency_ns: 4e6 * (index + 1), latency_low_ns: null, latency_high_ns: null })) }],
  });
}
