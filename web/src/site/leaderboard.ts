// The order of measured points: the newest of each configuration, ties where intervals overlap.
import { groupBy } from '../columns.ts';
import type { ExperimentEntry, SitePoint } from './site_data.ts';

export interface MeasuredPoint {
  entry: ExperimentEntry;
  point: SitePoint;
}

export interface LeaderRow extends MeasuredPoint {
  /** 1 + the number of points that are certainly faster; null: its interval is not known. */
  rank: number | null;
  /** Whether another point has the same rank. */
  isTied: boolean;
  /** Experiments of this configuration. */
  experiments: number;
}

/** "PyTorch 2.15.0" without its version. */
export function frameworkOf(backend: string): string {
  return backend.replace(/\s+v?\d\S*$/, '') || backend;
}

/** The models of an experiment: of its points, where it has some. */
export function modelsOf({ model, points }: ExperimentEntry): string[] {
  return points.length === 0 ? [model] : [...new Set(points.map((point) => point.model))];
}

/** Every point with a latency, newest first. */
export function measuredPoints(entries: readonly ExperimentEntry[]): MeasuredPoint[] {
  return entries.flatMap((entry) => entry.points.filter(({ latency_ns }) => latency_ns !== null && latency_ns > 0).map((point) => ({ entry, point })));
}

export function batchesOf(points: readonly MeasuredPoint[]): (number | null)[] {
  return [...new Set(points.map(({ point }) => point.batch))].sort((a, b) => (a ?? Infinity) - (b ?? Infinity));
}

function configuration({ entry, point }: MeasuredPoint): string {
  return JSON.stringify([point.model, point.backend, point.device, point.precision, point.settings, entry.machine]);
}

/** The fastest first. `points`: of one model and batch size, newest first. */
export function leaderboard(points: readonly MeasuredPoint[]): LeaderRow[] {
  const rows = [...groupBy(points, configuration).values()].map((same) => ({ ...same[0]!, experiments: new Set(same.map(({ entry }) => entry.name)).size }));
  rows.sort((a, b) => a.point.latency_ns! - b.point.latency_ns!);
  const ranks = rows.map(({ point: { latency_low_ns: low } }) =>
    (low === null ? null : 1 + rows.filter(({ point }) => point.latency_high_ns !== null && point.latency_high_ns < low).length));
  return rows.map((row, index) => ({ ...row, rank: ranks[index]!, isTied: ranks[index] !== null && ranks.filter((rank) => rank === ranks[index]).length > 1 }));
}
