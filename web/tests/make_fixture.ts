// Documents for the page's tests, computed from ResNet-50's shapes with seeded noise. Nothing here
// is measured: they only have the structure and the magnitudes of a real report.
import type { AnalysisView, Badge, ReportData, Timeline } from '../src/report_data.ts';
import { abstained, findings } from './make_findings.ts';
import { resnet50 } from './resnet50.ts';

const kPeak = 410e9;
const kBandwidth = 29e9;

/** mulberry32: the same numbers for the same seed. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

interface KernelFact {
  layer: number;
  name: string;
  type: string;
  implementation: string;
  problem: string;
  time: number;
  flops: number;
  read: number;
  write: number;
}

interface LayerFact {
  name: string;
  type: string;
  shape: string;
  latency: number;
  device: number;
  allocated: number;
  kernels: KernelFact[];
}

/** One model call at a batch size, repeated `times` for a deeper model. */
function call(batch: number, next: () => number, times: number): LayerFact[] {
  const seen = new Map<string, number>();
  const layers: LayerFact[] = [];
  for (let copy = 0; copy < times; copy += 1)
    for (const shape of resnet50()) {
      const index = layers.length;
      const nth = seen.get(shape.type) ?? 0;
      seen.set(shape.type, nth + 1);
      const write = 4 * batch * shape.channels * shape.height * shape.width;
      const read = 4 * (batch * shape.inputs + shape.weights);
      const flops = batch * shape.flops;
      const kernels: KernelFact[] = [];
      const primitive = shape.type === 'conv2d' || shape.type === 'linear';
      const add = (name: string, type: string, work: number, from: number, to: number, share: number): void => {
        const bound = Math.max(work / (kPeak * share), (from + to) / (kBandwidth * 2.1));
        kernels.push({
          layer: index, name, type, implementation: name.split(' ')[1] ?? '', problem: type === 'primitive' ? `mb${batch}_${shape.problem}` : '',
          time: Math.round(1500 + bound * 1e9 * (0.94 + 0.12 * next())), flops: work, read: from, write: to,
        });
      };
      if (shape.type === 'conv2d' && index % 5 === 0) add('reorder jit:uni', 'primitive', 0, read, read, 1);
      if (shape.type !== 'flatten')
        add(primitive ? `${shape.type === 'conv2d' ? 'convolution' : 'inner_product'} ${shape.problem.includes('kh1') ? 'brgconv_1x1:avx512_core' : 'jit:avx512_core'}` : shape.type, primitive ? 'primitive' : 'native', flops, read, write, 0.5 + 0.35 * next());
      const device = kernels.reduce((total, kernel) => total + kernel.time, 0);
      layers.push({
        name: `${shape.type}_${nth}`, type: shape.type, shape: `[${batch}, ${shape.channels}, ${shape.height}, ${shape.width}]`,
        latency: Math.round(device * (index % 41 === 7 ? 0.97 : 1) + 2500 + 4000 * next()), device,
        allocated: shape.type.endsWith('_') || shape.type === 'flatten' ? 0 : write, kernels,
      });
    }
  return layers;
}

export interface FixtureOptions {
  batches?: number[];
  seed?: number;
  /** How many times the model is repeated: 27 gives some 5,000 kernels. */
  times?: number;
  /** Replaces layer and kernel names. */
  rename?: (name: string) => string;
}

export function fixture(options: FixtureOptions = {}): ReportData {
  const batches = options.batches ?? [1, 2, 4, 8, 16];
  const next = random(options.seed ?? 7);
  const rename = options.rename ?? ((name: string): string => name);
  const data = empty();
  data.title = {
    model: rename('resnet50'), backend: 'PyTorch 2.15.0', device: 'CPU, 2 cores of Intel Xeon Platinum 8481C',
    precision: 'float32', precision_asked: null, batches, measured_at: '2026-11-21T10:45:00Z',
    command: `xsp run resnet50 --batch ${batches.join(',')}`, experiment: 'resnet50-20261121-104500', imported_from: [],
  };
  const names: string[] = [];
  const columns = columnStore(data);
  batches.forEach((batch, index) => addPoint(data, columns, { batch, pointId: index + 1, next, times: options.times ?? 1, rename, names }));
  data.samples = columns.samples;
  data.optima = [{ point_ids: batches.map((_, index) => index + 1), highest_throughput: batches[batches.length - 1] ?? null, last_worth_doubling: batches.length > 3 ? batches[3]! : null }];
  data.badges = badges();
  data.findings = findings();
  data.abstained = abstained();
  data.findings_point_id = 1;
  data.analyses = analyses(data);
  return data;
}

type Store = ReturnType<typeof columnStore>;

/** The tables as columns, ready to be pushed to. */
function columnStore(data: ReportData) {
  const tables = {
    points: { point_id: [] as number[], model: [] as string[], backend: [] as string[], device: [] as string[], precision: [] as string[], batch: [] as (number | null)[], settings: [] as string[], latency_ns: [] as (number | null)[], latency_low_ns: [] as (number | null)[], latency_high_ns: [] as (number | null)[], model_bytes: [] as (number | null)[], peak_bytes: [] as (number | null)[], cores: [] as (number | null)[], status: [] as string[] },
    runs: { run_id: [] as number[], point_id: [] as number[], rung: [] as string[], status: [] as string[], path: [] as string[], samples: [] as number[], disturbed: [] as number[], warmup: [] as number[], latency_ns: [] as number[], latency_low_ns: [] as number[], latency_high_ns: [] as number[], p50_ns: [] as number[], p95_ns: [] as number[], p99_ns: [] as number[], min_ns: [] as number[], variation: [] as number[], overhead_ns: [] as (number | null)[], overhead_ratio: [] as (number | null)[], message: [] as (string | null)[] },
    samples: { run_id: [] as number[], iteration: [] as number[], latency_ns: [] as number[], disturbed: [] as boolean[], reason: [] as (string | null)[] },
    layers: { point_id: [] as number[], layer_index: [] as number[], name: [] as string[], type: { dict: [] as string[], codes: [] as number[] }, shape: [] as string[], latency_ns: [] as number[], device_ns: [] as number[], kernel_ns: [] as number[], allocated_bytes: [] as number[], flops: [] as number[], read_bytes: [] as number[], write_bytes: [] as number[], dtype: [] as (string | null)[], source_run: [] as number[], matched: [] as string[] },
    kernels: { point_id: [] as number[], kernel_index: [] as number[], layer_index: [] as (number | null)[], name: [] as string[], type: [] as string[], dtype: [] as string[], unit: [] as string[], implementation: [] as string[], problem: [] as string[], duration_ns: [] as number[], flops: [] as number[], read_bytes: [] as number[], write_bytes: [] as number[], traffic_provenance: [] as string[], source_run: [] as number[], matched: [] as string[] },
    matches: { point_id: [] as number[], level: [] as string[], run_a: [] as number[], run_b: [] as number[], matched: [] as number[], only_a: [] as number[], only_b: [] as number[], example: [] as (string | null)[] },
  };
  Object.assign(data, { points: tables.points, runs: tables.runs, layers: tables.layers, kernels: tables.kernels, matches: tables.matches });
  return tables;
}

interface PointOptions {
  batch: number;
  pointId: number;
  next: () => number;
  times: number;
  rename: (name: string) => string;
  names: string[];
}

function addPoint(data: ReportData, tables: Store, options: PointOptions): void {
  const { batch, pointId, next, rename } = options;
  const layers = call(batch, next, options.times);
  const sum = layers.reduce((total, layer) => total + layer.latency, 0);
  const between = sum * 0.012 + 180e3;
  const rungs: [string, number][] = [['model', (sum + between) * 0.991], ['layer', sum + between], ['kernel', (sum + between) * 1.021]];
  let above: number | null = null;
  for (const [rung, latency] of rungs) {
    addRun(tables, { rung, latency, above, pointId, next });
    above = latency;
  }
  const firstRun = (pointId - 1) * rungs.length + 1;
  push(tables.points, { point_id: pointId, model: 'resnet50', backend: 'PyTorch 2.15.0', device: 'cpu', precision: 'float32', batch, settings: '{"threads":2}', latency_ns: rungs[0]![1], latency_low_ns: rungs[0]![1] * 0.994, latency_high_ns: rungs[0]![1] * 1.008, model_bytes: 102537216, peak_bytes: 110e6 + 31e6 * batch, cores: 2, status: 'done' });
  let kernelIndex = 0;
  layers.forEach((layer, index) => {
    const total = (pick: (kernel: KernelFact) => number): number => layer.kernels.reduce((all, kernel) => all + pick(kernel), 0);
    const { type, ...rest } = { point_id: pointId, layer_index: index, name: rename(layer.name), type: layer.type, shape: layer.shape, latency_ns: layer.latency, device_ns: layer.device, kernel_ns: layer.device, allocated_bytes: layer.allocated, flops: total((k) => k.flops), read_bytes: total((k) => k.read), write_bytes: total((k) => k.write), dtype: layer.kernels.length ? 'float32' : null, source_run: firstRun + 1, matched: 'all' };
    const { type: codes, ...plain } = tables.layers;
    push(plain, rest);
    if (!codes.dict.includes(type)) codes.dict.push(type);
    codes.codes.push(codes.dict.indexOf(type));
    for (const kernel of layer.kernels) {
      push(tables.kernels, { point_id: pointId, kernel_index: kernelIndex, layer_index: index, name: rename(kernel.name), type: kernel.type, dtype: 'float32', unit: 'vector', implementation: kernel.implementation, problem: kernel.problem, duration_ns: kernel.time, flops: kernel.flops, read_bytes: kernel.read, write_bytes: kernel.write, traffic_provenance: 'analytic', source_run: firstRun + 2, matched: 'all' });
      kernelIndex += 1;
    }
  });
  push(tables.matches, { point_id: pointId, level: 'layer', run_a: firstRun + 1, run_b: firstRun + 2, matched: layers.length, only_a: 0, only_b: pointId === 2 ? 1 : 0, example: pointId === 2 ? 'aten::to' : null });
  data.timelines.push(timelineOf(layers, pointId, firstRun + 2, rename));
  data.method.attribution.push({ point_id: pointId, share: 1 });
}

function push(table: object, row: object): void {
  const columns = table as Record<string, unknown[]>;
  for (const [name, value] of Object.entries(row)) columns[name]!.push(value);
}

function addRun(tables: Store, run: { rung: string; latency: number; above: number | null; pointId: number; next: () => number }): void {
  const runId = tables.runs.run_id.length + 1;
  const latencies: number[] = [];
  let disturbed = 0;
  for (let index = 0; index < 50; index += 1) {
    const bad = run.next() < 0.04;
    if (bad) disturbed += 1;
    const latency = Math.round(run.latency * (bad ? 1.15 + run.next() * 0.5 : 0.992 + run.next() * 0.02));
    latencies.push(latency);
    push(tables.samples, { run_id: runId, iteration: index, latency_ns: latency, disturbed: bad, reason: bad ? 'context switches: 3' : null });
  }
  const sorted = [...latencies].sort((a, b) => a - b);
  push(tables.runs, {
    run_id: runId, point_id: run.pointId, rung: run.rung, status: 'done', path: `run-${runId}`, samples: 50, disturbed, warmup: 20,
    latency_ns: run.latency, latency_low_ns: run.latency * 0.995, latency_high_ns: run.latency * 1.006, p50_ns: sorted[24]!, p95_ns: sorted[47]!, p99_ns: sorted[49]!, min_ns: sorted[0]!,
    variation: 0.021, overhead_ns: run.above === null ? null : run.latency - run.above, overhead_ratio: run.above === null ? null : run.latency / run.above - 1, message: null,
  });
}

function timelineOf(layers: LayerFact[], pointId: number, runId: number, rename: (name: string) => string): Timeline {
  const spans = { level: { dict: ['model', 'layer', 'kernel'], codes: [] as number[] }, type: [] as string[], name: [] as string[], start_ns: [] as number[], duration_ns: [] as number[], parent: [] as number[], track: [] as number[], layer_index: [] as number[] };
  const add = (level: number, type: string, name: string, start: number, length: number, parent: number, layer: number): number => {
    spans.level.codes.push(level);
    push({ ...spans, level: [] }, { type, name: rename(name), start_ns: start, duration_ns: length, parent, track: 0, layer_index: layer });
    return spans.type.length - 1;
  };
  const model = add(0, 'predict', 'predict', 0, 0, -1, -1);
  let at = 4000;
  layers.forEach((layer, index) => {
    const own = add(1, layer.type, layer.name, at, layer.latency, model, index);
    let inner = at + 900;
    for (const kernel of layer.kernels) {
      const length = Math.min(kernel.time, at + layer.latency - inner);
      add(2, kernel.type, kernel.name, inner, length, own, index);
      inner += length;
    }
    at += layer.latency + 1700;
  });
  spans.duration_ns[model] = at;
  return { point_id: pointId, run_id: runId, iteration: 24, duration_ns: at, tracks: [{ id: 1, kind: 'thread', name: 'thread 4711 (main)' }], spans };
}

function badges(): Badge[] {
  return [
    { id: 'distortion', status: 'green', value: '0.9 %', sentence: 'Layer times carry at most 0.9 % of overhead of the layer rung.', anchor: 'method-ladder' },
    { id: 'noise', status: 'amber', value: '4.1 %', sentence: '31 of 750 samples were disturbed by context switches; they enter no mean.', anchor: 'method-samples' },
    { id: 'attribution', status: 'green', value: '100 %', sentence: 'All kernel time is tied to a layer.', anchor: 'method-matching' },
    { id: 'losses', status: 'green', value: '0 records', sentence: 'No record was dropped.', anchor: 'method-losses' },
  ];
}

/** Two analyses with charts, one of them with rows for every point, and one that cannot be answered. */
function analyses(data: ReportData): AnalysisView[] {
  const column = (name: string, unit: string, provenance = ''): AnalysisView['columns'][number] => ({ name, unit, help: `About ${name}`, provenance });
  const { points, layers } = data;
  const batchOf = (id: number | null): number | null => (points.batch as (number | null)[])[(points.point_id as number[]).indexOf(id!)] ?? null;
  return [{
    id: 'A1', title: 'Batch sizes', question: 'How do throughput and latency change with the batch size?',
    text: 'Read the **table** first.\n\n- `throughput_per_s` is batch / latency.\n- An interval that overlaps the next *is no gain*.\n\n| rule | meaning |\n| --- | --- |\n| arg-max | the highest throughput |\n\nSee [the stack](#stack) and <b>not markup</b>.',
    sql: 'SELECT batch, latency_ns, batch / latency_ns * 1e9 AS throughput_per_s\nFROM point ORDER BY batch;',
    chart: { data: { name: 'rows' }, hconcat: ['throughput_per_s', 'latency_ns'].map((field) => ({ mark: { type: 'line', point: true }, encoding: { x: { field: 'batch', type: 'ordinal' }, y: { field, type: 'quantitative' } } })) },
    columns: [column('batch', '1'), column('latency_ns', 'ns', 'measured:xsp'), column('throughput_per_s', '1/s', 'measured:xsp'), column('latency_share', '1')],
    table: [points.batch!, points.latency_ns!, (points.latency_ns as number[]).map((latency, index) => ((points.batch as number[])[index]! / latency) * 1e9), (points.latency_ns as number[]).map(() => 0.5)],
    missing: [],
  }, {
    id: 'A3', title: 'Latency per layer', question: 'Which layers take the time, in execution order?',
    text: 'One bar a layer.', sql: 'SELECT point_id, batch, layer_index, name, type, latency_ns FROM layer',
    chart: { data: { name: 'rows' }, width: 'container', height: 180, mark: 'bar', encoding: { x: { field: 'layer_index', type: 'quantitative' }, y: { field: 'latency_ns', type: 'quantitative' }, color: { field: 'type', type: 'nominal' } } },
    columns: [column('point_id', ''), column('batch', '1'), column('layer_index', ''), column('name', ''), column('type', ''), column('latency_ns', 'ns', 'measured:xsp')],
    table: [layers.point_id!, (layers.point_id as number[]).map(batchOf), layers.layer_index!, layers.name!, layers.type!, layers.latency_ns!],
    missing: [],
  }, {
    id: 'models', title: 'Models side by side', question: 'How do models compare?', text: 'Needs several experiments.', sql: 'SELECT 1', chart: null,
    columns: [column('model', '')], table: [[]],
    missing: [{ level: 'model', how: 'Only one experiment is open: `xsp analyze models RUN RUN ...` compares several.' }],
  }];
}

/** A document with nothing in it: an experiment whose every point failed before its first call. */
export function empty(): ReportData {
  return {
    format_version: 1, generated_at: '2026-11-21T11:00:00Z', xsp_version: '0.1.0',
    title: { model: 'nothing', backend: 'PyTorch 2.15.0', device: 'CPU', precision: 'not known', precision_asked: null, batches: [], measured_at: null, command: 'xsp run nothing', experiment: 'nothing', imported_from: [] },
    badges: [], findings: [], abstained: [], gaps: [], absent: [], optima: [], points: {}, runs: {}, samples: {}, layers: {}, kernels: {},
    roofs: {
      kind: ['flops', 'flops', 'flops', 'bandwidth', 'bandwidth', 'bandwidth'], name: ['float32 vector', 'float32 vector', 'bfloat16 tensor', 'DRAM triad', 'L2 read', 'DRAM triad'],
      dtype: ['float32', 'float32', 'bfloat16', null, null, null], unit: ['vector', 'vector', 'tensor', null, null, null], cores: [2, 1, 2, 2, 2, 1],
      value: [kPeak, kPeak / 2, kPeak * 12, kBandwidth, 410e9, 14e9], provenance: Array.from({ length: 6 }, () => 'measured:xsp'),
      how: Array.from({ length: 6 }, () => 'best of 9 x 50 ms'), used: [true, false, true, true, false, false],
    },
    matches: {}, diagnostics: {}, timelines: [], run_timelines: [], ranks: [], analyses: [], cuts: [],
    stack: [
      { name: 'CPU', facts: [{ name: 'model', value: 'Intel Xeon Platinum 8481C' }, { name: 'cores', value: '2 (1 thread each)' }, { name: 'instructions', value: 'AVX-512, AMX' }, { name: 'governor', value: 'not visible here' }] },
      { name: 'Memory', facts: [{ name: 'total', value: '16.7 GB' }, { name: 'L3', value: '480 MiB' }] },
      { name: 'Framework', facts: [{ name: 'PyTorch', value: '2.15.0' }, { name: 'oneDNN', value: '3.13.0' }] },
    ],
    method: {
      notes: ['Each level is taken from the run with the least profiling in which it is visible: model latency from `model`, layers from `layer`, kernels from `kernel`.', 'Warm-up ended when two windows of 10 calls had medians within 2 %; then 50 calls a run. Means are trimmed by a fifth at each end; intervals are 95 % of 10,000 seeded resamples.'],
      reproduce: 'xsp run resnet50 --batch 1,2,4,8,16 --depth kernel --iterations 50', seed: 1, attribution: [],
    },
  };
}

/** An imported file that knows kernels but neither batch size, layers nor roofs. */
export function imported(): ReportData {
  const data = fixture({ batches: [1] });
  data.title = { ...data.title, batches: [], measured_at: null, imported_from: ['trace.json.gz', 'counters.csv'] };
  data.points = { ...data.points, batch: [null] };
  data.layers = {};
  data.kernels = { ...data.kernels, layer_index: (data.kernels.layer_index as (number | null)[]).map(() => null) };
  data.roofs = {};
  data.samples = {};
  data.optima = [];
  data.analyses = [];
  data.gaps = [
    { section: 'layers', text: 'The trace holds no operators: record it with `with_modules=True`, or run `xsp record -- python3 serve.py`.' },
    { section: 'batches', text: 'A trace does not say its batch size: `xsp import trace.json --batch N`.' },
    { section: 'rooflines', text: 'The roofs of the machine that made the trace are not known: `xsp import --machine H100` names it.' },
  ];
  return data;
}
