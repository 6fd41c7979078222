// The canvas of a timeline as a part of the page.
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { h, type Child } from './markup.ts';
import type { TimelineCanvas } from './timeline_canvas.ts';

/** Puts the element of `canvas` into the page. */
export function TimelineBox({ canvas }: { canvas: TimelineCanvas }): VNode {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => box.current!.replaceChildren(canvas.element), [canvas]);
  return h('div', { class: 'timeline-box', ref: box });
}

/** A button that is one sign. */
export function signButton(text: string, label: string, onClick: () => void): VNode {
  return h('button', { type: 'button', 'aria-label': label, title: label, onClick }, text);
}

/** Which keys do what: one or two keys, then their effect. */
export function keyList(keys: readonly (readonly [string, string, string])[]): Child {
  return h('p', { class: 'keys' }, keys.map(([a, b, what]) => [h('kbd', {}, a), b !== '' && h('kbd', {}, b), ` ${what}\u2002`]));
}
