// Two experiments of a site side by side, from what is stored of them: points, layers, stack.
import { lengthOf, rows } from '../columns.ts';
import { frameworkOf } from './leaderboard.ts';
import type { SiteExperiment, SiteLayer, SitePoint } from './site_data.ts';

export interface PointPair {
  a: SitePoint;
  b: SitePoint;
  /** Latency of b over that of a. */
  ratio: number;
  /** From the ends of both 95 % intervals; null: one of them is not known. */
  low: number | null;
  high: number | null;
  verdict: 'faster' | 'slower' | 'no_difference' | 'not_known';
}

export function pairOf(a: SitePoint, b: SitePoint): PointPair {
  const ratio = b.latency_ns! / a.latency_ns!;
  const ends = [a.latency_low_ns, a.latency_high_ns, b.latency_low_ns, b.latency_high_ns];
  if (ends.some((end) => end === null || !(end > 0))) return { a, b, ratio, low: null, high: null, verdict: 'not_known' };
  const low = b.latency_low_ns! / a.latency_high_ns!;
  const high = b.latency_high_ns! / a.latency_low_ns!;
  return { a, b, ratio, low, high, verdict: low > 1 ? 'slower' : high < 1 ? 'faster' : 'no_difference' };
}

function likeness(a: SitePoint, b: SitePoint): number {
  return Number(a.model === b.model) * 16 + Number(frameworkOf(a.backend) === frameworkOf(b.backend)) * 8 + Number(a.backend === b.backend) * 4 + Number(a.device === b.device) * 2 + Number(a.precision === b.precision);
}

const isMeasured = ({ latency_ns }: SitePoint): boolean => latency_ns !== null && latency_ns > 0;

/** Each measured point of a with the most similar one of b that has the same batch size. */
export function pairsOf(a: readonly SitePoint[], b: readonly SitePoint[]): PointPair[] {
  return a.filter(isMeasured).flatMap((point) => {
    const others = b.filter((other) => isMeasured(other) && other.batch === point.batch).sort((x, y) => likeness(point, y) - likeness(point, x));
    return others[0] ? [pairOf(point, others[0])] : [];
  });
}

export interface LayerPair {
  path: string;
  type: string;
  /** ns; null: that side has no such layer. */
  a: number | null;
  b: number | null;
  /** b - a; a side that lacks it counts as 0. */
  difference: number;
}

function layersByPath(experiment: SiteExperiment, point: number): Map<string, { type: string; time: number }> {
  const times = new Map<string, { type: string; time: number }>();
  const unnamed = new Map<string, number>();
  for (const layer of rows<SiteLayer>(experiment.layers.columns, ['point_id', 'name', 'path', 'type', 'latency_ns', 'device_ns'])) {
    const time = layer.latency_ns ?? layer.device_ns;
    if (layer.point_id !== point || time === null) continue;
    let path = layer.path;
    if (!path) {
      // Without a path in the model: the first of a name is compared with the first, and so on.
      const count = (unnamed.get(layer.name ?? '') ?? 0) + 1;
      unnamed.set(layer.name ?? '', count);
      path = count === 1 ? layer.name ?? '' : `${layer.name ?? ''} (${count})`;
    }
    const known = times.get(path);
    times.set(path, { type: layer.type ?? '', time: (known?.time ?? 0) + time });
  }
  return times;
}

/** Whether the site has only the slowest layers of the experiment. */
export function isCut({ layers }: SiteExperiment): boolean {
  return layers.total > lengthOf(layers.columns.point_id);
}

/** By path in the model, the largest difference first. What a cut experiment lacks may be left out of it: it is no pair. */
export function layerPairs(a: SiteExperiment, b: SiteExperiment, pair: PointPair): LayerPair[] {
  const left = layersByPath(a, pair.a.point_id);
  const right = layersByPath(b, pair.b.point_id);
  const pairs = [...new Set([...left.keys(), ...right.keys()])].map((path) => {
    const [x, y] = [left.get(path), right.get(path)];
    return { path, type: x?.type ?? y?.type ?? '', a: x?.time ?? null, b: y?.time ?? null, difference: (y?.time ?? 0) - (x?.time ?? 0) };
  });
  const known = pairs.filter((layer) => (layer.a !== null || !isCut(a)) && (layer.b !== null || !isCut(b)));
  return known.sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference));
}

export interface StackDifference {
  name: string;
  a: string | null;
  b: string | null;
}

export function stackDifferences(a: SiteExperiment, b: SiteExperiment): StackDifference[] {
  const factsOf = ({ stack }: SiteExperiment): Map<string, string> =>
    new Map(stack.flatMap(({ name, facts }) => facts.map((fact) => [`${name}: ${fact.name}`, fact.value] as const)));
  const [left, right] = [factsOf(a), factsOf(b)];
  return [...new Set([...left.keys(), ...right.keys()])].sort((x, y) => x.localeCompare(y, 'en'))
    .map((name) => ({ name, a: left.get(name) ?? null, b: right.get(name) ?? null }))
    .filter(({ a: x, b: y }) => x !== y);
}
