// The keyboard on a picture of nested boxes: arrow keys walk, Escape goes up. One box at a time is
// in the order of the Tab key.
import type { Node } from './icicle_tree.ts';

/** What a key does on a picture: `go` leads to another box, `up` zooms out by one level and returns whether it could. */
export function walkByKeys(event: KeyboardEvent, from: Node, isShown: (node: Node) => boolean, go: (to: Node) => void, up: () => boolean): void {
  if (event.key === 'Escape') {
    if (!up()) return;
  } else {
    const next = neighbour(from, event.key, isShown);
    if (!next) return;
    go(next);
  }
  event.preventDefault();
}

/** The node that an arrow key leads to, among those that `visible` says are drawn. */
export function neighbour(from: Node, key: string, visible: (item: Node) => boolean): Node | null {
  if (key === 'ArrowUp') return from.parent !== null && visible(from.parent) ? from.parent : null;
  if (key === 'ArrowDown') return from.children.find(visible) ?? null;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null;
  const siblings = (from.parent?.children ?? []).filter(visible);
  return siblings[siblings.indexOf(from) + (key === 'ArrowRight' ? 1 : -1)] ?? null;
}
