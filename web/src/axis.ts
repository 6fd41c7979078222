// Axes: which ticks, and how they are drawn.
import type { VNode } from 'preact';
import { h } from './markup.ts';

/** Round steps from zero that cover `max`: about `target` of them. */
export function linearTicks(max: number, target = 5): number[] {
  if (!(max > 0)) return [0];
  const raw = max / target;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw * 0.999)!;
  const ticks: number[] = [];
  for (let index = 0; index * step <= max * 1.0001; index += 1) ticks.push(index * step);
  return ticks;
}

/** Powers of ten within [low, high]; thinned when there are many. */
export function logTicks(low: number, high: number, most = 8): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.max(1, Math.ceil((last - first + 1) / most));
  const ticks: number[] = [];
  for (let power = first; power <= last; power += every) ticks.push(10 ** power);
  return ticks;
}

/** A tick label without needless digits: 0, 2.5, 10, 2000 -> 2,000. */
export function tickText(value: number): string {
  const text = String(Number(value.toPrecision(6)));
  return text.replace(/\B(?=(\d{3})+(?!\d))/g, (match, _p, offset: number, whole: string) =>
    whole.includes('.') && offset > whole.indexOf('.') ? match : ',');
}

export interface Frame {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Horizontal grid lines with labels at the left. `at` maps a tick to y. */
export function yAxis(
  frame: Frame, ticks: readonly number[], at: (value: number) => number,
  label: (value: number) => string,
): VNode {
  return h('g', { class: 'axis', 'aria-hidden': 'true' }, ...ticks.flatMap((tick) => [
    h('line', { class: tick === 0 ? 'base' : 'grid', x1: frame.left, x2: frame.right, y1: at(tick), y2: at(tick) }),
    h('text', { x: frame.left - 6, y: at(tick) + 3.5, 'text-anchor': 'end' }, label(tick)),
  ]));
}

/** Labels below the frame with a short tick. `grid`: a line over the whole height. */
export function xAxis(
  frame: Frame, ticks: readonly number[], at: (value: number) => number,
  label: (value: number) => string, grid = false,
): VNode {
  return h('g', { class: 'axis', 'aria-hidden': 'true' }, ...ticks.flatMap((tick) => [
    h('line', { class: grid ? 'grid' : 'base', x1: at(tick), x2: at(tick), y1: grid ? frame.top : frame.bottom, y2: frame.bottom + (grid ? 0 : 4) }),
    h('text', { x: at(tick), y: frame.bottom + 16, 'text-anchor': 'middle' }, label(tick)),
  ]));
}
