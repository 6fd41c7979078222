// The strip of layers: bars of latency in execution order, coloured by type, the kernel part solid
// and the rest light; allocated memory below on the same axis. One path per type, so that a
// thousand layers draw as quickly as ten. Arrow keys move along it, Enter keeps a layer.
import { append, h, responsive, s } from './dom.ts';
import { groupBy } from './columns.ts';
import { linearTicks, tickText, yAxis, type Frame } from './axis.ts';
import { axisScale, duration, plural, quantity } from './format.ts';
import type { Layer, PointView } from './model.ts';
import type { Context } from './section.ts';
import { shortName } from './short_name.ts';
import { hideTip, showTip, type Fact } from './tooltip.ts';

const kMemoryHeight = 64;
const kTimeHeight = 190;

export function layerStrip(context: Context, view: PointView, onKeep: (layer: Layer | null) => void): HTMLElement {
  const { layers } = view;
  const hasMemory = layers.some((layer) => layer.allocated !== null);
  const host = h('div', {
    class: 'chart-host strip', tabindex: 0, role: 'application',
    'aria-label': `${view.byDevice ? 'Device time' : 'Latency'} of ${plural(layers.length, 'layer')} in execution order. Left and right arrows move, Enter keeps a layer; the table below has the numbers.`,
  });
  let cursor = -1;
  let move: (index: number, x?: number, y?: number) => void = () => undefined;

  responsive(host, (width) => {
    const frame: Frame = { left: 46, right: width - 6, top: 18, bottom: 18 + kTimeHeight };
    // Where a device did the work, the host's time has a panel of its own: the two are no parts of each other.
    const hostFrame: Frame = { ...frame, top: frame.bottom + 24, bottom: frame.bottom + 24 + kMemoryHeight };
    const above = view.byDevice ? hostFrame.bottom : frame.bottom;
    const memory: Frame = { ...frame, top: above + 24, bottom: above + 24 + kMemoryHeight };
    const height = (hasMemory ? memory.bottom : above) + 24;
    const step = (frame.right - frame.left) / layers.length;
    const svg = s('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
    const time = axisScale(layers.map((layer) => layer.shown), 'ns');
    drawPanel(svg, frame, `${view.byDevice ? 'device time' : 'latency'} ${time.unit}`, most(layers, (layer) => layer.shown) * time.factor, 4, (y) => {
      for (const [type, group] of groupBy(layers, (layer) => layer.type))
        append(svg, ...typeBars(context.palette.of(type), group, frame, step, (value) => y(value * time.factor), view.byDevice));
    });
    if (view.byDevice) {
      const onHost = axisScale(layers.map((layer) => layer.latency), 'ns');
      drawPanel(svg, hostFrame, `host: launching and waiting ${onHost.unit}`, most(layers, (layer) => layer.latency) * onHost.factor, 2, (y) => {
        append(svg, s('path', { class: 'memory', d: layers.map((layer) => bar(layer, hostFrame, step, hostFrame.bottom, y((layer.latency ?? 0) * onHost.factor))).join('') }));
      });
    }
    if (hasMemory) {
      const bytes = axisScale(layers.map((layer) => layer.allocated), 'byte');
      drawPanel(svg, memory, `allocated ${bytes.unit}`, most(layers, (layer) => layer.allocated) * bytes.factor, 2, (y) => {
        append(svg, s('path', { class: 'memory', d: layers.map((layer) => bar(layer, memory, step, memory.bottom, y((layer.allocated ?? 0) * bytes.factor))).join('') }));
      });
    }
    append(svg, ...positions(layers, frame, step, height - 8));
    const mark = s('rect', { class: 'cursor', y: frame.top, height: height - 24 - frame.top, width: Math.max(2, step), visibility: 'hidden' });
    append(svg, mark);
    move = (index, x, y) => {
      cursor = Math.max(0, Math.min(layers.length - 1, index));
      mark.setAttribute('x', String(frame.left + cursor * step));
      mark.setAttribute('visibility', 'visible');
      const box = svg.getBoundingClientRect();
      tipFor(layers[cursor]!, view.byDevice, x ?? box.left + frame.left + (cursor + 1) * step, y ?? box.top + 40);
    };
    svg.addEventListener('pointermove', (event) => {
      const x = event.clientX - svg.getBoundingClientRect().left;
      if (x >= frame.left && x <= frame.right) move(Math.floor((x - frame.left) / step), event.clientX, event.clientY);
    });
    svg.addEventListener('pointerleave', () => {
      hideTip();
      mark.setAttribute('visibility', 'hidden');
    });
    svg.addEventListener('click', () => onKeep(layers[cursor] ?? null));
    return svg;
  });
  host.addEventListener('keydown', (event) => {
    const jump = { ArrowRight: 1, ArrowLeft: -1, PageDown: 10, PageUp: -10, Home: -Infinity, End: Infinity }[event.key];
    if (jump !== undefined) move(jump === Infinity ? layers.length - 1 : jump === -Infinity ? 0 : cursor + jump);
    else if (event.key === 'Enter' || event.key === ' ') onKeep(layers[cursor] ?? null);
    else if (event.key === 'Escape') {
      hideTip();
      onKeep(null);
    } else return;
    event.preventDefault();
  });
  host.addEventListener('blur', hideTip);
  return h('figure', {}, host, h('figcaption', {}, `${view.byDevice ? 'Above: device time; below: host time in the same layers.' : 'Solid: time in kernels; light: the rest of the layer.'} Click or Enter keeps a layer and lists its kernels.`));
}

function most(layers: readonly Layer[], value: (layer: Layer) => number | null): number {
  return layers.reduce((greatest, layer) => Math.max(greatest, value(layer) ?? 0), 0);
}

function drawPanel(svg: SVGElement, frame: Frame, title: string, top: number, ticks: number, draw: (y: (shown: number) => number) => void): void {
  const highest = top > 0 ? top * 1.05 : 1;
  const y = (shown: number): number => frame.bottom - (shown / highest) * (frame.bottom - frame.top);
  append(svg, yAxis(frame, linearTicks(highest, ticks), y, tickText));
  draw(y);
  append(svg, s('text', { class: 'axis-title', x: frame.left, y: frame.top - 6 }, title));
}

function bar(layer: Layer, frame: Frame, step: number, from: number, to: number, inset = Math.min(0.5, step * 0.1)): string {
  const left = frame.left + layer.index * step + inset;
  return `M${left.toFixed(2)},${from.toFixed(2)}V${to.toFixed(2)}h${(step - 2 * inset).toFixed(2)}V${from.toFixed(2)}z`;
}

function typeBars(colour: string, layers: Layer[], frame: Frame, step: number, y: (value: number) => number, byDevice: boolean): SVGElement[] {
  const kernel = (layer: Layer): number => (byDevice ? layer.shown : layer.inKernels) ?? 0;
  return [
    ...(byDevice ? [] : [s('path', { fill: colour, 'fill-opacity': 0.38, d: layers.map((layer) => bar(layer, frame, step, y(kernel(layer)), y(layer.latency ?? 0))).join('') })]),
    s('path', { fill: colour, d: layers.map((layer) => bar(layer, frame, step, frame.bottom, y(kernel(layer)))).join('') }),
  ];
}

function positions(layers: Layer[], frame: Frame, step: number, y: number): SVGElement[] {
  const ticks = linearTicks(layers.length - 1, Math.max(2, Math.min(10, Math.floor((frame.right - frame.left) / 70)))).filter(Number.isInteger);
  return [s('g', { class: 'axis' },
    ...ticks.map((tick) => s('text', { x: frame.left + (tick + 0.5) * step, y, 'text-anchor': 'middle' }, String(tick))),
    s('text', { x: frame.left - 6, y, 'text-anchor': 'end' }, 'layer'))];
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
