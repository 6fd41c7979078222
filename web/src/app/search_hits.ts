// The hits of a search in a timeline, fetched a block at a time.
import type { TimelineSpan } from './timeline_tiles.ts';

/** Hits that are fetched at a time. */
export const kHits = 200;
/** The most that the operation lists at once. */
const kMostHits = 1000;

/** Where the hits behind `rows`, all from the first one on, are asked for. Several may begin at the same time as the last of
 * `rows`, so that these are asked for once more. */
export function nextHits(rows: readonly TimelineSpan[]): { from_ns: number; hits: number } {
  const from = rows.at(-1)!.start_ns;
  const again = rows.length - rows.findIndex((row) => row.start_ns === from);
  // More than are listed at once: those that are left over cannot be reached.
  return again >= kMostHits ? { from_ns: from + 1, hits: kHits } : { from_ns: from, hits: Math.min(kMostHits, again + kHits) };
}

/** `rows` and what of `more` is new. */
export function withHits(rows: readonly TimelineSpan[], more: readonly TimelineSpan[]): TimelineSpan[] {
  const from = more[0]?.start_ns;
  const known = new Set(rows.filter((row) => row.start_ns === from).map((row) => row.id));
  return [...rows, ...more.filter((row) => !known.has(row.id))];
}
