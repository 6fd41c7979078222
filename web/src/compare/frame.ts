// What the parts of the page share: colours of the two sides, signed times, verdicts in words.
import type { VNode } from 'preact';
import type { Pair, Verdict } from '../compare_data.ts';
import { digits, duration, kUnknown } from '../format.ts';
import { h, type Child } from '../markup.ts';
import { kHues } from '../palette.ts';
import type { CompareModel, PairView } from './compare_model.ts';

/** The first and the second side, told apart with every common colour vision deficiency, and by their place. */
export const kSideColours = [kHues[0]!, kHues[1]!] as const;

/** What every part is given: all that was compared, and the pair that is shown. */
export interface PartProperties {
  model: CompareModel;
  view: PairView;
}

/** A part of the page. */
export interface Part {
  id: string;
  name: string;
  Component: (properties: PartProperties) => VNode;
  /** Whether it has something to say about the pair; without it: always. */
  isShown?: (model: CompareModel, view: PairView) => boolean;
}

export function part(id: string, title: string, ...children: Child[]): VNode {
  return h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, title), ...children);
}

export function sideMark(side: 0 | 1): VNode {
  return h('span', { class: `swatch side-${side === 0 ? 'a' : 'b'}`, style: `background:${kSideColours[side]}`, 'aria-hidden': 'true' });
}

export function sideLegend(view: PairView): VNode {
  return h('ul', { class: 'legend', 'aria-label': 'Colours of the sides' },
    h('li', {}, sideMark(0), view.a), h('li', {}, sideMark(1), view.b));
}

/** "+22.0 µs". */
export function signed(ns: number | null): string {
  if (ns === null) return kUnknown;
  return (ns > 0 ? '+' : '') + duration(ns).replace(/^-/, '\u2212');
}

/** A time more is worse: never by colour alone. */
export function change(ns: number): 'longer' | 'shorter' | 'same' {
  return ns > 0 ? 'longer' : ns < 0 ? 'shorter' : 'same';
}

export const kVerdicts: Record<Verdict, string> = {
  faster: 'faster', slower: 'slower', no_difference: 'no difference found', equivalent: 'equivalent',
  inconclusive: 'inconclusive', unknown_noise: 'noise not known',
};

/** "ratio of latencies 1.40, 95 % interval 1.31 to 1.49". */
export function ratioText(pair: Pair): string {
  if (pair.ratio === null) return '';
  const interval = pair.low !== null && pair.high !== null ? `, 95\u00a0% interval ${digits(pair.low)} to ${digits(pair.high)}` : '';
  return `ratio of ${pair.ratio_of === 'latency' ? 'latencies' : 'totals'} ${digits(pair.ratio)}${interval}`;
}

export function basisText(pair: Pair): string {
  return pair.basis === 'device' ? 'device work per call' : 'wall time per call';
}
