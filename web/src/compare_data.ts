// The document of a page of `xsp compare -o`, in <script type="application/json" id="report-data">.
// src/answer/compare_page/ writes it.
//
// As in report_data.ts: null is "not known", times are ns, texts are plain and never read as markup,
// tables are by columns.
import type { Columns, Timeline } from './report_data.ts';
import type { RoofRow } from './schema_types.ts';

/** The version that this page reads. Raised when a field changes its meaning. */
export const kFormatVersion = 1;

export interface CompareData {
  format_version: number;
  generated_at: string;
  xsp_version: string;
  /** The command line that made the page; "": not known. */
  command: string;
  /** What readers should know besides, one line each. */
  notes: string[];
  /** Each side once, in the order in which they were named. */
  sides: SideEntry[];
  /** At least one; the first side of each is its base. */
  pairs: Pair[];
  /** Latency over batch sizes of what is compared. */
  series: Series[];
  /** Of the points of `series` that have one model and batch size. */
  ranks: RankTable[];
}

export interface SideEntry {
  /** As the user wrote it. */
  name: string;
  facts: { name: string; value: string }[];
  was_busy: boolean;
  /** null: one of many sides, for which the page has no room. */
  details: SideDetails | null;
}

export interface SideDetails {
  roofs: Columns<RoofRow>;
  kernels: WorkTable;
  layers: WorkTable;
  /** Idle time of all devices per step, the longest first. */
  idle_causes: { cause: string; idle_ns: number }[];
  /** One model call, step, or the whole run. */
  timeline: Timeline | null;
  timeline_cut: string | null;
}

export interface WorkTable {
  /** Those with a time, FLOPs and bytes, the longest first. */
  rows: Columns<WorkRow>;
  /** All with a time, and their time. */
  total: number;
  total_ns: number | null;
}

export interface WorkRow {
  name: string;
  /** Of a kernel its layer; of a layer its type. */
  layer: string;
  time_ns: number;
  flops: number;
  bytes: number;
  dtype: string;
  unit: string;
}

export type Verdict = 'faster' | 'slower' | 'no_difference' | 'equivalent' | 'inconclusive' | 'unknown_noise';

/** As `xsp compare --format json` prints it, but for the rows. */
export interface Pair {
  sides: [PairSide, PairSide];
  basis: 'device' | 'host';
  /** `without_layers`: which side has none while the other has, and how to get them. */
  comparable: { verdict: 'yes' | 'partly' | 'no'; without_layers?: string | null; differences: SideDifference[] };
  verdict: Verdict;
  reason: string | null;
  /** Second side over first, with its 95 % interval. */
  ratio: number | null;
  low: number | null;
  high: number | null;
  /** Of two sessions; null: the sides were measured alternately. `included`: the interval has what `others` differ by. */
  sessions?: { others: number; spread: number | null; included: boolean } | null;
  ratio_of: 'latency' | 'total';
  difference_ns: number;
  residual_ns: number;
  aligned_share: number | null;
  /** Left out where none were asked for. */
  gates?: Gate[];
  rows: PairRows;
  sums: PairSums;
}

/** A limit of what may change for the worse. */
export interface Gate {
  /** As given: "latency=3%". */
  gate: string;
  outcome: 'pass' | 'regression' | 'inconclusive';
  /** Second side over first, with its 95 % interval. */
  value: number | null;
  low: number | null;
  high: number | null;
  reason: string | null;
}

/** Sums over all rows of a pair, whichever of them the page carries; of each list the largest. */
export interface PairSums {
  types: { rows: TypeSum[]; total: number };
  only_a: LoneList;
  only_b: LoneList;
  renamed: { rows: Renamed[]; total: number };
}

/** The operators of one type; work that is in no operator by its own name. */
export interface TypeSum {
  name: string;
  count: number;
  /** Of a single one the names above it. */
  where: string;
  a_ns: number | null;
  b_ns: number | null;
}

/** Work that only one side has. */
export interface LoneList {
  rows: { name: string; kind: NodeKind; where: string; count: number; time_ns: number }[];
  /** Names in all, and their time. */
  total: number;
  time_ns: number;
}

/** Work with a counterpart of another name. */
export interface Renamed {
  a: string;
  b: string;
  /** That all of them are in; "": several. */
  operator: string;
  count: number;
  a_ns: number | null;
  b_ns: number | null;
}

export interface SideDifference {
  what: string;
  a: string;
  b: string;
  /** It can by itself explain a difference in time. */
  matters: boolean;
}

export interface PairSide {
  name: string;
  /** Index into `sides`. */
  side: number;
  total_ns: number;
  device_ns: number | null;
  busy_ns: number | null;
  wall_ns: number;
  calls: number;
  model: string;
  backend: string;
  device: string;
  precision: string;
  batch: number | null;
  processes: number;
  kernels_outside: number;
  device_time: DeviceTime | null;
}

/** Of all devices, mean per step, ns. */
export interface DeviceTime {
  steps: number;
  total_ns: number;
  compute_ns: number;
  communication_ns: number;
  /** Communication while nothing computes. */
  exposed_communication_ns: number;
  copy_ns: number;
  idle_ns: number;
}

export interface PairRows {
  /** In the order of the model, parents before children. */
  columns: Columns<CompareRow>;
  /** Rows with the smallest differences that the page does not carry. */
  rows_left_out: number;
  names_cut: boolean;
}

export type NodeKind = 'module' | 'operator' | 'kernel' | 'communication' | 'copy' | 'set' | 'between';

export interface CompareRow {
  /** Row of the node above; -1: none. */
  parent: number;
  name: string;
  /** In the second side, where it differs. */
  b_name: string;
  kind: NodeKind;
  /** Its time is in no other row. */
  leaf: boolean;
  /** null: not in this side. */
  a_ns: number;
  b_ns: number;
  verdict: Verdict;
  /** Second side over first, with its 95 % interval. */
  ratio: number;
  low: number;
  high: number;
  shape: string;
  /** Its path in the second side, where that is below another node. */
  b_path: string;
  /** Rows below it that the page does not carry. */
  left_out: number;
}

export interface Series {
  experiment: string;
  model: string;
  backend: string;
  device: string;
  precision: string;
  /** JSON. */
  settings: string;
  points: SeriesPoint[];
}

export interface SeriesPoint {
  batch: number;
  latency_ns: number | null;
  latency_low_ns: number | null;
  latency_high_ns: number | null;
  /** Device work of a call; null: the host did the work, or it is not known. */
  device_ns: number | null;
  processes: number;
  /** A side of the comparison. */
  is_compared: boolean;
}

export interface RankTable {
  model: string;
  batch: number;
  /** By latency. */
  rows: RankRow[];
}

export interface RankRow {
  /** Index into `series`. */
  series: number;
  /** 1 plus the number of those that are surely faster; null: one process, so not known. */
  rank: number | null;
  /** Series from which no difference was found. */
  tied_with: number[];
  processes: number;
  was_busy: boolean;
  latency_ns: number;
  latency_low_ns: number | null;
  latency_high_ns: number | null;
}
