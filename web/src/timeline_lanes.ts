// Where each span of a timeline lies. One predict call: a block of lanes per track, one lane per
// level and depth. A whole run: one lane per track and depth. No two spans of a lane overlap, so
// both their starts and their ends ascend and can be searched by halving.
import type { RunTimeline, Timeline } from './report_data.ts';
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

export interface Step {
  name: string;
  start: number;
  end: number;
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
  /** What there is to see at first: from the first start to the last end in a lane, ns. */
  from: number;
  to: number;
  /** Row of `lanes`; -1: not shown. */
  row: Int32Array;
  /** From this index on each entry is a block of merged spans. */
  firstBlock: number;
  /** Of blocks: how many spans, and the sum of their durations. */
  count: number[];
  busy: number[];
  /** For the ruler; empty: none. */
  steps: Step[];
  launches: RunTimeline['launches'];
}

/** Sorts the spans of one call into lanes. A layer is called as in the tables: by its path in the model, where that is known. */
export function makeLanes(timeline: Timeline, layerName: (index: number) => string | undefined = () => undefined): Lanes {
  const { spans } = timeline;
  const name = texts(spans.name).map((own, index) => {
    const layer = spans.layer_index[index]!;
    const parent = spans.parent[index]!;
    const isLayer = layer >= 0 && (parent < 0 || spans.layer_index[parent] !== layer);
    return (isLayer ? layerName(layer) : undefined) ?? own;
  });
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
    for (const wanted of kLevels) {
      // Greedy: the first depth whose last span ended before this one starts.
      const depths: { lane: Lane; free: number }[] = [];
      for (const index of order) {
        if (spans.track[index] !== trackIndex || level[index] !== wanted) continue;
        let depth = depths.find((item) => item.free <= spans.start_ns[index]!);
        if (!depth) {
          depth = { lane: { label: depths.length === 0 ? wanted : '', track: first ? track.name || track.kind : null, spans: [] }, free: 0 };
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
    lanes, level, type: texts(spans.type), name, start: spans.start_ns, end,
    parent: spans.parent, track: spans.track, layerIndex: spans.layer_index, duration: spans.duration_ns, total, from: 0, to: total,
    row: rowsOf(lanes, spans.start_ns.length), firstBlock: spans.start_ns.length, count: [], busy: [], steps: [],
    launches: { span: [], track: [], start_ns: [] },
  };
}

export interface RunLaneOptions {
  /** Tracks that are folded at first. */
  folded: boolean;
  /** Frames of Python functions. */
  python: boolean;
}

/** Whether a span is a frame of a Python function (modules are not). */
export function isPython(lanes: Pick<Lanes, 'level' | 'type'>, index: number): boolean {
  return lanes.level[index] === 'application' && lanes.type[index] === 'python';
}

/** A copy call that takes longer waits for the device: handing the copy over takes less, ns. */
const kCopyCallNs = 50_000;

/** Whether in a span, a call of the host, the host only waits for the device. */
export function isWaiting(lanes: Pick<Lanes, 'level' | 'name' | 'duration' | 'firstBlock'>, index: number): boolean {
  if (lanes.level[index] !== 'library' || index >= lanes.firstBlock) return false;
  const name = lanes.name[index] ?? '';
  return name.includes('Synchronize') || (name.includes('Memcpy') && (lanes.duration[index] ?? 0) > kCopyCallNs);
}

/** Sorts spans and blocks of a whole run into lanes. */
export function makeRunLanes(timeline: RunTimeline, options: RunLaneOptions): Lanes {
  const all: Lanes = {
    lanes: [], level: [], type: [], name: [], start: [], end: [], parent: [], track: [], layerIndex: [], duration: [],
    total: timeline.duration_ns, from: 0, to: timeline.duration_ns, row: new Int32Array(0), firstBlock: timeline.spans.track.length,
    count: timeline.blocks.count, busy: timeline.blocks.busy_ns, launches: timeline.launches,
    steps: texts(timeline.steps.name).map((name, index) => ({
      name: name ?? '', start: timeline.steps.start_ns[index]!, end: timeline.steps.start_ns[index]! + timeline.steps.duration_ns[index]! })),
  };
  const kinds = timeline.kinds.map((kind) => [kind.slice(0, kind.indexOf('/')), kind.slice(kind.indexOf('/') + 1)] as const);
  for (const rows of [timeline.spans, timeline.blocks]) {
    let start = 0;
    rows.start_step_ns.forEach((step, row) => {
      start += step;
      const duration = rows.duration_ns[row] ?? null;
      const kind = kinds[rows.kind[row]!];
      all.start.push(start);
      all.end.push(duration === null ? timeline.duration_ns : start + duration);
      all.duration.push(duration);
      all.name.push(timeline.names[rows.name[row]!] ?? '');
      all.level.push(kind?.[0] ?? null);
      all.type.push(kind?.[1] ?? null);
      all.track.push(rows.track[row]!);
    });
  }
  all.layerIndex = new Array<number>(all.start.length).fill(-1);
  all.parent = new Array<number>(all.start.length).fill(-1);
  layOut(all, timeline, options);
  all.row = rowsOf(all.lanes, all.start.length);
  return all;
}

interface Depth {
  lane: Lane;
  free: number;
}

/** Greedy, one pass over all spans by start: the first depth of its track that is free. Below the
    ranges that a device's track may carry, its kernels have lanes of their own. */
function layOut(all: Lanes, timeline: RunTimeline, options: RunLaneOptions): void {
  const order = Uint32Array.from(all.start, (_, index) => index).sort((a, b) => all.start[a]! - all.start[b]! || all.end[b]! - all.end[a]! || a - b);
  const tracks: Depth[][] = timeline.tracks.flatMap(() => [[], []]);
  for (const index of order) {
    const track = all.track[index]!;
    if ((timeline.tracks[track]!.folded && !options.folded) || (!options.python && isPython(all, index))) continue;
    const isWork = timeline.tracks[track]!.is_device && all.level[index] === 'kernel';
    const depths = tracks[track * 2 + (isWork ? 1 : 0)]!;
    const start = all.start[index]!;
    let at = 0;
    while (at < depths.length && depths[at]!.free > start) at += 1;
    if (at === depths.length) depths.push({ lane: { label: '', track: null, spans: [] }, free: 0 });
    const above = at > 0 ? depths[at - 1]!.lane.spans.at(-1)! : -1;
    if (above >= 0 && all.end[above]! >= all.end[index]!) all.parent[index] = above;
    depths[at]!.lane.spans.push(index);
    depths[at]!.free = Math.max(all.end[index]!, start + 1);
  }
  const severalRanks = new Set(timeline.tracks.map((track) => track.rank)).size > 1;
  timeline.tracks.forEach((track, index) => {
    const depths = [...tracks[index * 2]!, ...tracks[index * 2 + 1]!];
    if (depths.length === 0) return;
    depths[0]!.lane.track = (severalRanks && track.rank !== null ? `rank ${track.rank} \u00b7 ` : '') + (track.name || track.kind);
    for (const depth of depths) all.lanes.push(depth.lane);
  });
  if (all.lanes.length === 0) return;
  all.from = all.lanes.reduce((from, lane) => Math.min(from, all.start[lane.spans[0]!]!), Infinity);
  all.to = all.lanes.reduce((to, lane) => Math.max(to, all.end[lane.spans.at(-1)!]!), 0);
}

function rowsOf(lanes: readonly Lane[], length: number): Int32Array {
  const row = new Int32Array(length).fill(-1);
  lanes.forEach((lane, at) => {
    for (const index of lane.spans) row[index] = at;
  });
  return row;
}

/** The first position in a lane from `low` on whose span ends after `time`. */
export function firstEndingAfter(lanes: Pick<Lanes, 'end'>, lane: Lane, time: number, low = 0): number {
  let high = lane.spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lanes.end[lane.spans[middle]!]! > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The span at `time` in a lane, or the nearest within `slack` ns; -1: none. */
export function spanAt(lanes: Lanes, lane: Lane, time: number, slack: number): number {
  const at = firstEndingAfter(lanes, lane, time);
  let best = -1;
  let distance = slack;
  for (const index of [lane.spans[at], lane.spans[at - 1]]) {
    if (index === undefined) continue;
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
    if (lanes.row[index]! < 0) return;
    if ((name ?? '').toLowerCase().includes(wanted) || (lanes.type[index] ?? '').toLowerCase().includes(wanted)) found.push(index);
  });
  return found.sort((a, b) => lanes.start[a]! - lanes.start[b]!);
}

/** From where to where an arrow of work goes: a launch that may itself be merged, and its kernel. */
export interface Arrow {
  /** Row of the launch in `lanes`. */
  row: number;
  time: number;
  kernel: number;
}

const kMostArrows = 300;

/** The arrows of a selected kernel (its launch) or of a launch (its kernels). */
export function arrowsOf(lanes: Lanes, selected: number): Arrow[] {
  const { launches } = lanes;
  const arrows: Arrow[] = [];
  if (selected < 0 || selected >= lanes.firstBlock) return arrows;
  for (let at = 0; at < launches.span.length && arrows.length < kMostArrows; at += 1) {
    const kernel = launches.span[at]!;
    const isLaunch = lanes.level[selected] === 'library' && launches.track[at] === lanes.track[selected] && launches.start_ns[at] === lanes.start[selected];
    if ((kernel !== selected && !isLaunch) || lanes.row[kernel]! < 0) continue;
    const row = isLaunch ? lanes.row[selected]! : rowAt(lanes, launches.track[at]!, launches.start_ns[at]!);
    if (row >= 0) arrows.push({ row, time: launches.start_ns[at]!, kernel });
  }
  return arrows;
}

/** The deepest row of a track that has something at `time`, or its first; -1: it is not shown. */
function rowAt(lanes: Lanes, track: number, time: number): number {
  let first = -1;
  let deepest = -1;
  lanes.lanes.forEach((lane, row) => {
    if (lane.spans.length === 0 || lanes.track[lane.spans[0]!] !== track) return;
    if (first < 0) first = row;
    if (spanAt(lanes, lane, time, 0) >= 0) deepest = row;
  });
  return deepest >= 0 ? deepest : first;
}
