// The canvas of a timeline of any size: draws tiles, and turns keys, wheel and pointer into zoom, pan and selections.
import { linearTicks } from '../axis.ts';
import { h } from '../dom.ts';
import { duration, scaleFor } from '../format.ts';
import { inkOn, kHues } from '../palette.ts';
import { shortName } from '../short_name.ts';
import { onTheme } from '../state.ts';
import { kLane, readColours, xOf, type Colours, type View } from '../timeline_draw.ts';
import { hideTip, showTip } from '../tooltip.ts';
import { firstAfter, laneKey, type LaneBlocks, type SpanDetails, type TileStore, type TimelineTrack } from './timeline_tiles.ts';

const kRuler = 24;
const kTrackGap = 20;
const kBox = kLane - 3;
/** ns over the whole width: deeper shows nothing more. */
const kLeast = 50;

interface Row {
  key: string;
  top: number;
  /** Of the first lane of a track. */
  title: string;
}

interface Hit {
  lane: LaneBlocks;
  at: number;
}

export class TileCanvas {
  readonly element: HTMLElement;
  onView: (from: number, to: number) => void = () => undefined;
  onSelect: (span: number) => void = () => undefined;
  onInterval: (from: number, to: number) => void = () => undefined;
  onSearchKey: () => void = () => undefined;
  /** ns from the first span. */
  from: number;
  to: number;
  private readonly canvas: HTMLCanvasElement;
  private readonly store: TileStore;
  private readonly total: number;
  private readonly rows: Row[] = [];
  private readonly tops = new Map<string, number>();
  private readonly height: number;
  private readonly hues = new Map<string, string>();
  private readonly observer: ResizeObserver;
  private readonly endTheme: () => void;
  private colours: Colours | null = null;
  private selected: SpanDetails | null = null;
  private interval: [number, number] | null = null;
  private width = 0;
  private shownHeight = 0;
  private pending = false;

  constructor(tracks: readonly TimelineTrack[], total: number, store: TileStore) {
    this.store = store;
    this.total = Math.max(total, 1);
    this.from = 0;
    this.to = this.total;
    let y = kRuler;
    const severalRanks = new Set(tracks.map(({ rank }) => rank)).size > 1;
    for (const track of tracks) {
      y += kTrackGap;
      for (let lane = 0; lane < track.lanes; lane += 1, y += kLane) {
        const key = laneKey(track.id, lane);
        const rank = severalRanks && track.rank !== null ? `rank ${track.rank} · ` : '';
        this.rows.push({ key, top: y, title: lane === 0 ? rank + (track.name || track.kind) : '' });
        this.tops.set(key, y);
      }
    }
    this.height = y + 6;
    this.canvas = h('canvas', {
      class: 'timeline', tabindex: 0, role: 'application',
      'aria-label': 'Timeline. W and S zoom, A and D pan, 0 shows all, slash searches, I sums what is seen; the tables below have the numbers.',
    });
    this.element = h('div', { class: 'tile-box' }, h('div', { class: 'tile-space' }, this.canvas));
    (this.element.firstElementChild as HTMLElement).style.height = `${this.height}px`;
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(this.element);
    this.element.addEventListener('scroll', () => this.redraw());
    this.endTheme = onTheme(() => {
      this.colours = null;
      this.redraw();
    });
    this.listen();
  }

  close(): void {
    this.observer.disconnect();
    this.endTheme();
    hideTip();
  }

  showView(from: number, to: number): void {
    const length = Math.min(Math.max(to - from, kLeast), Math.max(this.total, kLeast));
    this.from = Math.max(0, Math.min(from, this.total - length));
    this.to = this.from + length;
    this.redraw();
  }

  move(from: number, to: number): void {
    this.showView(from, to);
    this.onView(this.from, this.to);
  }

  /** Marks a span; with `isShown` brings it into sight, too. */
  select(span: SpanDetails | null, isShown: boolean): void {
    this.selected = span;
    if (span && isShown) this.bringIntoSight(span.start_ns, span.duration_ns ?? 0, laneKey(span.track, span.lane));
    this.redraw();
  }

  markInterval(interval: [number, number] | null): void {
    this.interval = interval;
    this.redraw();
  }

  redraw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      performance.mark('timeline-draw');
      this.draw();
      performance.measure('timeline-frame', 'timeline-draw');
      performance.clearMarks('timeline-draw');
    });
  }

  private bringIntoSight(start: number, length: number, key: string): void {
    const least = Math.max(length, kLeast);
    if (start < this.from || start + least > this.to || least < (this.to - this.from) / 100) this.move(start - least * 4, start + least * 5);
    const top = this.tops.get(key);
    if (top === undefined) return;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop + kRuler || top + kLane > scrollTop + clientHeight) this.element.scrollTop = top - clientHeight / 2;
  }

  private resize(): void {
    this.width = this.element.clientWidth;
    this.shownHeight = Math.min(this.height, this.element.clientHeight);
    this.redraw();
  }

  private get perPixel(): number {
    return (this.to - this.from) / Math.max(1, this.width);
  }

  private get view(): View {
    return { from: this.from, to: this.to, left: 0, right: this.width };
  }

  private draw(): void {
    if (this.width <= 0) return;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(this.width * ratio), Math.round(this.shownHeight * ratio)];
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.canvas.style.width = `${this.width}px`;
      this.canvas.style.height = `${this.shownHeight}px`;
    }
    const pen = this.canvas.getContext('2d');
    if (!pen) return;
    const style = getComputedStyle(this.canvas);
    this.colours ??= readColours(style, this.canvas);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.shownHeight);
    pen.font = `11px ${style.fontFamily}`;
    pen.textBaseline = 'middle';
    const parts = this.store.partsOf(this.from, this.to, this.perPixel);
    this.canvas.setAttribute('aria-busy', String(this.store.isLoading));
    pen.save();
    pen.beginPath();
    pen.rect(0, kRuler, this.width, this.shownHeight - kRuler);
    pen.clip();
    for (const part of parts) {
      if (!part.tile) continue;
      pen.save();
      pen.beginPath();
      const left = Math.floor(xOf(this.view, part.from));
      pen.rect(left, 0, Math.floor(xOf(this.view, part.to)) - left, this.shownHeight);
      pen.clip();
      for (const row of this.shownRows()) {
        const lane = part.tile.lanes.get(row.key);
        if (lane) this.drawLane(pen, lane, row.top - this.element.scrollTop, Math.max(part.from, this.from), Math.min(part.to, this.to));
      }
      pen.restore();
    }
    this.drawMarks(pen, this.colours);
    pen.restore();
    this.drawRuler(pen, this.colours);
  }

  private shownRows(): Row[] {
    const { scrollTop } = this.element;
    return this.rows.filter(({ top }) => top + kLane > scrollTop + kRuler && top - kTrackGap < scrollTop + this.shownHeight);
  }

  private drawLane(pen: CanvasRenderingContext2D, lane: LaneBlocks, top: number, from: number, to: number): void {
    let drawnTo = -1;
    for (let at = firstAfter(lane, from - this.perPixel); at < lane.start.length && lane.start[at]! <= to; at += 1) {
      const left = xOf(this.view, lane.start[at]!);
      const right = Math.max(xOf(this.view, lane.end[at]!), left + 1);
      // What ends within the last pixel shows nothing more.
      if (right <= drawnTo) continue;
      drawnTo = Math.ceil(right - 0.01);
      this.drawBlock(pen, lane, at, { left, width: right - left, top });
    }
  }

  private drawBlock(pen: CanvasRenderingContext2D, lane: LaneBlocks, at: number, box: { left: number; width: number; top: number }): void {
    const { left, width, top } = box;
    const colour = this.colourOf(lane.level[at]!, lane.name[at]!);
    const shown = width > 3 ? width - 0.5 : width;
    pen.fillStyle = colour ?? this.colours!.neutral;
    const isBlock = lane.spans[at]! > 1;
    if (isBlock) {
      // A pale box over its whole extent; the part of it in which something ran stands solid below.
      const busy = Math.min(1, lane.busy[at]! / Math.max(1, lane.end[at]! - lane.start[at]!));
      pen.globalAlpha = 0.3;
      pen.fillRect(left, top, shown, kBox);
      pen.globalAlpha = 1;
      pen.fillRect(left, top + kBox * (1 - busy), shown, kBox * busy);
    } else {
      pen.fillRect(left, top, shown, kBox);
    }
    if (width > 28) this.drawLabel(pen, labelOf(lane, at), { left, right: left + width, top, ink: colour && !isBlock ? inkOn(colour) : this.colours!.ink });
  }

  private drawLabel(pen: CanvasRenderingContext2D, name: string, box: { left: number; right: number; top: number; ink: string }): void {
    const from = Math.max(box.left, 0) + 4;
    const room = Math.min(box.right, this.width) - from - 4;
    if (room < 12) return;
    // Glyphs are about 6 pixels wide; only what may fit is measured.
    let text = name.slice(0, Math.ceil(room / 3));
    const width = pen.measureText(text).width;
    if (width > room || text.length < name.length) {
      const keep = Math.floor((room / width) * text.length) - 1;
      if (keep < 2) return;
      text = `${text.slice(0, keep)}…`;
    }
    pen.fillStyle = box.ink;
    pen.fillText(text, from, box.top + kBox / 2 + 0.5);
  }

  /** Names of tracks, the selection with its arrows, the interval. */
  private drawMarks(pen: CanvasRenderingContext2D, colours: Colours): void {
    const { scrollTop } = this.element;
    pen.fillStyle = colours.muted;
    for (const row of this.shownRows()) if (row.title !== '') pen.fillText(row.title, 2, row.top - scrollTop - kTrackGap / 2 + 1);
    if (this.interval) {
      const [left, right] = this.interval.map((time) => xOf(this.view, time)) as [number, number];
      pen.globalAlpha = 0.16;
      pen.fillStyle = colours.accent;
      pen.fillRect(left, 0, right - left, this.shownHeight);
      pen.globalAlpha = 1;
    }
    const span = this.selected;
    const top = span ? this.tops.get(laneKey(span.track, span.lane)) : undefined;
    if (!span || top === undefined) return;
    const left = xOf(this.view, span.start_ns);
    const width = Math.max(xOf(this.view, span.start_ns + (span.duration_ns ?? 0)) - left, 1);
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 2;
    pen.strokeRect(left + 1, top - scrollTop + 1, Math.max(1, width - 2.5), kBox - 2);
    pen.lineWidth = 1;
    for (const flow of span.flows) {
      const other = this.tops.get(laneKey(flow.track, flow.lane));
      if (other === undefined) continue;
      const ends = [{ x: left, y: top - scrollTop + kBox / 2 }, { x: xOf(this.view, flow.start_ns), y: other - scrollTop + kBox / 2 }];
      if (!flow.is_outgoing) ends.reverse();
      drawArrow(pen, colours.ink, ends[0]!, ends[1]!);
    }
  }

  private drawRuler(pen: CanvasRenderingContext2D, colours: Colours): void {
    const scale = scaleFor([(this.to - this.from) / 2], 'ns');
    const length = (this.to - this.from) * scale.factor;
    const step = linearTicks(length, Math.max(2, Math.floor(this.width / 110)))[1] ?? length;
    pen.fillStyle = colours.muted;
    pen.strokeStyle = colours.line;
    pen.beginPath();
    for (let index = Math.ceil((this.from * scale.factor) / step); index * step <= this.to * scale.factor; index += 1) {
      const x = Math.round(xOf(this.view, (index * step) / scale.factor)) + 0.5;
      pen.moveTo(x, 14);
      pen.lineTo(x, this.shownHeight);
      const text = `${rulerText(index * step, step)} ${scale.unit}`;
      pen.fillText(text, Math.min(x + 3, this.width - pen.measureText(text).width - 2), 8);
    }
    pen.globalAlpha = 0.5;
    pen.stroke();
    pen.globalAlpha = 1;
  }

  /** Grey but for layers and kernels, which have a hue by their name. */
  private colourOf(level: string, name: string): string | null {
    if (level !== 'layer' && level !== 'kernel') return null;
    let hue = this.hues.get(name);
    if (hue === undefined) {
      let hash = 0;
      for (let at = 0; at < name.length; at += 1) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) >>> 0;
      hue = kHues[hash % kHues.length]!;
      this.hues.set(name, hue);
    }
    return hue;
  }

  private hit(event: MouseEvent): Hit | null {
    const box = this.element.getBoundingClientRect();
    const y = event.clientY - box.top + this.element.scrollTop;
    const row = this.rows.find(({ top }) => y >= top && y < top + kLane);
    if (!row || event.clientY - box.top < kRuler) return null;
    const time = this.timeAt(event);
    for (const { tile, from, to } of this.store.partsOf(this.from, this.to, this.perPixel)) {
      const lane = tile?.lanes.get(row.key);
      if (!lane || time < from || time >= to) continue;
      const at = firstAfter(lane, time - this.perPixel);
      if (at < lane.start.length && lane.start[at]! <= time + this.perPixel) return { lane, at };
    }
    return null;
  }

  private timeAt(event: MouseEvent): number {
    return this.from + (event.clientX - this.element.getBoundingClientRect().left) * this.perPixel;
  }

  private zoom(factor: number, center = (this.from + this.to) / 2): void {
    const length = Math.max(kLeast, Math.min(this.total, (this.to - this.from) * factor));
    const part = (center - this.from) / (this.to - this.from);
    this.move(center - part * length, center + (1 - part) * length);
  }

  private listen(): void {
    const { canvas } = this;
    canvas.addEventListener('keydown', (event) => this.onKey(event));
    canvas.addEventListener('wheel', (event) => {
      // A plain wheel scrolls; with Ctrl (or a pinch) it zooms, sideways it pans.
      if (event.ctrlKey) this.zoom(Math.exp(event.deltaY * 0.004), this.timeAt(event));
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.move(this.from + event.deltaX * this.perPixel, this.to + event.deltaX * this.perPixel);
      else return;
      event.preventDefault();
    }, { passive: false });
    let drag: { x: number; from: number; time: number; moved: boolean; marks: boolean } | null = null;
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      drag = { x: event.clientX, from: this.from, time: this.timeAt(event), moved: false, marks: event.shiftKey };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!drag || event.buttons === 0) return this.onHover(event);
      drag.moved ||= Math.abs(event.clientX - drag.x) > 3;
      if (!drag.moved) return;
      if (drag.marks) return this.markInterval(ordered(drag.time, this.timeAt(event)));
      const length = this.to - this.from;
      const start = drag.from - (event.clientX - drag.x) * this.perPixel;
      this.move(start, start + length);
    });
    canvas.addEventListener('pointerup', (event) => {
      if (drag?.moved && drag.marks) this.onInterval(...ordered(drag.time, this.timeAt(event)));
      else if (drag && !drag.moved) this.onClick(event);
      drag = null;
    });
    canvas.addEventListener('pointerleave', hideTip);
  }

  private onHover(event: PointerEvent): void {
    const hit = this.hit(event);
    if (!hit) return hideTip();
    const { lane, at } = hit;
    const time = { name: lane.spans[at]! > 1 ? 'busy' : 'duration', value: duration(lane.busy[at]) };
    const extent = { name: 'of', value: duration(lane.end[at]! - lane.start[at]!) };
    showTip(event.clientX, event.clientY, labelOf(lane, at), [
      { name: 'level', value: lane.level[at]! }, time, ...(lane.spans[at]! > 1 ? [extent] : []), { name: 'start', value: duration(lane.start[at]) }],
    lane.spans[at]! > 1 ? 'Click to zoom in' : '');
  }

  /** A span is selected; a block is zoomed into. */
  private onClick(event: MouseEvent): void {
    const hit = this.hit(event);
    if (!hit) return this.onSelect(0);
    const { lane, at } = hit;
    if (lane.spans[at] === 1) return this.onSelect(lane.span[at]!);
    const length = Math.max(kLeast, lane.end[at]! - lane.start[at]!);
    this.move(lane.start[at]! - length * 0.05, lane.start[at]! + length * 1.05);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const length = this.to - this.from;
    switch (event.key.toLowerCase()) {
      case 'w': case '+': this.zoom(0.7); break;
      case 's': case '-': this.zoom(1 / 0.7); break;
      case 'a': case 'arrowleft': this.move(this.from - length * 0.15, this.to - length * 0.15); break;
      case 'd': case 'arrowright': this.move(this.from + length * 0.15, this.to + length * 0.15); break;
      case '0': case 'home': this.move(0, this.total); break;
      case '/': this.onSearchKey(); break;
      case 'i': this.onInterval(this.from, this.to); break;
      case 'escape': this.onSelect(0); break;
      default: return;
    }
    event.preventDefault();
  }
}

function ordered(a: number, b: number): [number, number] {
  return [Math.min(a, b), Math.max(a, b)];
}

/** "214 × aten::add": as many spans, of which the longest has this name. */
function labelOf(lane: LaneBlocks, at: number): string {
  const name = shortName(lane.name[at]!);
  return lane.spans[at]! > 1 ? `${lane.spans[at]} × ${name}` : name;
}

/** As many digits as tell one tick from the next: deep in a long run that is more than six. */
export function rulerText(value: number, step: number): string {
  let decimals = 0;
  while (decimals < 9 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals += 1;
  const [whole = '', fraction] = value.toFixed(decimals).split('.');
  return whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
}

function drawArrow(pen: CanvasRenderingContext2D, ink: string, from: { x: number; y: number }, to: { x: number; y: number }): void {
  const bend = Math.max(24, Math.abs(to.x - from.x) / 2);
  pen.strokeStyle = ink;
  pen.fillStyle = ink;
  pen.beginPath();
  pen.moveTo(from.x, from.y);
  pen.bezierCurveTo(from.x + bend, from.y, to.x - bend, to.y, to.x, to.y);
  pen.stroke();
  pen.beginPath();
  pen.moveTo(to.x, to.y);
  pen.lineTo(to.x - 7, to.y - 4);
  pen.lineTo(to.x - 7, to.y + 4);
  pen.fill();
}
