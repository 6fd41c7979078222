// A box for a picture that depends on the width: it is drawn once the width is known, and again when that changes.
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { h, type Attributes, type Child } from './markup.ts';

export interface ChartHostProperties {
  /** The picture in a width, in pixels. */
  draw: (width: number) => Child;
  /** Of the box, beside its class. */
  attributes?: Attributes;
  kind?: string;
}

export function ChartHost({ draw, attributes = {}, kind = '' }: ChartHostProperties): VNode {
  const host = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observer = new ResizeObserver((entries) => setWidth(Math.floor(entries.at(-1)!.contentRect.width)));
    observer.observe(host.current!);
    return () => observer.disconnect();
  }, []);
  return h('div', { ...attributes, class: `chart-host ${kind}`.trim(), ref: host }, width > 0 && draw(width));
}
