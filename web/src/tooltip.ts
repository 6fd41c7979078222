// One card that follows the pointer (or the focus) and says what lies under it.
import { signal } from '@preact/signals';
import { render, type VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { h } from './markup.ts';

export interface Fact {
  name: string;
  value: string;
}

interface Tip {
  x: number;
  y: number;
  title: string;
  facts: readonly Fact[];
  note: string;
}

const tip = signal<Tip | null>(null);
let host: HTMLElement | null = null;

function Card(): VNode {
  const card = useRef<HTMLDivElement>(null);
  const shown = tip.value;
  useLayoutEffect(() => {
    if (card.current && shown) place(card.current, shown);
  });
  return h('div', { class: 'tip', role: 'tooltip', ref: card, hidden: shown === null },
    shown && [
      h('strong', {}, shown.title),
      shown.facts.length > 0 && h('dl', {}, shown.facts.map((fact) => [h('dt', {}, fact.name), h('dd', {}, fact.value)])),
      shown.note !== '' && h('p', {}, shown.note)]);
}

/** Beside the point, inside of the window. */
function place(card: HTMLElement, { x, y }: Tip): void {
  const box = card.getBoundingClientRect();
  const left = x + 14 + box.width > window.innerWidth ? x - box.width - 14 : x + 14;
  const top = y + 14 + box.height > window.innerHeight ? y - box.height - 14 : y + 14;
  card.style.left = `${Math.max(4, Math.min(left, window.innerWidth - box.width - 4))}px`;
  card.style.top = `${Math.max(4, top)}px`;
}

/** Shows a title and facts beside a point of the window. */
export function showTip(x: number, y: number, title: string, facts: readonly Fact[], note = ''): void {
  tip.value = { x, y, title, facts, note };
  if (host) return;
  host = document.createElement('div');
  document.body.append(host);
  render(h(Card, {}), host);
}

export function hideTip(): void {
  tip.value = null;
}

/** Attributes of an element: `show` is called with a place of the window while the pointer, or the keyboard's focus, is
    on it; the card hides when they leave. */
export function tipOn(show: (x: number, y: number) => void): Record<string, unknown> {
  return {
    onPointerMove: (event: PointerEvent) => show(event.clientX, event.clientY),
    onPointerLeave: hideTip,
    onFocus: (event: FocusEvent) => {
      const box = event.currentTarget as HTMLElement;
      if (!box.matches(':focus-visible')) return;
      const at = box.getBoundingClientRect();
      show(at.left + Math.min(40, at.width / 2), at.bottom - 8);
    },
    onBlur: hideTip,
  };
}
