// Parts of a run's timeline as the server sends them, which of them a view needs, and what of them is known.
import type { DataSource } from './data_source.ts';

/** Buckets of a tile: it is fetched for that many pixels. */
export const kTileBuckets = 1024;
/** Tiles that are remembered, the last used. */
const kMaxTiles = 256;
/** Requests at a time: the server computes two answers at once. */
const kMaxRequests = 4;
/** How much coarser a tile may be that stands in for one that has not arrived. */
const kMaxCoarser = 40;

export interface TimelineTrack {
  id: number;
  kind: string;
  name: string;
  rank: number | null;
  lanes: number;
  spans: number;
}

export interface TimelineSpan {
  id: number;
  level: string;
  type: string;
  name: string;
  track: number;
  lane: number;
  start_ns: number;
  /** null: never ended. */
  duration_ns: number | null;
}

export interface TimelineFlow extends TimelineSpan {
  kind: string;
  is_outgoing: boolean;
}

export interface SpanDetails extends TimelineSpan {
  parents: TimelineSpan[];
  metrics: { name: string; value: number; unit: string; provenance: string }[];
  attributes: { key: string; value: string }[];
  flows: TimelineFlow[];
}

export interface TimelineSums {
  spans: number;
  names: number;
  rows: { level: string; name: string; spans: number; duration_ns: number; longest_ns: number }[];
}

/** The document of the operation `timeline`; what was not asked for is not there. Times count from the first span. */
export interface TimelineDocument {
  run: string;
  runs: { name: string; spans: number }[];
  duration_ns: number;
  spans: number;
  from_ns: number;
  to_ns: number;
  bucket_ns?: number;
  tracks?: TimelineTrack[];
  names?: { level: string; name: string }[];
  blocks?: Record<'track' | 'lane' | 'start_ns' | 'duration_ns' | 'spans' | 'busy_ns' | 'span' | 'name', number[]>;
  sums?: TimelineSums;
  hits?: { spans: number; before: number; rows: TimelineSpan[] };
  span?: SpanDetails;
}

/** The blocks of one lane, by start. */
export interface LaneBlocks {
  start: number[];
  end: number[];
  /** 1: a single span. */
  spans: number[];
  busy: number[];
  /** The id of the longest span. */
  span: number[];
  level: string[];
  name: string[];
}

export interface Tile {
  /** Spans shorter than 2 to the power of this are merged, ns. */
  exponent: number;
  index: number;
  /** By laneKey(). */
  lanes: Map<string, LaneBlocks>;
}

export function laneKey(track: number, lane: number): string {
  return `${track}/${lane}`;
}

/** ns that a tile covers. */
export function tileLength(exponent: number): number {
  return kTileBuckets * 2 ** exponent;
}

/** The tiles that draw [from, to) at so many ns a pixel. */
export function tilesOf(from: number, to: number, perPixel: number): { exponent: number; first: number; last: number } {
  const exponent = Math.max(0, Math.floor(Math.log2(Math.max(1, perPixel))));
  const length = tileLength(exponent);
  return { exponent, first: Math.max(0, Math.floor(from / length)), last: Math.max(0, Math.ceil(to / length) - 1) };
}

export function tileOf(document: TimelineDocument, exponent: number, index: number): Tile {
  const lanes = new Map<string, LaneBlocks>();
  const { blocks, names = [] } = document;
  blocks?.track.forEach((track, row) => {
    const key = laneKey(track, blocks.lane[row]!);
    let lane = lanes.get(key);
    if (!lane) {
      lane = { start: [], end: [], spans: [], busy: [], span: [], level: [], name: [] };
      lanes.set(key, lane);
    }
    const start = document.from_ns + blocks.start_ns[row]!;
    const label = names[blocks.name[row]!];
    lane.start.push(start);
    lane.end.push(start + blocks.duration_ns[row]!);
    lane.spans.push(blocks.spans[row]!);
    lane.busy.push(blocks.busy_ns[row]!);
    lane.span.push(blocks.span[row]!);
    lane.level.push(label?.level ?? '');
    lane.name.push(label?.name ?? '');
  });
  return { exponent, index, lanes };
}

/** The first block of a lane that ends after `time`. */
export function firstAfter(lane: LaneBlocks, time: number): number {
  let low = 0;
  let high = lane.end.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lane.end[middle]! > time) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A part of the picture, and the tile that draws it. */
export interface TilePart {
  from: number;
  to: number;
  tile: Tile | null;
}

/** Fetches tiles, remembers them, and lets coarser ones stand in for those that have not arrived. */
export class TileStore {
  onTile: () => void = () => undefined;
  onError: (error: unknown) => void = () => undefined;
  private readonly source: DataSource;
  private readonly run: string;
  private readonly tiles = new Map<string, Tile>();
  private readonly asked = new Set<string>();
  private wanted: { exponent: number; index: number }[] = [];
  private isClosed = false;

  constructor(source: DataSource, run: string) {
    this.source = source;
    this.run = run;
  }

  close(): void {
    this.isClosed = true;
    this.wanted = [];
  }

  /** What draws a view now; what is missing of it is asked for. */
  partsOf(from: number, to: number, perPixel: number): TilePart[] {
    const { exponent, first, last } = tilesOf(from, to, perPixel);
    const length = tileLength(exponent);
    const parts: TilePart[] = [];
    this.wanted = [];
    for (let index = first; index <= last; index += 1) {
      const tile = this.find(exponent, index);
      if (tile?.exponent !== exponent) this.wanted.push({ exponent, index });
      parts.push({ from: index * length, to: (index + 1) * length, tile });
    }
    this.ask();
    return parts;
  }

  get isLoading(): boolean {
    return this.wanted.length > 0 || this.asked.size > 0;
  }

  private find(exponent: number, index: number): Tile | null {
    for (let up = 0; up < kMaxCoarser; up += 1) {
      const key = `${exponent + up}/${Math.floor(index / 2 ** up)}`;
      const tile = this.tiles.get(key);
      if (!tile) continue;
      this.tiles.delete(key);  // The last used is the last of the map.
      this.tiles.set(key, tile);
      return tile;
    }
    return null;
  }

  private ask(): void {
    while (this.asked.size < kMaxRequests) {
      const next = this.wanted.shift();
      if (!next || this.isClosed) return;
      const key = `${next.exponent}/${next.index}`;
      if (this.asked.has(key) || this.tiles.has(key)) continue;
      void this.fetch(next.exponent, next.index);
    }
  }

  private async fetch(exponent: number, index: number): Promise<void> {
    const key = `${exponent}/${index}`;
    const length = tileLength(exponent);
    this.asked.add(key);
    try {
      const document = await this.source.read<TimelineDocument>('timeline', {
        run: this.run, from_ns: index * length, to_ns: (index + 1) * length, width: kTileBuckets, parts: ['blocks'] });
      this.tiles.set(key, tileOf(document, exponent, index));
      for (const oldest of this.tiles.keys()) {
        if (this.tiles.size <= kMaxTiles) break;
        this.tiles.delete(oldest);
      }
      if (!this.isClosed) this.onTile();
    } catch (error) {
      if (!this.isClosed) this.onError(error);
      this.wanted = [];
    } finally {
      this.asked.delete(key);
      this.ask();
    }
  }
}
