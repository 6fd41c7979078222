// Drawing the spans of a timeline on a canvas. Only what is seen is drawn: a lane is entered by
// halving, and spans thinner than a pixel are passed over pixel by pixel, so a picture costs what
// its pixels cost however many spans the page carries.
import { h } from './dom.ts';
import { inkOn } from './palette.ts';
import { shortName } from './short_name.ts';
import { firstEndingAfter, isWaiting, type Arrow, type Lane, type Lanes } from './timeline_lanes.ts';

export const kLane = 22;
const kBox = kLane - 3;
/** Pixels from one line of a hatched box to the next. */
const kHatch = 6;

export interface Colours {
  ink: string;
  muted: string;
  line: string;
  ground: string;
  neutral: string;
  accent: string;
}

/** What is seen, and where. */
export interface View {
  /** ns. */
  from: number;
  to: number;
  /** Pixels: spans lie between them. */
  left: number;
  right: number;
}

/** The part of CanvasRenderingContext2D that drawing takes. */
export type Pen = Pick<CanvasRenderingContext2D,
  'fillStyle' | 'strokeStyle' | 'globalAlpha' | 'lineWidth' | 'fillRect' | 'strokeRect' | 'fillText' | 'measureText'
  | 'beginPath' | 'moveTo' | 'lineTo' | 'bezierCurveTo' | 'stroke' | 'fill'>;

export interface Scene {
  lanes: Lanes;
  /** Pixel of the upper edge of each lane. */
  tops: readonly number[];
  colours: Colours;
  colourOf: (index: number) => string | null;
  selected: number;
  /** Not empty: all others are pale. */
  found: ReadonlySet<number>;
}

export function xOf(view: View, time: number): number {
  return view.left + ((time - view.from) / (view.to - view.from)) * (view.right - view.left);
}

export function drawSpans(pen: Pen, scene: Scene, view: View): void {
  scene.lanes.lanes.forEach((lane, row) => drawLane(pen, scene, view, lane, scene.tops[row]!));
  const { selected, lanes } = scene;
  if (selected < 0 || lanes.row[selected]! < 0) return;
  const top = scene.tops[lanes.row[selected]!]!;
  const left = xOf(view, lanes.start[selected]!);
  const width = Math.max(xOf(view, lanes.end[selected]!) - left, 1);
  if (left + width < view.left || left > view.right) return;
  pen.strokeStyle = scene.colours.ink;
  pen.lineWidth = 2;
  pen.strokeRect(left + 1, top + 1, Math.max(1, width - 2.5), kBox - 2);
  pen.lineWidth = 1;
}

function drawLane(pen: Pen, scene: Scene, view: View, lane: Lane, top: number): void {
  const { lanes } = scene;
  const perPixel = (view.to - view.from) / (view.right - view.left);
  const length = lane.spans.length;
  let at = firstEndingAfter(lanes, lane, view.from);
  while (at < length) {
    const index = lane.spans[at]!;
    const start = lanes.start[index]!;
    if (start > view.to) return;
    const left = xOf(view, start);
    const width = Math.max((lanes.end[index]! - start) / perPixel, 1);
    drawSpan(pen, scene, view, { index, left, width, top });
    // What ends before the next pixel shows nothing more.
    at = width > 1 ? at + 1 : firstEndingAfter(lanes, lane, start + perPixel, at + 1);
  }
}

function drawSpan(pen: Pen, scene: Scene, view: View, box: { index: number; left: number; width: number; top: number }): void {
  const { lanes, colours, found } = scene;
  const { index, left, width, top } = box;
  const own = scene.colourOf(index);
  const alpha = found.size > 0 && !found.has(index) && index !== scene.selected ? 0.25 : 1;
  const isBlock = index >= lanes.firstBlock;
  pen.fillStyle = own ?? colours.neutral;
  const shown = width > 3 ? width - 0.5 : width;
  if (isBlock) {
    // A pale box over its whole extent; the part of it in which something ran stands solid below.
    const busy = Math.min(1, lanes.busy[index - lanes.firstBlock]! / Math.max(1, lanes.end[index]! - lanes.start[index]!));
    pen.globalAlpha = alpha * 0.3;
    pen.fillRect(left, top, shown, kBox);
    pen.globalAlpha = alpha;
    pen.fillRect(left, top + kBox * (1 - busy), shown, kBox * busy);
  } else if (isWaiting(lanes, index)) {
    drawWaiting(pen, scene, view, { left, width: shown, top });
  } else {
    pen.globalAlpha = alpha;
    pen.fillRect(left, top, shown, kBox);
  }
  if (width > 28) {
    const name = isBlock ? blockName(lanes, index) : lanes.name[index] ?? '';
    drawLabel(pen, view, name, { left, right: left + width, top, ink: own && !isBlock ? inkOn(own) : colours.ink });
  }
  pen.globalAlpha = 1;
}

/** Hatched: time passes in which the host does nothing. */
function drawWaiting(pen: Pen, scene: Scene, view: View, box: { left: number; width: number; top: number }): void {
  const from = Math.max(box.left, view.left);
  const to = Math.min(box.left + box.width, view.right);
  pen.globalAlpha = 0.25;
  pen.fillRect(from, box.top, to - from, kBox);
  pen.globalAlpha = 0.6;
  pen.strokeStyle = scene.colours.muted;
  pen.beginPath();
  // In step with the span, so that the hatching moves along with it.
  for (let x = from + ((box.left - from) % kHatch); x < to - kBox / 2; x += kHatch) {
    if (x < from) continue;
    pen.moveTo(x, box.top + kBox);
    pen.lineTo(x + kBox / 2, box.top);
  }
  pen.stroke();
}

/** "214 x aten::add": as many spans, most time in those of this name. */
export function blockName(lanes: Lanes, index: number): string {
  return `${lanes.count[index - lanes.firstBlock]} \u00d7 ${shortName(lanes.name[index] ?? '')}`;
}

function drawLabel(pen: Pen, view: View, name: string, box: { left: number; right: number; top: number; ink: string }): void {
  const from = Math.max(box.left, view.left) + 4;
  const room = Math.min(box.right, view.right) - from - 4;
  if (room < 12) return;
  // What all modules begin with would be all there is room for.
  let text = shortName(name.replace(/^nn\.Module: /, ''));
  const width = pen.measureText(text).width;
  if (width > room) {
    const keep = Math.floor((room / width) * text.length) - 1;
    if (keep < 2) return;
    text = `${text.slice(0, keep)}\u2026`;
  }
  pen.fillStyle = box.ink;
  pen.fillText(text, from, box.top + kBox / 2 + 0.5);
}

/** From each launch to its kernel. */
export function drawArrows(pen: Pen, scene: Scene, view: View, arrows: readonly Arrow[]): void {
  pen.strokeStyle = scene.colours.ink;
  pen.fillStyle = scene.colours.ink;
  for (const arrow of arrows) {
    const x0 = xOf(view, arrow.time);
    const x1 = xOf(view, scene.lanes.start[arrow.kernel]!);
    if (Math.max(x0, x1) < view.left || Math.min(x0, x1) > view.right) continue;
    const y0 = scene.tops[arrow.row]! + kBox / 2;
    const y1 = scene.tops[scene.lanes.row[arrow.kernel]!]! + kBox / 2;
    const bend = Math.max(24, Math.abs(x1 - x0) / 2);
    pen.beginPath();
    pen.moveTo(x0, y0);
    pen.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.lineTo(x1 - 7, y1 - 4);
    pen.lineTo(x1 - 7, y1 + 4);
    pen.fill();
  }
}

/** Colours of the theme, resolved through an element: a canvas cannot read custom properties. */
export function readColours(style: CSSStyleDeclaration, element: HTMLElement): Colours {
  const probe = h('span', { hidden: true });
  (element.parentElement ?? document.body).append(probe);
  const resolve = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = {
    ink: style.color, muted: resolve('--muted'), line: resolve('--line'), ground: resolve('--ground'),
    neutral: resolve('--neutral'), accent: resolve('--accent'),
  };
  probe.remove();
  return colours;
}
