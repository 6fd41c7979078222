// The one JSON document that the report page gets, in <script type="application/json"
// id="report-data">. src/answer/report/ (C++) writes it, everything in web/src/ reads it.
//
// Rules
// - Tables are column-oriented: one object per table, one array per column, all of one length, the
//   names and units of schema/schema.sql (times ns, traffic byte, work FLOP). One object holds the
//   rows of every point; rows lie in the table's own order.
// - A text column may be an array of strings, or {"dict": [...], "codes": [...]} (index into dict,
//   -1: null). Use the latter where texts repeat; both are read everywhere. A column of one value is
//   {"value": ..., "count": rows}.
// - null: not known. Never NaN, never 0 for "not known".
// - Numbers have nine significant digits: the page shows three and all of them on hover.
// - Texts are plain; `backticks` mark code. Nothing is read as HTML.
// - What the page cannot show for lack of a level stands in `gaps`, not in an empty section alone.
import type {
  DiagnosticRow, KernelRow, LayerRow, MatchRow, PointRow, RoofRow, RunRow, SampleRow,
} from './schema_types.ts';

/** The version that this page reads. Raised when a field changes its meaning. */
export const kFormatVersion = 1;

/** A text column whose texts repeat: codes[i] is an index into dict, or -1 for null. */
export interface Dictionary {
  dict: string[];
  codes: number[];
  /** What follows each text behind " #": "aten::add #17" of layers that have no name; -1: nothing. */
  numbers?: number[];
}

/** A column whose rows all hold one value. */
export interface Repeated<T = Cell> {
  value: T | null;
  count: number;
}

export type Cell = string | number | boolean | null;
export type Column<T = Cell> = T[] | Dictionary | Repeated<T>;

/** A table by columns. A column that the writer does not know may be left out. */
export type Columns<Row> = { [Name in keyof Row]?: Column<Row[Name]> };

export interface ReportData {
  format_version: number;
  /** RFC 3339, UTC: when this page was made. */
  generated_at: string;
  /** Of the xsp that made the page, e.g. "0.1.0". */
  xsp_version: string;
  title: Title;
  /** Distortion, noise, attribution, losses, in this order. */
  badges: Badge[];
  /** The rules of findings/ that hold, most important first. */
  findings: Finding[];
  /** The rules that cannot say whether they hold, in their order. */
  abstained: Abstention[];
  /** The point that findings about one point are about; 0 or missing: none. */
  findings_point_id?: number;
  /** What an import or a shallow run cannot know; one entry per section that lacks something. */
  gaps: Gap[];
  /** Ids of sections that this kind of experiment can never fill, left out of the page. */
  absent: string[];
  /** Both optimum rules (analysis A1) per group of points that differ only in batch size. */
  optima: Optimum[];
  /** schema.sql `point`. */
  points: Columns<PointRow>;
  /** views.sql `point_time`. */
  point_times?: Columns<PointTimeRow>;
  /** schema.sql `run`. */
  runs: Columns<RunRow>;
  /** schema.sql `sample`. */
  samples: Columns<SampleRow>;
  /** schema.sql `layer`. Ordered by point_id, layer_index. */
  layers: Columns<LayerRow>;
  /** schema.sql `kernel`. Ordered by point_id, kernel_index. */
  kernels: Columns<KernelRow>;
  /** schema.sql `roof`: all of them; `used` marks those that this job is compared with. */
  roofs: Columns<RoofRow>;
  /** schema.sql `match`. */
  matches: Columns<MatchRow>;
  /** schema.sql `diagnostic` of every run, led by the run. */
  diagnostics: Columns<DiagnosticRow & { run_id: number }>;
  /** One predict call of the deepest run that XSP made of each point; points without are left out. */
  timelines: Timeline[];
  /** Imported runs over their whole time. */
  run_timelines: RunTimeline[];
  /** Imported runs of several ranks. */
  ranks: Ranks[];
  /** In the order in which they are to be shown. */
  analyses: AnalysisView[];
  /** Hardware and software, as captured: CPU, memory, system, framework, flags, ... */
  stack: FactGroup[];
  method: Method;
  /** Tables cut to keep the page small; empty where all rows are there. */
  cuts: Cut[];
}

/** Columns of the view point_time (schema/views.sql) that the page reads. */
export interface PointTimeRow {
  point_id: number;
  /** Latency of a call in the run that the layers' latencies are from, ns. */
  layer_call_ns: number | null;
  /** Latency of a call in the run that the kernels are from, ns. */
  kernel_call_ns: number | null;
  /** Device time of the layers and of the kernels outside of them, ns; null: the host did the work. */
  device_work_ns: number | null;
  has_device: boolean;
  runs_agree: boolean;
  /** Profiling makes a call of the layers' run much longer: what lies between layers is not known. */
  layers_distorted: boolean;
}

export interface Title {
  model: string;
  /** Framework and version: "PyTorch 2.15.0". */
  backend: string;
  /** For people: "CPU, 2 cores of Intel Xeon Platinum 8481C". */
  device: string;
  /** point.precision: what most of the arithmetic really ran in. */
  precision: string;
  /** What was asked for, where the precision that ran is another; null: the same. */
  precision_asked: string | null;
  /** point.batch, ascending, without null. */
  batches: number[];
  /** RFC 3339, UTC: when it was measured (or recorded, for an import). */
  measured_at: string | null;
  /** When the first span of an imported file began; null: it does not say, or nothing was imported. */
  recorded_at?: string | null;
  /** The command line that made the experiment. */
  command: string;
  /** Name of the experiment in the store. */
  experiment: string;
  /** Names of the files that were imported; empty for our own runs. */
  imported_from: string[];
}

export type BadgeStatus = 'green' | 'amber' | 'red' | 'unknown';

export interface Badge {
  id: 'distortion' | 'noise' | 'attribution' | 'losses';
  status: BadgeStatus;
  /** Short and with its unit: "1.4 %", "0 records", "not known". */
  value: string;
  /** What it means here, in one sentence. */
  sentence: string;
  /** Where it is explained: an anchor of kAnchors, without '#'. */
  anchor: string;
}

export type Severity = 'info' | 'notice' | 'warning';

/** A rule that holds, as `xsp findings --format json` prints it. */
export interface Finding {
  /** Of the rule: "idle_device". Unique on the page. */
  id: string;
  /** A few words: "The device is idle". */
  title: string;
  severity: Severity;
  /** "conv2d layers take 71 % of 39.6 ms (batch 1); 58 % of that runs in `jit:avx512_core`, ..." */
  sentence: string;
  /** What following it would save, ns: low, expected, high. null: not known. */
  gain_ns: [number, number, number] | null;
  /** The expected gain over gain.whole_ns. */
  gain_share: number | null;
  gain: FindingGain | null;
  /** 0 to 1: 1 for arithmetic on recorded data, less where a cause is inferred. */
  confidence: number;
  evidence: FindingEvidence;
  /** The numbers that decide whether it holds. */
  threshold: FindingThreshold[];
  /** The observation that would show that it is wrong. */
  refuted_by: string;
  /** What shows more: an anchor of kAnchors, or "analysis-<id>", without '#'. */
  see: string;
}

/** Of what a finding's gain is a part, and how it was estimated. */
export interface FindingGain {
  /** The gain in words, as the terminal prints it. */
  text: string;
  whole: 'call' | 'step' | 'recording' | 'program';
  whole_ns: number;
  /** The gains of such findings add up to no more than the whole. */
  adds_up: boolean;
  /** The gain if no other finding held. */
  alone_ns: [number, number, number];
  /** Time that other findings claim, too, and have; largest first. */
  overlaps: { id: string; ns: number }[];
  method: string;
  source: string;
}

export interface FindingEvidence {
  /** Id of the analysis that holds the evidence, too. */
  analysis?: string;
  /** One SELECT as it ran; `xsp query` accepts it. */
  sql: string;
  columns: FindingColumn[];
  /** One object a row, its values by the names of `columns`. */
  rows: Record<string, Cell>[];
  /** Rows that were cut to keep the page small; missing: none. */
  rows_left_out?: number;
}

export interface FindingColumn {
  name: string;
  /** "ns", "byte", "flop", ..., "1", "share" (a part of 1), "count", "name", "shape"; "": a text or a flag. */
  unit: string;
  help: string;
}

export interface FindingThreshold {
  name: string;
  value: number;
  /** As of a column. */
  unit: string;
  /** Where the number comes from, or why it was chosen. */
  source: string;
}

/** A rule that cannot say whether it holds. */
export interface Abstention {
  /** Of the rule. */
  id: string;
  /** Why; `backticks` mark code. */
  reason: string;
}

/** The ids of the page's sections, in order; an analysis has "analysis-<id>". */
export const kAnchors = [
  'findings', 'stack', 'batches', 'layers', 'rooflines', 'kernels', 'timeline', 'ranks', 'analyses', 'method',
  'method-ladder', 'method-samples', 'method-matching', 'method-losses', 'method-stack',
  'method-command',
] as const;

export interface Gap {
  /** stack, batches, layers, rooflines, kernels, timeline or method. */
  section: string;
  /** One sentence: what is missing and the file or command that fills it (in backticks). */
  text: string;
}

export interface Optimum {
  /** The points of the group, ascending batch. */
  point_ids: number[];
  /** Batch of the highest throughput; null: not known. */
  highest_throughput: number | null;
  /** The smallest batch whose next doubling gains <= 5 %; null: none such was measured. */
  last_worth_doubling: number | null;
}

export interface Timeline {
  point_id: number;
  run_id: number;
  /** The iteration that is shown (the undisturbed one nearest the median). */
  iteration: number;
  /** Length of the model span, ns. */
  duration_ns: number;
  /** schema.sql `track`, those with a span here. */
  tracks: { id: number; kind: string; name: string }[];
  /** schema.sql `span`, by columns; all of one length, ordered by start. */
  spans: {
    /** application, model, layer, library or kernel. */
    level: Column<string>;
    type: Column<string>;
    name: Column<string>;
    /** ns after the start of the first span shown. */
    start_ns: number[];
    /** ns; null: never ended. */
    duration_ns: (number | null)[];
    /** Index of the parent in these arrays; -1: none. */
    parent: number[];
    /** Index into `tracks`. */
    track: number[];
    /** layer.layer_index of the outermost layer around it (or itself); -1: none. */
    layer_index: number[];
  };
}

/** Rows of a timeline by columns, ordered by start. */
export interface PackedSpans {
  /** Index into `tracks`. */
  track: number[];
  /** ns after the start of the row before; the first: after the start of the timeline. */
  start_step_ns: number[];
  /** ns; null: never ended. */
  duration_ns: (number | null)[];
  /** Index into `names`. */
  name: number[];
  /** Index into `kinds`. */
  kind: number[];
}

/** A whole run: spans as they are where there is room, and blocks of short ones merged. */
export interface RunTimeline {
  point_id: number;
  run_id: number;
  duration_ns: number;
  /** Spans on the tracks that are here. */
  total: number;
  /** In the order in which they are read; a folded one is shown when asked for. */
  tracks: RunTrack[];
  /** Profiler steps or model calls, by start. */
  steps: { name: Column<string>; start_ns: number[]; duration_ns: number[] };
  /** The step that is carried in most detail; null: the run has none. */
  shown: { name: string; start_ns: number; duration_ns: number } | null;
  names: string[];
  /** "level/type". */
  kinds: string[];
  spans: PackedSpans;
  /** Short spans of one track and segment of time: the name and kind of most of the time, how many
      lie outermost, and the sum of their durations. */
  blocks: PackedSpans & { count: number[]; busy_ns: number[] };
  /** What launched a kernel: indices into `spans` and `tracks`, start in ns after the timeline's. */
  launches: { span: number[]; track: number[]; start_ns: number[] };
  /** Those of `names`, by number, that are of communicating kernels. */
  communicating?: number[];
}

export interface RunTrack {
  /** schema.sql `track`. */
  id: number;
  kind: string;
  name: string;
  rank: number | null;
  /** Whether a device's work lies on it. */
  is_device: boolean;
  spans: number;
  folded: boolean;
}

/** What the devices of several ranks did, on one time. */
export interface Ranks {
  point_id: number;
  run_id: number;
  duration_ns: number;
  /** Length of one part of a strip. */
  stretch_ns: number;
  rows: RankRow[];
}

export interface RankRow {
  rank: number;
  device: number | null;
  kernels: number;
  /** First start and last end of its kernels, ns after the start of the first rank's. */
  first_ns: number;
  last_ns: number;
  compute_ns: number;
  /** Without time in which something computes, too. */
  communication_ns: number;
  /** Without time in which something else runs, too. */
  copy_ns: number;
  steps: number;
  /** Mean; null: no steps. */
  step_ns: number | null;
  /** Thousandths of each segment. */
  strip: { compute: number[]; communication: number[]; copy: number[] };
}

export interface AnalysisView {
  /** "A1", "models". */
  id: string;
  title: string;
  /** Ends in '?'. */
  question: string;
  /** README.md: how to read it. Markdown: headings, paragraphs, lists, **bold**, *em*, `code`,
      fenced code, tables, links to http(s) and #anchors. */
  text: string;
  sql: string;
  /** chart.vl.json as an object; its data is named "rows". null: no chart. */
  chart: Record<string, unknown> | null;
  columns: AnalysisColumn[];
  /** By columns, in the order of `columns`; table[c][r]. */
  table: Column[];
  /** Not empty: the table may have no rows. */
  missing: { level: string; how: string }[];
}

export interface AnalysisColumn {
  name: string;
  /** "ns", "byte", "flop", "flop/s", "flop/byte", "byte/s", "1"; "" for text. */
  unit: string;
  help: string;
  /** measured:<source>, reported:<tool>, analytic, or "" where the rows carry it. */
  provenance: string;
}

export interface FactGroup {
  /** "CPU", "Memory", "System", "Framework", ... */
  name: string;
  facts: { name: string; value: string }[];
}

export interface Method {
  /** How values were taken, warm-up, statistics: short paragraphs for this experiment. */
  notes: string[];
  /** The command that makes this experiment again. */
  reproduce: string;
  /** The seed of inputs and intervals; null: none. */
  seed: number | null;
  /** Sum of kernel.duration_ns with a layer over all of it, per point; 0 to 1, null: no kernels. */
  attribution: { point_id: number; share: number | null }[];
}

export interface Cut {
  /** layers, kernels, samples, timeline, ranks or "analysis-<id>". */
  table: string;
  shown: number;
  total: number;
  /** Where the rest is: "All 1,204,311 rows: `xsp query RUN 'select * from kernel'`." */
  text: string;
}
