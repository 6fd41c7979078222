// The keyboard on a picture of nested boxes: arrow keys walk, Escape goes up. One box at a time is
// in the order of the Tab key.
import type { Node } from './icicle_tree.ts';

/** Listens on `bars`. `shown`: the boxes drawn now, by node, which the caller keeps up to date.
    `up` zooms out by one level; false: nothing is above. */
export function walkByKeys(bars: HTMLElement, shown: ReadonlyMap<Node, HTMLElement>, up: () => boolean): void {
  bars.addEventListener('keydown', (event) => {
    const current = [...shown].find(([, box]) => box === document.activeElement);
    if (!current) return;
    const [from, box] = current;
    if (event.key === 'Escape') {
      if (!up()) return;
    } else {
      const next = neighbour(from, event.key, (item) => shown.has(item));
      if (!next) return;
      const target = shown.get(next)!;
      box.tabIndex = -1;
      target.tabIndex = 0;
      target.focus({ preventScroll: true });
    }
    event.preventDefault();
  });
}

/** The node that an arrow key leads to, among those that `visible` says are drawn. */
export function neighbour(from: Node, key: string, visible: (item: Node) => boolean): Node | null {
  if (key === 'ArrowUp') return from.parent !== null && visible(from.parent) ? from.parent : null;
  if (key === 'ArrowDown') return from.children.find(visible) ?? null;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const siblings = (from.parent?.children ?? []).filter(visible);
  return siblings[siblings.indexOf(from) + (key === 'ArrowRight' ? 1 : -1)] ?? null;
}
