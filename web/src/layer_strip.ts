// The strip of layers: bars of latency in execution order, coloured by type, the kernel part solid
// and the rest pale; allocated memory below on the same axis. One path per type, so that a
// thousand layers draw as quickly as ten. Arrow keys move along it, Enter keeps a layer.
import { createRef, type VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { groupBy } from './columns.ts';
import { ChartHost } from './chart_host.ts';
import { linearTicks, tickText, yAxis, type Frame } from './axis.ts';
import { axisScale, duration, plural, quantity } from './format.ts';
import { h, type Child } from './markup.ts';
import type { Layer, PointView } from './model.ts';
import type { Context } from './section.ts';
import { shortName } from './short_name.ts';
import { hideTip, showTip, type Fact } from './tooltip.ts';

const kMemoryHeight = 64;
const kTimeHeight = 190;
/** Half the width of a digit of an axis; pixels. */
const kHalfDigit = 3.5;

interface Properties {
  context: Context;
  view: PointView;
  /** Called with the layer that the reader keeps; null: none any more. */
  onKeep: (layer: Layer | null) => void;
}

/** Moves the mark to a layer; the tip is at a place of the window, else beside the mark. */
type Move = (index: number, x?: number, y?: number) => void;

export function LayerStrip({ context, view, onKeep }: Properties): VNode {
  const { layers } = view;
  const cursor = useRef(-1);
  const move = useRef<Move>(() => undefined);
  // A layer that is kept changes nothing here: a thousand layers are not drawn again for it.
  const picture = useMemo(() => (width: number) => strip(context, view, width, cursor, move, () => onKeep(layers[cursor.current] ?? null)), [context, view]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const jump = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    if (jump !== undefined) move.current(jump === Infinity ? layers.length - 1 : jump === -Infinity ? 0 : cursor.current + jump);
    else if (event.key === 'Enter' || event.key === ' ') onKeep(layers[cursor.current] ?? null);
    else if (event.key === 'Escape') {
      hideTip();
      onKeep(null);
    } else return;
    event.preventDefault();
  };
  return h('figure', {},
    h(ChartHost, { draw: picture, kind: 'strip', attributes: {
      tabindex: 0, role: 'application', onKeyDown, onBlur: hideTip,
      'aria-label': `${view.byDevice ? 'Device time' : 'Latency'} of ${plural(layers.length, 'layer')} in execution order. Left and right arrows move, Enter keeps a layer; the table below has the numbers.`,
    } }),
    h('figcaption', {}, `${view.byDevice ? 'Above: device time; below: host time in the same layers.' : 'Solid: time in kernels; pale: the rest of the layer.'} Click or Enter keeps a layer and lists its kernels.`));
}

function strip(context: Context, view: PointView, width: number, cursor: { current: number }, move: { current: Move }, keep: () => void): VNode {
  const { layers } = view;
  const hasMemory = layers.some((layer) => layer.allocated !== null);
  const frame: Frame = { left: 46, right: width - 6, top: 18, bottom: 18 + kTimeHeight };
  // Where a device did the work, the host's time has a panel of its own: the two are no parts of each other.
  const hostFrame: Frame = { ...frame, top: frame.bottom + 24, bottom: frame.bottom + 24 + kMemoryHeight };
  const above = view.byDevice ? hostFrame.bottom : frame.bottom;
  const memory: Frame = { ...frame, top: above + 24, bottom: above + 24 + kMemoryHeight };
  const height = (hasMemory ? memory.bottom : above) + 24;
  const step = (frame.right - frame.left) / layers.length;
  const mark = createRef<SVGRectElement>();
  const svg = createRef<SVGSVGElement>();
  move.current = (index, x, y) => {
    cursor.current = Math.max(0, Math.min(layers.length - 1, index));
    mark.current!.setAttribute('x', String(frame.left + cursor.current * step));
    mark.current!.setAttribute('visibility', 'visible');
    const box = svg.current!.getBoundingClientRect();
    tipFor(layers[cursor.current]!, view.byDevice, x ?? box.left + frame.left + (cursor.current + 1) * step, y ?? box.top + 40);
  };
  const follow = (event: PointerEvent): void => {
    const x = event.clientX - svg.current!.getBoundingClientRect().left;
    if (x >= frame.left && x <= frame.right) move.current(Math.floor((x - frame.left) / step), event.clientX, event.clientY);
  };
  const leave = (): void => {
    hideTip();
    mark.current!.setAttribute('visibility', 'hidden');
  };
  const time = axisScale(layers.map((layer) => layer.shown), 'ns');
  return h('svg', { ref: svg, width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', onPointerMove: follow, onPointerLeave: leave, onClick: keep },
    panel(frame, `${view.byDevice ? 'device time' : 'latency'} ${time.unit}`, most(layers, (layer) => layer.shown) * time.factor, 4, (y) =>
      [...groupBy(layers, (layer) => layer.type)].map(([type, group]) => typeBars(context.palette.of(type), group, frame, step, (value) => y(value * time.factor), view.byDevice))),
    view.byDevice && amounts(layers, hostFrame, step, 'host: launching and waiting', 'ns', (layer) => layer.latency),
    hasMemory && amounts(layers, memory, step, 'allocated', 'byte', (layer) => layer.allocated),
    positions(layers, frame, step, height - 8),
    h('rect', { ref: mark, class: 'cursor', y: frame.top, height: height - 24 - frame.top, width: Math.max(2, step), visibility: 'hidden' }));
}

/** A panel of bars in one colour. */
function amounts(layers: readonly Layer[], frame: Frame, step: number, title: string, unit: string, value: (layer: Layer) => number | null): Child {
  const scale = axisScale(layers.map(value), unit);
  return panel(frame, `${title} ${scale.unit}`, most(layers, value) * scale.factor, 2, (y) =>
    h('path', { class: 'memory', d: layers.map((layer) => bar(layer, frame, step, frame.bottom, y((value(layer) ?? 0) * scale.factor))).join('') }));
}

function most(layers: readonly Layer[], value: (layer: Layer) => number | null): number {
  return layers.reduce((greatest, layer) => Math.max(greatest, value(layer) ?? 0), 0);
}

function panel(frame: Frame, title: string, top: number, ticks: number, draw: (y: (shown: number) => number) => Child): Child {
  const highest = top > 0 ? top * 1.05 : 1;
  const y = (shown: number): number => frame.bottom - (shown / highest) * (frame.bottom - frame.top);
  return [yAxis(frame, linearTicks(highest, ticks), y, tickText), draw(y), h('text', { class: 'axis-title', x: frame.left, y: frame.top - 6 }, title)];
}

function bar(layer: Layer, frame: Frame, step: number, from: number, to: number, inset = Math.min(0.5, step * 0.1)): string {
  const left = frame.left + layer.index * step + inset;
  return `M${left.toFixed(2)},${from.toFixed(2)}V${to.toFixed(2)}h${(step - 2 * inset).toFixed(2)}V${from.toFixed(2)}z`;
}

function typeBars(colour: string, layers: Layer[], frame: Frame, step: number, y: (value: number) => number, byDevice: boolean): VNode[] {
  const kernel = (layer: Layer): number => (byDevice ? layer.shown : layer.inKernels) ?? 0;
  return [
    ...(byDevice ? [] : [h('path', { fill: colour, 'fill-opacity': 0.38, d: layers.map((layer) => bar(layer, frame, step, y(kernel(layer)), y(layer.latency ?? 0))).join('') })]),
    h('path', { fill: colour, d: layers.map((layer) => bar(layer, frame, step, frame.bottom, y(kernel(layer)))).join('') }),
  ];
}

function positions(layers: Layer[], frame: Frame, step: number, y: number): VNode[] {
  const ticks = linearTicks(layers.length - 1, Math.max(2, Math.min(10, Math.floor((frame.right - frame.left) / 70)))).filter(Number.isInteger);
  // A label in the middle of the last layer would reach beyond the picture.
  const place = (tick: number): number => Math.min(frame.left + (tick + 0.5) * step, frame.right - String(tick).length * kHalfDigit);
  return [h('g', { class: 'axis' },
    ...ticks.map((tick) => h('text', { x: place(tick), y, 'text-anchor': 'middle' }, String(tick))),
    h('text', { x: frame.left - 6, y, 'text-anchor': 'end' }, 'layer'))];
}

function tipFor(layer: Layer, byDevice: boolean, x: number, y: number): void {
  const facts: Fact[] = [{ name: 'type', value: layer.type }];
  if (layer.shape) facts.push({ name: 'shape', value: layer.shape });
  if (byDevice) facts.push({ name: 'on the device', value: duration(layer.shown) }, { name: 'on the host', value: duration(layer.latency) });
  else {
    facts.push({ name: 'latency', value: duration(layer.latency) });
    if (layer.inKernels !== null) facts.push({ name: 'in kernels', value: duration(layer.inKernels) });
  }
  if (layer.allocated !== null) facts.push({ name: 'allocated', value: quantity(layer.allocated, 'byte') });
  const longest = [...layer.kernels].sort((a, b) => (b.time ?? 0) - (a.time ?? 0));
  for (const kernel of longest.slice(0, 4)) facts.push({ name: shortName(kernel.name, 48), value: duration(kernel.time) });
  showTip(x, y, `${layer.index} \u00b7 ${layer.name}`, facts, longest.length > 4 ? `and ${plural(longest.length - 4, 'more kernel')}` : '');
}
