// Where each span of the timeline lies: one block of lanes per track, one lane per level and depth.
import type { Timeline } from './report_data.ts';
import { texts } from './model.ts';

const kLevels = ['application', 'model', 'layer', 'library', 'kernel'];

export interface Lane {
  /** The level; empty for the deeper lanes of one level. */
  label: string;
  /** The first lane of a track carries the track's name. */
  track: string | null;
  /** Indices of its spans, by start. */
  spans: number[];
}

export interface Lanes {
  lanes: Lane[];
  level: (string | null)[];
  type: (string | null)[];
  name: (string | null)[];
  start: number[];
  /** A span that never ended reaches to the end of the picture. */
  end: number[];
  parent: number[];
  track: number[];
  layerIndex: number[];
  duration: (number | null)[];
  total: number;
}

/** Sorts the spans into lanes in which no two overlap. */
export function makeLanes(timeline: Timeline): Lanes {
  const { spans } = timeline;
  const level = texts(spans.level);
  let total = timeline.duration_ns;
  spans.start_ns.forEach((start, index) => {
    total = Math.max(total, start + (spans.duration_ns[index] ?? 0));
  });
  const end = spans.start_ns.map((start, index) => (spans.duration_ns[index] === null ? total : start + spans.duration_ns[index]!));
  const order = spans.start_ns.map((_, index) => index).sort((a, b) =>
    spans.start_ns[a]! - spans.start_ns[b]! || end[b]! - end[a]!);
  const lanes: Lane[] = [];
  timeline.tracks.forEach((track, trackIndex) => {
    let first = true;
    for (const name of kLevels) {
      // Greedy: the first depth whose last span ended before this one starts.
      const depths: { lane: Lane; free: number }[] = [];
      for (const index of order) {
        if (spans.track[index] !== trackIndex || level[index] !== name) continue;
        let depth = depths.find((item) => item.free <= spans.start_ns[index]!);
        if (!depth) {
          depth = { lane: { label: depths.length === 0 ? name : '', track: first ? track.name || track.kind : null, spans: [] }, free: 0 };
          first = false;
          depths.push(depth);
          lanes.push(depth.lane);
        }
        depth.lane.spans.push(index);
        depth.free = end[index]!;
      }
    }
  });
  return {
    lanes, level, type: texts(spans.type), name: texts(spans.name), start: spans.start_ns, end,
    parent: spans.parent, track: spans.track, layerIndex: spans.layer_index, duration: spans.duration_ns, total,
  };
}

/** The span at `time` in a lane, or the nearest within `slack` ns; -1: none. */
export function spanAt(lanes: Lanes, lane: Lane, time: number, slack: number): number {
  let best = -1;
  let distance = slack;
  for (const index of lane.spans) {
    const away = Math.max(lanes.start[index]! - time, time - lanes.end[index]!, 0);
    if (away === 0) return index;
    if (away < distance) {
      best = index;
      distance = away;
    }
  }
  return best;
}

/** Spans whose name or type holds `query`, by start. */
export function search(lanes: Lanes, query: string): number[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  const found: number[] = [];
  lanes.name.forEach((name, index) => {
    if ((name ?? '').toLowerCase().includes(wanted) || (lanes.type[index] ?? '').toLowerCase().includes(wanted)) found.push(index);
  });
  return found.sort((a, b) => lanes.start[a]! - lanes.start[b]!);
}
