// How much a finding matters, as a mark before it: a dot, a diamond, a triangle with an exclamation
// mark. Shape and a hidden word carry it, not the colour alone.
import type { VNode } from 'preact';
import { h } from './markup.ts';
import type { Severity } from './report_data.ts';

interface Shape {
  word: string;
  path: string;
}

/** In a square of 16 by 16; even-odd filling cuts the exclamation mark out of the triangle. */
const kShapes: Record<Severity, Shape> = {
  info: { word: 'Information', path: 'M8 5a3 3 0 1 1 0 6a3 3 0 1 1 0-6z' },
  notice: { word: 'Notice', path: 'M8 2l6 6l-6 6l-6-6zM8 4.4l-3.6 3.6l3.6 3.6l3.6-3.6z' },
  warning: { word: 'Warning', path: 'M8 .8l7.6 13.8h-15.2zM7.1 5.4v5h1.8v-5zM7.1 11.4v1.8h1.8v-1.8z' },
};

/** A severity that this page does not know is shown as information. */
export function SeverityMark({ severity }: { severity: Severity }): VNode {
  const known: Severity = Object.hasOwn(kShapes, severity) ? severity : 'info';
  const { word, path } = kShapes[known];
  return h('span', { class: `severity ${known}`, title: word },
    h('svg', { width: 16, height: 16, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, h('path', { d: path, 'fill-rule': 'evenodd' })),
    h('span', { class: 'hidden-text' }, `${word}: `));
}
