// The canvas of the timeline: draws lanes, and turns keys, wheel and pointer into zoom and pan.
import { h } from './dom.ts';
import { linearTicks, tickText } from './axis.ts';
import { duration, scaleFor } from './format.ts';
import { shortName } from './short_name.ts';
import { onTheme } from './state.ts';
import { blockName, drawArrows, drawSpans, kLane, readColours, xOf, type Colours, type Pen, type View } from './timeline_draw.ts';
import { arrowsOf, spanAt, type Arrow, type Lanes, type Step } from './timeline_lanes.ts';
import { hideTip, showTip } from './tooltip.ts';

const kRuler = 24;
const kSteps = 20;
const kTrackGap = 18;
const kLeast = 50;  // ns over the whole width: deeper shows nothing more

export class TimelineCanvas {
  readonly element: HTMLCanvasElement;
  onSearchKey: () => void = () => undefined;
  /** Called when zoom or pan change what is seen, ns. */
  onView: (from: number, to: number) => void = () => undefined;
  /** What is seen, ns. */
  from = 0;
  to: number;
  private readonly lanes: Lanes;
  private readonly colourOf: (index: number) => string | null;
  private readonly onSelect: (index: number) => void;
  private readonly tops: number[] = [];
  private readonly height: number;
  private colours: Colours | null = null;
  private font = '';
  private selected = -1;
  private arrows: Arrow[] = [];
  private found = new Set<number>();
  private width = 0;
  private pending = false;
  /** Width of the names of the levels, at the left. */
  private gutter = 0;

  constructor(lanes: Lanes, colourOf: (index: number) => string | null, onSelect: (index: number) => void) {
    this.lanes = lanes;
    this.colourOf = colourOf;
    this.onSelect = onSelect;
    this.from = lanes.from;
    this.to = Math.max(lanes.to, lanes.from + 1);
    let y = kRuler + (lanes.steps.length > 0 ? kSteps : 0);
    for (const lane of lanes.lanes) {
      if (lane.track !== null) y += kTrackGap;
      this.tops.push(y);
      y += kLane;
    }
    this.height = y + 4;
    this.element = h('canvas', {
      class: 'timeline', tabindex: 0, role: 'application', style: `height:${this.height}px`,
      'aria-label': 'Timeline. W and S zoom, A and D pan, 0 shows all, brackets step through spans, slash searches; the table below has the numbers.',
    });
    new ResizeObserver((entries) => {
      this.width = entries[0]!.contentRect.width;
      // A whole run names tracks, not levels.
      this.gutter = this.width > 640 && lanes.lanes.some((lane) => lane.label !== '') ? 76 : 0;
      this.redraw();
    }).observe(this.element);
    onTheme(() => {
      this.colours = null;
      this.redraw();
    });
    this.listen();
  }

  /** Shows a segment of time with a little around it. */
  fitTime(start: number, length: number): void {
    this.move(start - length * 0.02, start + length * 1.02);
  }

  all(): void {
    this.move(this.lanes.from, Math.max(this.lanes.to, this.lanes.from + 1));
  }

  /** Shows a segment of time, without a call of onView. */
  showView(from: number, to: number): void {
    this.from = from;
    this.to = to;
    this.redraw();
  }

  /** Scales the seen range by `factor` around `center` (ns; the middle where left out). */
  zoom(factor: number, center = (this.from + this.to) / 2): void {
    const length = Math.max(kLeast, Math.min(this.lanes.total || 1, (this.to - this.from) * factor));
    const part = (center - this.from) / (this.to - this.from);
    this.move(center - part * length, center + (1 - part) * length);
  }

  /** Selects a span and brings it into sight. */
  show(index: number): void {
    this.select(index);
    const start = this.lanes.start[index]!;
    const length = Math.max(this.lanes.end[index]! - start, kLeast);
    if (start < this.from || start + length > this.to || length < (this.to - this.from) / 100)
      this.move(start - length * 4, start + length * 5);
  }

  highlight(found: readonly number[]): void {
    this.found = new Set(found);
    this.redraw();
  }

  private select(index: number): void {
    this.selected = index;
    this.arrows = arrowsOf(this.lanes, index);
    this.onSelect(index);
    this.redraw();
  }

  private move(from: number, to: number): void {
    const total = this.lanes.total || 1;
    const length = Math.min(to - from, total);
    this.from = Math.max(0, Math.min(from, total - length));
    this.to = this.from + length;
    this.onView(this.from, this.to);
    this.redraw();
  }

  private redraw(): void {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  /** ns that one pixel shows. */
  private get perPixel(): number {
    return (this.to - this.from) / (this.width - this.gutter);
  }

  private get view(): View {
    return { from: this.from, to: this.to, left: this.gutter, right: this.width };
  }

  private x(time: number): number {
    return xOf(this.view, time);
  }

  private draw(): void {
    if (this.width <= 0) return;
    const ratio = window.devicePixelRatio || 1;
    const [width, height] = [Math.round(this.width * ratio), Math.round(this.height * ratio)];
    // Setting the size clears the canvas and makes a new one: only when it changes.
    if (this.element.width !== width) this.element.width = width;
    if (this.element.height !== height) this.element.height = height;
    const context = this.element.getContext('2d');
    if (!context) return;
    if (!this.colours) {
      const style = getComputedStyle(this.element);
      this.colours = readColours(style, this.element);
      this.font = `11px ${style.fontFamily}`;
    }
    const { colours } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    context.font = this.font;
    context.textBaseline = 'middle';
    this.drawRuler(context, colours);
    this.lanes.lanes.forEach((lane, row) => {
      const top = this.tops[row]!;
      context.fillStyle = colours.muted;
      if (lane.track !== null) context.fillText(lane.track, 2, top - kTrackGap / 2 + 1);
      if (this.gutter > 0) context.fillText(lane.label, 2, top + (kLane - 3) / 2 + 0.5);
    });
    context.save();
    context.beginPath();
    context.rect(this.gutter, 0, this.width - this.gutter, this.height);
    context.clip();
    const scene = { lanes: this.lanes, tops: this.tops, colours, colourOf: this.colourOf, selected: this.selected, found: this.found };
    this.drawSteps(context, colours);
    drawSpans(context, scene, this.view);
    drawArrows(context, scene, this.view, this.arrows);
    context.restore();
  }

  /** One box a step below the ruler, with its name and duration. */
  private drawSteps(pen: Pen, colours: Colours): void {
    let drawnTo = -1;
    this.lanes.steps.forEach((step: Step, index) => {
      const [left, right] = [this.x(step.start), this.x(step.end)];
      if (right < this.gutter || left > this.width || right <= drawnTo + 1) return;
      drawnTo = right;
      pen.globalAlpha = index % 2 === 0 ? 1 : 0.55;
      pen.fillStyle = colours.line;
      pen.fillRect(left, kRuler, Math.max(1, right - left - 1), kSteps - 4);
      pen.globalAlpha = 1;
      const from = Math.max(left, this.gutter) + 4;
      const room = Math.min(right, this.width) - from - 4;
      const texts = [`${step.name} \u00b7 ${duration(step.end - step.start)}`, duration(step.end - step.start)];
      const text = texts.find((item) => pen.measureText(item).width <= room);
      if (text === undefined) return;
      pen.fillStyle = colours.ink;
      pen.fillText(text, from, kRuler + (kSteps - 4) / 2 + 0.5);
    });
  }

  private drawRuler(context: CanvasRenderingContext2D, colours: Colours): void {
    const length = this.to - this.from;
    const scale = scaleFor([length / 2], 'ns');
    const step = linearTicks(length * scale.factor, Math.max(2, Math.floor((this.width - this.gutter) / 110)))[1] ?? length * scale.factor;
    context.fillStyle = colours.muted;
    context.strokeStyle = colours.line;
    context.beginPath();
    for (let index = Math.ceil((this.from * scale.factor) / step); index * step <= this.to * scale.factor; index += 1) {
      const x = this.x((index * step) / scale.factor);
      context.moveTo(Math.round(x) + 0.5, 14);
      context.lineTo(Math.round(x) + 0.5, this.height);
      const text = `${tickText(index * step)} ${scale.unit}`;
      context.fillText(text, Math.min(x + 3, this.width - context.measureText(text).width - 2), 8);
    }
    context.stroke();
  }

  private hit(event: MouseEvent): number {
    const box = this.element.getBoundingClientRect();
    const y = event.clientY - box.top;
    const row = this.tops.findIndex((top) => y >= top && y < top + kLane);
    if (row < 0) return -1;
    const x = event.clientX - box.left - this.gutter;
    if (x < 0) return -1;
    return spanAt(this.lanes, this.lanes.lanes[row]!, this.from + x * this.perPixel, 3 * this.perPixel);
  }

  private listen(): void {
    const canvas = this.element;
    canvas.addEventListener('keydown', (event) => this.onKey(event));
    canvas.addEventListener('wheel', (event) => {
      // A plain wheel scrolls the page; with Ctrl (or a pinch) it zooms, sideways it pans.
      if (event.ctrlKey) this.zoom(Math.exp(event.deltaY * 0.004), this.from + Math.max(0, event.offsetX - this.gutter) * this.perPixel);
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) this.move(this.from + event.deltaX * this.perPixel, this.to + event.deltaX * this.perPixel);
      else return;
      event.preventDefault();
    }, { passive: false });
    let drag: { x: number; from: number; moved: boolean } | null = null;
    canvas.addEventListener('pointerdown', (event) => {
      drag = { x: event.clientX, from: this.from, moved: false };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (drag && event.buttons > 0) {
        drag.moved ||= Math.abs(event.clientX - drag.x) > 3;
        const length = this.to - this.from;
        const start = drag.from - (event.clientX - drag.x) * this.perPixel;
        if (drag.moved) this.move(start, start + length);
        return;
      }
      const index = this.hit(event);
      if (index < 0) return hideTip();
      showTip(event.clientX, event.clientY, ...this.tip(index));
    });
    canvas.addEventListener('pointerup', (event) => {
      if (drag && !drag.moved) this.select(this.hit(event));
      drag = null;
    });
    canvas.addEventListener('pointerleave', hideTip);
    canvas.addEventListener('dblclick', (event) => this.fit(this.hit(event)));
  }

  private tip(index: number): [string, { name: string; value: string }[]] {
    const { lanes } = this;
    const kind = { name: 'level', value: `${lanes.level[index]} ${lanes.type[index] ?? ''}` };
    const start = { name: 'start', value: duration(lanes.start[index]) };
    if (index >= lanes.firstBlock)
      return [blockName(lanes, index), [
        { name: 'busy', value: `${duration(lanes.busy[index - lanes.firstBlock])} of ${duration(lanes.duration[index])}` },
        { name: 'mostly', value: kind.value }, start]];
    const name = lanes.name[index] ?? '';
    return [name.length > 400 ? shortName(name) : name, [
      kind, { name: 'duration', value: lanes.duration[index] === null ? 'never ended' : duration(lanes.duration[index]) }, start]];
  }

  private fit(index: number): void {
    if (index < 0) return;
    const length = Math.max(kLeast, this.lanes.end[index]! - this.lanes.start[index]!);
    this.select(index);
    this.move(this.lanes.start[index]! - length * 0.05, this.lanes.start[index]! + length * 1.05);
  }

  private onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const length = this.to - this.from;
    switch (event.key.toLowerCase()) {
      case 'w': case '+': this.zoom(0.7); break;
      case 's': case '-': this.zoom(1 / 0.7); break;
      case 'a': case 'arrowleft': this.move(this.from - length * 0.15, this.to - length * 0.15); break;
      case 'd': case 'arrowright': this.move(this.from + length * 0.15, this.to + length * 0.15); break;
      case '0': case 'home': this.all(); break;
      case '/': this.onSearchKey(); break;
      case '[': this.step(-1); break;
      case ']': this.step(1); break;
      case 'enter': this.fit(this.selected); break;
      case 'escape': this.select(-1); break;
      default: return;
    }
    event.preventDefault();
  }

  /** The span before or after the selected one in its lane; with none selected, the first. */
  private step(by: number): void {
    const lane = this.lanes.lanes[this.selected < 0 ? 0 : this.lanes.row[this.selected]!];
    if (!lane) return;
    const at = lane.spans.indexOf(this.selected);
    const index = lane.spans[at < 0 ? 0 : Math.max(0, Math.min(lane.spans.length - 1, at + by))];
    if (index !== undefined) this.show(index);
  }
}
