// What the sections draw: layers and kernels of one point with what follows from them. Formulas
// are those of the design, section 6.
import { groupBy, rows, sum, sumKnown, values } from './columns.ts';
import { shapeText } from './shape_text.ts';
import { deviceIdle, type Idle } from './device_idle.ts';
import type { Column, PointTimeRow, ReportData, Timeline } from './report_data.ts';
import type { PointRow, RoofRow, RunRow, SampleRow } from './schema_types.ts';

type Known<Row> = { [Name in keyof Row]: Row[Name] | null };
export type Point = Known<PointRow>;
export type Run = Known<RunRow>;
export type Roof = Known<RoofRow>;

/** FLOP and bytes over time, and where that lies under the roofs. null: not known. */
export interface Work {
  time: number | null;
  flops: number | null;
  /** Read and written bytes. */
  bytes: number | null;
  /** FLOP/byte; null without traffic. */
  intensity: number | null;
  /** FLOP/s over the time. */
  throughput: number | null;
  dtype: string | null;
  unit: string | null;
  /** throughput over min(peak, intensity * bandwidth), or bytes/s over bandwidth without FLOPs. */
  ofRoof: number | null;
  bound: 'compute' | 'memory' | null;
}

export interface Layer extends Work {
  index: number;
  name: string;
  /** As the framework names it; null: as `name`, or it does not. */
  node: string | null;
  type: string;
  shape: string | null;
  latency: number | null;
  /** Union of its kernels' intervals, ns, in the run that shows them. */
  device: number | null;
  /** Its latency in that run, ns. */
  kernelRun: number | null;
  /** Of `latency`, the part in kernels: scaled from `device`, as the two are of different runs. */
  inKernels: number | null;
  /** What it is ranked and drawn by, ns: device time where a device did the work, else latency. */
  shown: number | null;
  /** Sum of its kernels' durations, ns. */
  kernel: number | null;
  allocated: number | null;
  kernels: Kernel[];
}

export interface Kernel extends Work {
  index: number;
  layer: Layer | null;
  name: string;
  type: string;
  implementation: string | null;
  problem: string | null;
  /** Type of its layer, or its own type where it has none: decides its colour. */
  colourType: string;
}

/** The experiment, indexed once; the parts of a point are made when first asked for. */
export class Model {
  readonly points: Point[];
  readonly runs: Run[];
  readonly roofs: Roofs;
  private readonly views = new Map<number, PointView>();
  private readonly layerRows: Map<number | null, ReturnType<typeof layerRows>>;
  private readonly kernelRows: Map<number | null, ReturnType<typeof kernelRows>>;
  private readonly pointTimes: Map<number | null, Known<Pick<PointTimeRow, 'point_id' | 'has_device' | 'layers_distorted' | 'layer_call_ns' | 'kernel_call_ns'>>>;
  private samples: Map<number | null, Known<SampleRow>[]> | null = null;
  readonly data: ReportData;

  constructor(data: ReportData) {
    this.data = data;
    this.points = rows<PointRow>(data.points, [
      'point_id', 'model', 'backend', 'device', 'precision', 'batch', 'settings', 'latency_ns',
      'latency_low_ns', 'latency_high_ns', 'model_bytes', 'peak_bytes', 'cores', 'status']);
    this.runs = rows<RunRow>(data.runs, [
      'run_id', 'point_id', 'rung', 'status', 'path', 'samples', 'disturbed', 'warmup',
      'latency_ns', 'latency_low_ns', 'latency_high_ns', 'p50_ns', 'p95_ns', 'p99_ns', 'min_ns',
      'variation', 'overhead_ns', 'overhead_ratio', 'overhead_ratio_low', 'overhead_ratio_high', 'baseline_ns', 'message', 'process', 'process_pair', 'overhead_basis']);
    this.roofs = new Roofs(rows<RoofRow>(data.roofs, [
      'kind', 'name', 'dtype', 'unit', 'cores', 'value', 'provenance', 'how', 'used']));
    this.pointTimes = new Map(rows<PointTimeRow>(data.point_times ?? {}, ['point_id', 'has_device', 'layers_distorted', 'layer_call_ns', 'kernel_call_ns']).map((row) => [row.point_id, row]));
    this.layerRows = groupBy(layerRows(data), (row) => row.point_id);
    this.kernelRows = groupBy(kernelRows(data), (row) => row.point_id);
  }

  view(pointId: number): PointView {
    let view = this.views.get(pointId);
    if (!view) {
      view = makeView(this, pointId, this.layerRows.get(pointId) ?? [], this.kernelRows.get(pointId) ?? []);
      this.views.set(pointId, view);
    }
    return view;
  }

  /** Whether a device did the work of a point. */
  hasDevice(pointId: number | null): boolean {
    return this.pointTimes.get(pointId)?.has_device === true;
  }

  /** Whether profiling makes a call of the run that shows a point's layers much longer. */
  isDistorted(pointId: number | null): boolean {
    return this.pointTimes.get(pointId)?.layers_distorted === true;
  }

  /** What a time of the layers' run is to be multiplied with to be one of the kernels' run; null: not known. */
  toKernelRun(pointId: number): number | null {
    const times = this.pointTimes.get(pointId);
    return times?.kernel_call_ns && times.layer_call_ns ? times.kernel_call_ns / times.layer_call_ns : null;
  }

  /** The run whose timeline shows the most of a point: the deepest; null: it has none. */
  timelineRun(pointId: number | null | undefined): string | null {
    const runs = this.runs.filter((run) => run.point_id === pointId && (run.process_pair ?? 0) === 0);
    for (const rung of ['kernel', 'imported', 'recorded', 'library', 'layer'])
      for (const run of runs) if (run.rung === rung && run.path) return run.path;
    return null;
  }

  /** Layer types by their time over all points, longest first: the order of the colours. */
  typesByTime(): string[] {
    const time = new Map<string, number>();
    for (const group of this.layerRows.values())
      for (const row of group)
        time.set(row.type ?? '', (time.get(row.type ?? '') ?? 0) + (this.hasDevice(row.point_id) ? row.device_ns ?? 0 : row.latency_ns ?? row.device_ns ?? 0));
    return [...time].sort((a, b) => b[1] - a[1]).map(([type]) => type);
  }

  /** "batch 8", led by whatever differs between the points; the number of one that is not there. */
  label(pointId: number | null): string {
    const point = this.points.find((row) => row.point_id === pointId);
    return point ? pointLabel(point, this.points) : `point ${pointId ?? 'not known'}`;
  }

  samplesOf(runId: number): { latency: number[]; disturbed: boolean[]; reason: (string | null)[] } {
    this.samples ??= groupBy(rows<SampleRow>(this.data.samples, ['run_id', 'iteration', 'latency_ns', 'disturbed', 'reason']), (row) => row.run_id);
    const all = this.samples.get(runId) ?? [];
    return {
      latency: all.map((row) => row.latency_ns ?? 0),
      disturbed: all.map((row) => row.disturbed === true),
      reason: all.map((row) => row.reason),
    };
  }
}

export interface PointView {
  point: Point;
  /** "batch 1", with whatever else tells the points apart. */
  label: string;
  layers: Layer[];
  kernels: Kernel[];
  /** Kernels without a layer. */
  orphans: Kernel[];
  runs: Run[];
  timeline: Timeline | null;
  /** Latency of the run that the layers' times are from, ns. */
  layerRunLatency: number | null;
  /** Sum of the layers' latencies, ns; null without layers. */
  layerSum: number | null;
  /** A device did the work: layers are ranked, drawn and summed by device time. */
  byDevice: boolean;
  /** Profiling makes a call of the layers' run much longer: shares are of the layers' time. */
  distorted: boolean;
  /** What `Layer.shown` is a share of, ns: the device time of all work, or the call of the layers' run. */
  whole: number;
  /** How long the device did nothing, by cause; null: no device. */
  idle: Idle | null;
  /** All layers' work: time is the sum of the kernels' durations. */
  work: Work;
}

/** Stands where an experiment has no point at all. */
const kNoPoint: Point = {
  point_id: null, model: null, backend: null, device: null, precision: null, batch: null, settings: null, latency_ns: null,
  latency_low_ns: null, latency_high_ns: null, model_bytes: null, peak_bytes: null, cores: null, status: null,
};

function layerRows(data: ReportData) {
  return rows(data.layers, [
    'point_id', 'layer_index', 'name', 'type', 'shape', 'latency_ns', 'device_ns', 'kernel_ns',
    'allocated_bytes', 'flops', 'read_bytes', 'write_bytes', 'dtype', 'source_run', 'kernel_run_ns']);
}

function kernelRows(data: ReportData) {
  return rows(data.kernels, [
    'point_id', 'kernel_index', 'layer_index', 'name', 'type', 'dtype', 'unit', 'implementation',
    'problem', 'duration_ns', 'flops', 'read_bytes', 'write_bytes']);
}

function makeView(
  model: Model, pointId: number, layerData: ReturnType<typeof layerRows>,
  kernelData: ReturnType<typeof kernelRows>,
): PointView {
  const point = model.points.find((row) => row.point_id === pointId) ?? kNoPoint;
  const byDevice = model.hasDevice(pointId);
  const distorted = model.isDistorted(pointId);
  const toKernelRun = model.toKernelRun(pointId);
  const layers = layerData.map((row): Layer => {
    // Experiments of older versions did not store it.
    const kernelRun = row.kernel_run_ns ?? (row.latency_ns === null || toKernelRun === null ? null : row.latency_ns * toKernelRun);
    return {
    index: row.layer_index ?? 0,
    name: row.name ?? '',
    node: row.node === row.name ? null : row.node,
    type: row.type ?? '',
    shape: shapeText(row.shape),
    latency: row.latency_ns ?? row.device_ns,
    device: row.device_ns,
    kernelRun,
    inKernels: partInKernels(row.latency_ns, row.device_ns, kernelRun),
    shown: byDevice ? row.device_ns ?? 0 : row.latency_ns ?? row.device_ns,
    kernel: row.kernel_ns,
    allocated: row.allocated_bytes,
    kernels: [],
    // Kernel time, not latency: the throughput of a layer is that of its kernels.
    ...model.roofs.place({
      time: row.kernel_ns, flops: row.flops, bytes: sumKnown([row.read_bytes, row.write_bytes]),
      dtype: row.dtype, unit: null }),
    };
  });
  const byIndex = new Map(layers.map((layer) => [layer.index, layer]));
  const kernels = kernelData.map((row): Kernel => {
    const layer = row.layer_index === null ? null : byIndex.get(row.layer_index) ?? null;
    return {
      index: row.kernel_index ?? 0,
      layer,
      name: row.name ?? '',
      type: row.type ?? '',
      implementation: row.implementation,
      problem: row.problem,
      colourType: layer?.type ?? row.type ?? '',
      ...model.roofs.place({
        time: row.duration_ns, flops: row.flops, bytes: sumKnown([row.read_bytes, row.write_bytes]),
        dtype: row.dtype, unit: row.unit }),
    };
  });
  for (const kernel of kernels) kernel.layer?.kernels.push(kernel);
  const runs = model.runs.filter((run) => run.point_id === pointId);
  const orphans = kernels.filter((kernel) => kernel.layer === null);
  const layerSum = layers.length ? sum(layers.map((layer) => layer.latency)) : null;
  const source = layerData.find((row) => row.source_run !== null)?.source_run ?? null;
  const layerRunLatency = runs.find((run) => run.run_id === source)?.latency_ns ?? null;
  return {
    point,
    label: pointLabel(point, model.points),
    layers,
    kernels,
    orphans,
    runs,
    timeline: model.data.timelines.find((timeline) => timeline.point_id === pointId) ?? null,
    layerRunLatency,
    layerSum,
    byDevice,
    distorted,
    whole: byDevice ? sum(layers.map((layer) => layer.device)) + sum(orphans.map((kernel) => kernel.time))
      : distorted ? layerSum ?? 0 : Math.max(layerRunLatency ?? 0, layerSum ?? 0),
    idle: byDevice ? deviceIdle(model.data, pointId) : null,
    work: totalWork(model, layers, kernels),
  };
}

/** Device time is a part of the layer's latency in its own run; that part of `latency` is drawn. */
function partInKernels(latency: number | null, device: number | null, kernelRun: number | null): number | null {
  if (device === null || latency === null) return device;
  return latency * Math.min(1, device / (kernelRun || latency || 1));
}

function totalWork(model: Model, layers: Layer[], kernels: Kernel[]): Work {
  const parts: Work[] = kernels.length ? kernels : layers;
  const time = new Map<string, number>();
  for (const part of parts)
    if (part.dtype) {
      const key = `${part.dtype}\n${part.unit ?? ''}`;
      time.set(key, (time.get(key) ?? 0) + (part.time ?? 0));
    }
  const [dtype, unit] = ([...time].sort((a, b) => b[1] - a[1])[0]?.[0] ?? '').split('\n');
  return model.roofs.place({
    time: sumKnown(parts.map((part) => part.time)),
    flops: sumKnown(parts.map((part) => part.flops)),
    bytes: sumKnown(parts.map((part) => part.bytes)),
    dtype: dtype || null,
    unit: unit || null,
  });
}

/** "batch 8", led by whatever differs between the points: backend, device, precision. */
export function pointLabel(point: Point, all: readonly Point[]): string {
  const parts: string[] = [];
  for (const key of ['model', 'backend', 'device', 'precision'] as const)
    if (all.some((other) => other[key] !== point[key])) parts.push(point[key] ?? '');
  const same = all.filter((other) => other.batch === point.batch
    && other.model === point.model && other.backend === point.backend
    && other.device === point.device && other.precision === point.precision);
  if (point.batch !== null) parts.push(`batch ${point.batch}`);
  if (same.length > 1 || parts.length === 0) parts.push(`point ${point.point_id}`);
  return parts.join(', ');
}

export class Roofs {
  readonly all: Roof[];
  constructor(all: Roof[]) {
    this.all = all;
  }

  /** The bandwidth that jobs are compared with, byte/s. */
  get bandwidth(): Roof | null {
    return this.all.find((roof) => roof.used && roof.kind === 'bandwidth') ?? null;
  }

  /** The peak for a data type (and unit, where several are in use). */
  peak(dtype: string | null, unit: string | null): Roof | null {
    const fitting = this.all.filter((roof) => roof.used && roof.kind === 'flops' && roof.dtype === dtype);
    return fitting.find((roof) => roof.unit === unit)
      ?? (unit === null ? fitting.sort((a, b) => (b.value ?? 0) - (a.value ?? 0))[0] : undefined)
      ?? (fitting.length === 1 ? fitting[0]! : null);
  }

  /** Intensity, throughput, share of the roof and bound of some work. */
  place(work: Pick<Work, 'time' | 'flops' | 'bytes' | 'dtype' | 'unit'>): Work {
    const intensity = work.flops !== null && work.bytes ? work.flops / work.bytes : null;
    const throughput = work.flops !== null && work.time ? (work.flops / work.time) * 1e9 : null;
    const peak = this.peak(work.dtype, work.unit)?.value ?? null;
    const bandwidth = this.bandwidth?.value ?? null;
    let ofRoof: number | null = null;
    let bound: Work['bound'] = null;
    if (work.flops && intensity !== null && throughput !== null && peak && bandwidth) {
      bound = intensity < peak / bandwidth ? 'memory' : 'compute';
      ofRoof = throughput / Math.min(peak, intensity * bandwidth);
    } else if (!work.flops && work.bytes && work.time && bandwidth) {
      bound = 'memory';
      ofRoof = ((work.bytes / work.time) * 1e9) / bandwidth;
    }
    return { ...work, intensity, throughput, ofRoof, bound };
  }
}

/** Decodes a text column of a timeline once. */
export function texts(column: Column<string> | (string | null)[]): (string | null)[] {
  return values(column as Column<string>);
}
