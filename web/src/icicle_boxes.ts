// Nested boxes to walk through: click or Enter zooms, arrow keys walk, Escape goes up. One box at a time is in the order
// of the Tab key.
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { walkByKeys } from './icicle_keys.ts';
import type { Box, Node } from './icicle_tree.ts';
import { h, type Attributes, type Child } from './markup.ts';
import { hideTip } from './tooltip.ts';

/** What a picture of nested boxes shows and which box the keyboard is on. */
export interface Walk {
  /** Takes the whole width. */
  zoom: Node;
  /** Zooms, and puts the focus on `focus` once it is drawn. */
  go: (zoom: Node, focus?: Node) => void;
  /** Where the keyboard is. */
  at: Node;
  setAt: (node: Node) => void;
  /** Whether to put the focus on `at` when it is drawn. */
  hasToFocus: { current: boolean };
}

export function useWalk(root: Node): Walk {
  const [zoom, setZoom] = useState(root);
  const [at, setAt] = useState(root);
  const hasToFocus = useRef(false);
  return {
    zoom, at, hasToFocus, setAt,
    go(target, focus = target) {
      hasToFocus.current = true;
      setZoom(target);
      setAt(focus);
    },
  };
}

interface Properties {
  walk: Walk;
  boxes: readonly Box[];
  /** Attributes and content of a box. */
  draw: (box: Box) => { attributes: Attributes; content: Child };
  /** Called with the box that was clicked and the node that it leads to. */
  onZoom: (target: Node, clicked: Node) => void;
}

export function IcicleBoxes({ walk, boxes, draw, onZoom }: Properties): VNode {
  const { zoom, at, setAt, hasToFocus } = walk;
  const bars = useRef<HTMLDivElement>(null);
  const own = boxes.filter((box) => box.merged <= 1);
  const place = own.find((box) => box.node === at) ? at : zoom;
  const root = (): Node => {
    let top = zoom;
    while (top.parent) top = top.parent;
    return top;
  };
  useLayoutEffect(() => {
    if (!hasToFocus.current) return;
    hasToFocus.current = false;
    bars.current!.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const isShown = (node: Node): boolean => own.some((box) => box.node === node);
    walkByKeys(event, place, isShown, (next) => {
      hasToFocus.current = true;
      setAt(next);
    }, () => {
      if (zoom.parent === null) return false;
      onZoom(zoom.parent, zoom.parent);
      return true;
    });
  };
  return h('div', { class: 'icicle-bars', ref: bars, onKeyDown }, boxes.map((box) => {
    const { attributes, content } = draw(box);
    const isMerged = box.merged > 1;
    const onClick = (): void => {
      hideTip();
      const target = isMerged ? box.node.parent ?? root() : box.node === zoom ? zoom.parent ?? root() : box.node;
      onZoom(target, target);
    };
    return h('button', { ...attributes, type: 'button', onClick, tabindex: !isMerged && box.node === place ? 0 : -1 }, content);
  }));
}
