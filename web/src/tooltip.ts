// One card that follows the pointer (or the focus) and says what lies under it.
import { append, h } from './dom.ts';

export interface Fact {
  name: string;
  value: string;
}

let card: HTMLElement | null = null;

/** Shows a title and facts beside a point of the window. */
export function showTip(x: number, y: number, title: string, facts: readonly Fact[], note = ''): void {
  if (!card) {
    card = h('div', { class: 'tip', role: 'tooltip', hidden: true });
    document.body.append(card);
  }
  card.replaceChildren(h('strong', {}, title));
  const list = h('dl', {});
  for (const fact of facts) append(list, h('dt', {}, fact.name), h('dd', {}, fact.value));
  append(card, facts.length > 0 && list, note !== '' && h('p', {}, note));
  card.hidden = false;
  const box = card.getBoundingClientRect();
  const left = x + 14 + box.width > window.innerWidth ? x - box.width - 14 : x + 14;
  const top = y + 14 + box.height > window.innerHeight ? y - box.height - 14 : y + 14;
  card.style.left = `${Math.max(4, Math.min(left, window.innerWidth - box.width - 4))}px`;
  card.style.top = `${Math.max(4, top)}px`;
}

export function hideTip(): void {
  if (card) card.hidden = true;
}

/** `show` is called with a place of the window while the pointer, or the keyboard's focus, is on
    `box`; the card hides when they leave. */
export function tipOn(box: HTMLElement, show: (x: number, y: number) => void): void {
  box.addEventListener('pointermove', (event) => show(event.clientX, event.clientY));
  box.addEventListener('pointerleave', hideTip);
  box.addEventListener('focus', () => {
    if (!box.matches(':focus-visible')) return;
    const place = box.getBoundingClientRect();
    show(place.left + Math.min(40, place.width / 2), place.bottom - 8);
  });
  box.addEventListener('blur', hideTip);
}
