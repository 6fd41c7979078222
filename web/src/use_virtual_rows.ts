// Which rows of a long table are drawn: those in sight, and some more.
import { elementScroll, observeElementOffset, observeElementRect, Virtualizer, type VirtualItem } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

/** Of every row, in pixels: rows are one line high (app.css). */
export const kRowHeight = 36;

export interface VirtualRows {
  items: VirtualItem[];
  /** Height of the rows that are not drawn, above and below. */
  above: number;
  below: number;
}

export function useVirtualRows(scroller: RefObject<HTMLElement>, count: number): VirtualRows {
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => kRowHeight,
    overscan: 12,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    // Before the element is measured: what a server without a window would draw.
    initialRect: { width: 800, height: 600 },
    onChange: () => redraw(),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  const items = virtualizer.getVirtualItems();
  const total = virtualizer.getTotalSize();
  return { items, above: items[0]?.start ?? 0, below: total - (items.at(-1)?.end ?? 0) };
}
