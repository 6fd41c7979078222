// The documents of a published site. src/answer/publish/ (C++) writes them; each lies in a script that calls
// xspDocument(KEY, TEXT), because a page that was opened from a folder may load scripts, but fetch no file.
//
// As in report_data.ts: null is "not known", times are ns, texts are plain and never read as markup.
import type { Columns } from '../report_data.ts';
import type { LayerRow, PointRow, RoofRow, RunRow } from '../schema_types.ts';

export const kSiteVersion = 1;

export type SitePoint = Pick<PointRow, 'point_id' | 'model' | 'backend' | 'device' | 'precision' | 'batch' | 'settings' | 'latency_ns' | 'latency_low_ns' | 'latency_high_ns' | 'peak_bytes' | 'status'>;

/** What lists and leaderboards show of an experiment. */
export interface ExperimentEntry {
  name: string;
  /** RFC 3339, UTC. */
  created: string;
  model: string;
  backend: string;
  status: string;
  /** import, monitor, record or run; empty: not known. */
  kind: string;
  tags: Record<string, string>;
  runs: number;
  /** "AMD EPYC, 2 threads", or "not known". */
  machine: string;
  points: SitePoint[];
  /** Of its files, below experiments/. */
  folder: string;
  /** Whether its report and findings are on the site. */
  report: boolean;
  /** Number of them; null: not on the site. */
  findings: number | null;
}

/** Key "index". */
export interface SiteIndex {
  format_version: number;
  title: string;
  xsp_version: string;
  /** When it was published, RFC 3339, UTC. */
  published: string;
  has_feed: boolean;
  /** The script of each model's history, "data/history-....js". */
  histories: Record<string, string>;
  /** Newest first. */
  experiments: ExperimentEntry[];
}

export interface SiteTable {
  name: string;
  rows: number;
  /** Bytes of FOLDER/NAME.FORMAT. */
  formats: Record<string, number>;
}

export type SiteLayer = Pick<LayerRow, 'point_id' | 'layer_index' | 'name' | 'path' | 'type' | 'latency_ns' | 'device_ns'>;

/** Key "experiments/FOLDER/experiment". */
export interface SiteExperiment {
  name: string;
  command: string;
  conditions: string[];
  imported_from: string[];
  run_rows: Partial<RunRow>[];
  /** The slowest of them; `total` is the number of all. */
  layers: { total: number; columns: Columns<SiteLayer> };
  roofs: Pick<RoofRow, 'kind' | 'name' | 'dtype' | 'cores' | 'value' | 'provenance' | 'used'>[];
  stack: { name: string; facts: { name: string; value: string }[] }[];
  files: SiteTable[];
}

/** The document of `xsp history`, as far as the site shows it. */
export interface SiteHistory {
  unit: string;
  series: HistorySeries[];
}

export interface HistorySeries {
  title: string;
  entries: { experiment: string; created: string; value: number; low: number | null; high: number | null; segment: number; change: number | null }[];
  segments: { from: string; to: string; experiments: number; level: number }[];
  changes: { before: string; after: string; ratio: number; low: number | null; high: number | null; p: number; verdict: string; stack: { key: string; before: string | null; after: string | null; lasts: boolean }[] | null }[];
  experiments_missing?: number;
}
