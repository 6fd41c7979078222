// The canvas of the timeline: draws lanes, and turns keys, wheel and pointer into zoom and pan.
import { h } from './dom.ts';
import { linearTicks, tickText } from './axis.ts';
import { duration, scaleFor } from './format.ts';
import { inkOn } from './palette.ts';
import { onTheme } from './state.ts';
import { spanAt, type Lanes } from './timeline_lanes.ts';
import { hideTip, showTip } from './tooltip.ts';

const kLane = 22;
const kRuler = 24;
const kTrackGap = 18;
const kLeast = 50;  // ns over the whole width: deeper shows nothing more

interface Colours {
  ink: string;
  muted: string;
  line: string;
  ground: string;
  neutral: string;
  accent: string;
}

export class TimelineCanvas {
  readonly element: HTMLCanvasElement;
  onSearchKey: () => void = () => undefined;
  /** What is seen, ns. */
  from = 0;
  to: number;
  private readonly lanes: Lanes;
  private readonly colourOf: (index: number) => string | null;
  private readonly onSelect: (index: number) => void;
  private readonly tops: number[] = [];
  private readonly height: number;
  private selected = -1;
  private found = new Set<number>();
  private width = 0;
  private pending = false;
  /** Width of the names of the levels, at the left. */
  private gutter = 0;

  constructor(lanes: Lanes, colourOf: (index: number) => string | null, onSelect: (index: number) => void) {
    this.lanes = lanes;
    this.colourOf = colourOf;
    this.onSelect = onSelect;
    this.to = lanes.total || 1;
    let y = kRuler;
    for (const lane of lanes.lanes) {
      if (lane.track !== null) y += kTrackGap;
      this.tops.push(y);
      y += kLane;
    }
    this.height = y + 4;
    this.element = h('canvas', {
      class: 'timeline', tabindex: 0, role: 'application', style: `height:${this.height}px`,
      'aria-label': 'Timeline of one model call. W and S zoom, A and D pan, 0 shows all, brackets step through spans, slash searches; the table below holds the numbers.',
    });
    new ResizeObserver((entries) => {
      this.width = entries[0]!.contentRect.width;
      this.gutter = this.width > 640 ? 76 : 0;
      this.redraw();
    }).observe(this.element);
    onTheme(() => this.redraw());
    this.listen();
  }

  all(): void {
    this.move(0, this.lanes.total || 1);
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
    this.onSelect(index);
    this.redraw();
  }

  private move(from: number, to: number): void {
    const total = this.lanes.total || 1;
    const length = Math.min(to - from, total);
    this.from = Math.max(0, Math.min(from, total - length));
    this.to = this.from + length;
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

  private x(time: number): number {
    return this.gutter + ((time - this.from) / (this.to - this.from)) * (this.width - this.gutter);
  }

  private draw(): void {
    if (this.width <= 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.element.width = Math.round(this.width * ratio);
    this.element.height = Math.round(this.height * ratio);
    const context = this.element.getContext('2d');
    if (!context) return;
    const style = getComputedStyle(this.element);
    const colours = readColours(style, this.element);
    context.scale(ratio, ratio);
    context.font = `11px ${style.fontFamily}`;
    context.textBaseline = 'middle';
    this.drawRuler(context, colours);
    this.lanes.lanes.forEach((lane, row) => {
      const top = this.tops[row]!;
      if (lane.track !== null) {
        context.fillStyle = colours.muted;
        context.fillText(lane.track, 2, top - kTrackGap / 2 + 1);
      }
      if (this.gutter > 0) {
        context.fillStyle = colours.muted;
        context.fillText(lane.label, 2, top + (kLane - 3) / 2 + 0.5);
      }
    });
    context.beginPath();
    context.rect(this.gutter, 0, this.width - this.gutter, this.height);
    context.clip();
    this.lanes.lanes.forEach((lane, row) => this.drawLane(context, lane.spans, this.tops[row]!, colours));
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

  private drawLane(context: CanvasRenderingContext2D, spans: readonly number[], top: number, colours: Colours): void {
    let drawnTo = -1;
    for (const index of spans) {
      const left = this.x(this.lanes.start[index]!);
      const right = this.x(this.lanes.end[index]!);
      if (right < this.gutter || left > this.width) continue;
      // Thinner than a pixel and on one already drawn: nothing to see.
      if (right - left < 1 && right <= drawnTo && index !== this.selected) continue;
      const width = Math.max(right - left, 1);
      drawnTo = Math.floor(left + width);
      const own = this.colourOf(index);
      context.globalAlpha = this.found.size > 0 && !this.found.has(index) && index !== this.selected ? 0.25 : 1;
      context.fillStyle = own ?? colours.neutral;
      context.fillRect(left, top, width > 3 ? width - 0.5 : width, kLane - 3);
      if (index === this.selected) {
        context.strokeStyle = colours.ink;
        context.lineWidth = 2;
        context.strokeRect(left + 1, top + 1, Math.max(1, width - 2.5), kLane - 5);
        context.lineWidth = 1;
      }
      if (width > 28) this.drawLabel(context, this.lanes.name[index] ?? '', left, right, top, own ? inkOn(own) : colours.ink);
      context.globalAlpha = 1;
    }
  }

  private drawLabel(context: CanvasRenderingContext2D, name: string, left: number, right: number, top: number, ink: string): void {
    const from = Math.max(left, this.gutter) + 4;
    const room = Math.min(right, this.width) - from - 4;
    let text = name;
    if (context.measureText(text).width > room) {
      let keep = Math.floor((room / context.measureText(text).width) * text.length) - 1;
      while (keep > 0 && context.measureText(text.slice(0, keep) + '\u2026').width > room) keep -= 1;
      if (keep < 2) return;
      text = text.slice(0, keep) + '\u2026';
    }
    context.fillStyle = ink;
    context.fillText(text, from, top + (kLane - 3) / 2 + 0.5);
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
      showTip(event.clientX, event.clientY, this.lanes.name[index] ?? '', [
        { name: 'level', value: `${this.lanes.level[index]} ${this.lanes.type[index] ?? ''}` },
        { name: 'duration', value: this.lanes.duration[index] === null ? 'never ended' : duration(this.lanes.duration[index]) },
        { name: 'start', value: duration(this.lanes.start[index]) }]);
    });
    canvas.addEventListener('pointerup', (event) => {
      if (drag && !drag.moved) this.select(this.hit(event));
      drag = null;
    });
    canvas.addEventListener('pointerleave', hideTip);
    canvas.addEventListener('dblclick', (event) => this.fit(this.hit(event)));
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
    const lane = this.lanes.lanes.find((item) => item.spans.includes(this.selected)) ?? this.lanes.lanes[0];
    if (!lane) return;
    const at = lane.spans.indexOf(this.selected);
    const index = lane.spans[at < 0 ? 0 : Math.max(0, Math.min(lane.spans.length - 1, at + by))];
    if (index !== undefined) this.show(index);
  }
}

/** Colours of the theme, resolved through an element: a canvas cannot read custom properties. */
function readColours(style: CSSStyleDeclaration, element: HTMLElement): Colours {
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
