// Which batch size is best, in words: as far as the intervals of latencies tell batch sizes apart.
// The same rules as in findings/best_batch.
import type { Point } from './model.ts';

export interface BatchOptimum {
  best: Point;
  /** Whose throughput the intervals do not tell from the best one's. */
  alike: Point[];
  /** The smallest whose next doubling gains 5 % or less; null: none, or the intervals are wider than that. */
  worth: Point | null;
}

const kWorth = 0.05;

/** `points` that differ only in batch size, each with a latency; null: fewer than two. */
export function batchOptimum(points: readonly Point[]): BatchOptimum | null {
  const sorted = [...points].sort((a, b) => a.batch! - b.batch!);
  if (sorted.length < 2) return null;
  const best = sorted.reduce((a, b) => (rateOf(b) > rateOf(a) ? b : a));
  const alike = sorted.filter((point) => point !== best && widthOf(best, point) > 0
    && Math.log(rateOf(best) / rateOf(point)) <= widthOf(best, point));
  const pairs = sorted.slice(1).map((point, index) => [sorted[index]!, point] as const);
  const tells = pairs.every(([a, b]) => widthOf(a, b) <= kWorth);
  const gain = ([a, b]: readonly [Point, Point]): number => (rateOf(b) / rateOf(a)) ** (1 / Math.log2(b.batch! / a.batch!)) - 1;
  const worth = tells ? pairs.find((pair) => gain(pair) <= kWorth)?.[0] ?? null : null;
  return { best, alike, worth };
}

export function optimumSentence({ best, alike, worth }: BatchOptimum): string {
  const alikeText = alike.length > 0 ? `; no difference found to batch ${alike.map((point) => point.batch).join(', ')}` : '';
  const worthText = worth ? `; past batch ${worth.batch} the next doubling gains 5 % or less` : '';
  return `highest throughput at batch ${best.batch}${alikeText}${worthText}.`;
}

function rateOf(point: Point): number {
  return point.batch! / point.latency_ns!;
}

/** Half the width of a latency's interval on the scale of logs; of two, which were measured independently, in quadrature. */
function widthOf(a: Point, b: Point): number {
  const half = ({ latency_low_ns: low, latency_high_ns: high }: Point): number =>
    (low !== null && high !== null && low > 0 && high > low ? Math.log(high / low) / 2 : 0);
  return Math.hypot(half(a), half(b));
}
