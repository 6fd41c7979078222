// The facts of an experiment, from the document of `xsp show`.
import { count, date, duration, quantity } from '../format.ts';
import type { PointRow, RunRow } from '../schema_types.ts';

export interface ExperimentDocument {
  path: string;
  /** experiment.json: its members may be missing. */
  experiment?: { created?: string; command?: string; tags?: Record<string, string>; status?: string; conditions?: string[] };
  points: Partial<PointRow>[];
  runs: Partial<RunRow>[];
  diagnostics: unknown[];
}

export interface Fact {
  name: string;
  value: string;
}

/** The values of a column of the points, each once. */
function distinct(points: readonly Partial<PointRow>[], column: keyof PointRow): string {
  return [...new Set(points.map((point) => point[column]).filter((value) => value !== null && value !== undefined && value !== ''))].join(', ');
}

/** Only what is known. */
export function factsOf({ experiment = {}, points, runs }: ExperimentDocument): Fact[] {
  const facts: Fact[] = [
    { name: 'Model', value: distinct(points, 'model') },
    { name: 'Backend', value: distinct(points, 'backend') },
    { name: 'Device', value: distinct(points, 'device') },
    { name: 'Precision', value: distinct(points, 'precision') },
    { name: 'Batch sizes', value: distinct(points, 'batch') },
    { name: 'Created', value: experiment.created ? date(experiment.created) : '' },
    { name: 'Status', value: experiment.status ?? '' },
    { name: 'Runs', value: runs.length > 0 ? count(runs.length) : '' },
  ];
  return facts.filter(({ value }) => value !== '');
}

/** One line for each point. */
export function pointTexts(points: readonly Partial<PointRow>[]): { name: string; latency: string; memory: string }[] {
  return points.filter(({ latency_ns }) => typeof latency_ns === 'number').map((point) => ({
    name: [point.backend, point.batch ? `batch ${point.batch}` : null].filter((part) => part).join(', '),
    latency: duration(point.latency_ns) + (point.latency_low_ns && point.latency_high_ns ? ` (${duration(point.latency_low_ns)} to ${duration(point.latency_high_ns)})` : ''),
    memory: point.peak_bytes ? quantity(point.peak_bytes, 'byte') : '',
  }));
}

/** "a=1 b=2" of the tags, in order of their names. */
export function tagTexts(document: ExperimentDocument): string[] {
  return Object.entries(document.experiment?.tags ?? {}).sort(([a], [b]) => a.localeCompare(b, 'en')).map(([key, value]) => `${key}=${value}`);
}

/** What `xsp tag` takes to make `before` the tags of `text`, one a line: KEY= removes one. */
export function tagChanges(before: readonly string[], text: string): string[] {
  const after = text.split('\n').map((line) => line.trim()).filter((line) => line !== '');
  const keyOf = (tag: string): string => tag.split('=')[0]!;
  const kept = new Set(after.map(keyOf));
  return [...after.filter((tag) => !before.includes(tag)), ...before.map(keyOf).filter((key) => !kept.has(key)).map((key) => `${key}=`)];
}
