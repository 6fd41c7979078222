// The points of a store by model and by machine, and which of them are the fastest.
import type { FormValues } from './request_form.ts';

/** A row of `xsp points`. */
export interface StoredPoint {
  experiment: string;
  created: string;
  point_id: number;
  model: string;
  backend: string;
  device: string;
  precision: string;
  batch: number | null;
  latency_ns: number | null;
  latency_low_ns: number | null;
  latency_high_ns: number | null;
  /** Items per second. */
  throughput: number | null;
  peak_bytes: number | null;
  status: string;
  machine: string | null;
  /** As `xsp run --backend` names it. */
  worker: string | null;
  /** A folder of the experiment. */
  run: string | null;
}

/** What the points of one model, or of one machine, have in common. */
export interface PointGroup {
  name: string;
  points: StoredPoint[];
  experiments: number;
}

/** Groups by a column, in order of the alphabet; rows without a value are in none. */
export function groupsOf(points: readonly StoredPoint[], column: 'model' | 'machine'): PointGroup[] {
  const groups = new Map<string, StoredPoint[]>();
  for (const point of points) {
    const name = point[column];
    if (name === null || name === '') continue;
    const known = groups.get(name);
    if (known) known.push(point);
    else groups.set(name, [point]);
  }
  return [...groups].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }))
    .map(([name, of]) => ({ name, points: of, experiments: new Set(of.map(({ experiment }) => experiment)).size }));
}

/** The values of a column, each once, in the order of the rows. */
export function valuesOf(points: readonly StoredPoint[], column: 'model' | 'backend' | 'device' | 'precision' | 'batch' | 'machine'): string[] {
  return [...new Set(points.map((point) => point[column]).filter((value) => value !== null && value !== '').map(String))];
}

/** `best`: the lowest latency of its group; `tie`: its interval overlaps that of the best. */
export type Mark = 'best' | 'tie';

/** Points that answer the same question, of which one may be the fastest. */
function questionOf({ model, machine, batch }: StoredPoint): string {
  return JSON.stringify([model, machine, batch]);
}

/** The fastest point of each model, machine and batch size, where there are several. */
export function marksOf(points: readonly StoredPoint[]): Map<StoredPoint, Mark> {
  const groups = new Map<string, StoredPoint[]>();
  for (const point of points) {
    if (point.latency_ns === null || point.machine === null || point.batch === null) continue;
    const key = questionOf(point);
    groups.set(key, [...groups.get(key) ?? [], point]);
  }
  const marks = new Map<StoredPoint, Mark>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const best = group.reduce((a, b) => (b.latency_ns! < a.latency_ns! ? b : a));
    const bound = best.latency_high_ns ?? best.latency_ns!;
    for (const point of group) {
      if (point === best) marks.set(point, 'best');
      else if ((point.latency_low_ns ?? point.latency_ns!) <= bound) marks.set(point, 'tie');
    }
  }
  return marks;
}

/** Whether a backend of XSP measured one of the points: imported ones cannot be measured again. */
export function areMeasured(points: readonly StoredPoint[]): boolean {
  return points.some(({ worker }) => worker !== null);
}

/** What the page that measures begins with, to repeat the newest measured points. */
export function againFields(points: readonly StoredPoint[]): FormValues {
  const newest = points.find(({ worker }) => worker !== null) ?? points[0];
  if (newest === undefined) return {};
  const same = points.filter(({ experiment, model }) => experiment === newest.experiment && model === newest.model);
  const workers = [...new Set(same.map(({ worker }) => worker).filter((worker) => worker !== null))];
  const batches = [...new Set(same.map(({ batch }) => batch).filter((batch) => batch !== null))].sort((a, b) => a - b);
  // float32 is what backends do unless another type is asked for; some cannot be asked.
  const { precision } = newest;
  const isChosen = !['', 'default', 'unknown', 'float32'].includes(precision) && same.every((point) => point.precision === precision);
  return { model: newest.model, backend: workers.join(','), batch: batches.join(','), ...(isChosen ? { precision } : {}) };
}

export interface StackFact {
  name: string;
  value: string;
}

/** The facts of a stack as in run.json, one for each value, in order of the document. */
export function stackFacts(stack: unknown, prefix = ''): StackFact[] {
  if (typeof stack !== 'object' || stack === null) return stack === null || stack === undefined || stack === '' || prefix === '' ? [] : [{ name: prefix, value: String(stack) }];
  return Object.entries(stack).flatMap(([name, value]) => {
    if (prefix === '' && name === 'hidden') return [];
    return stackFacts(value, prefix === '' ? name : `${prefix}.${name}`);
  });
}

/** Facts by the part of the stack that they are about: "cpu", "gpu", "system". */
export function stackParts(facts: readonly StackFact[]): [string, StackFact[]][] {
  const parts = new Map<string, StackFact[]>();
  for (const { name, value } of facts) {
    const dot = name.indexOf('.');
    const [part, rest] = dot < 0 ? [name, name] : [name.slice(0, dot), name.slice(dot + 1)];
    parts.set(part, [...parts.get(part) ?? [], { name: rest, value }]);
  }
  return [...parts];
}
