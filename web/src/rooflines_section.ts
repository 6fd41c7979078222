// Part 6: kernels, layers or the model over batch sizes under the machine's roofs, log-log.
import type { VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ChartHost } from './chart_host.ts';
import { dataTable } from './data_table.tsx';
import { sum, values } from './columns.ts';
import { digits, duration, percent, plural, quantity } from './format.ts';
import { logTicks, xAxis, yAxis, type Frame } from './axis.ts';
import { h, type Child } from './markup.ts';
import type { Model, Roof, Work } from './model.ts';
import { behind, legend, nothing, Section, Segmented, type Context, type PageSection } from './section.ts';
import { shortName } from './short_name.ts';
import { hideTip, showTip } from './tooltip.ts';

type What = 'kernels' | 'layers' | 'model';

/** One dot. */
interface Mark extends Work {
  name: string;
  detail: string;
  type: string | null;
  label: string;
}

export const kSection: PageSection = { id: 'rooflines', name: 'Rooflines', position: 50, Component: RooflinesSection };

function RooflinesSection({ context }: { context: Context }): VNode {
  const [what, setWhat] = useState<What>('kernels');
  const [everyRoof, setEveryRoof] = useState(false);
  return h(Section, { context, id: 'rooflines', title: 'Rooflines' },
    h('div', { class: 'controls' },
      h(Segmented<What>, { label: 'Points shown', options: [{ value: 'kernels', text: 'Kernels' }, { value: 'layers', text: 'Layers' }, { value: 'model', text: 'Model', title: 'Each batch size' }], chosen: what, onChange: setWhat }),
      h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: everyRoof, onChange: (event: Event) => setEveryRoof((event.currentTarget as HTMLInputElement).checked) }), ' caches and one core too')),
    h('div', {}, content(context, what, everyRoof)));
}

function marksOf(context: Context, what: What): Mark[] {
  const view = context.model.view(context.selection.pointId);
  if (what === 'kernels')
    return view.kernels.map((kernel) => ({ ...kernel, detail: kernel.layer ? `layer ${kernel.layer.index}, ${kernel.layer.name}` : 'no layer', type: kernel.colourType, label: '' }));
  if (what === 'layers')
    return view.layers.map((layer) => ({ ...layer, detail: `layer ${layer.index}, ${layer.type}`, label: '' }));
  return context.model.points.map((point) => {
    const other = context.model.view(point.point_id!);
    return { ...other.work, name: other.label, detail: '', type: null, label: point.batch === null ? other.label : String(point.batch) };
  });
}

function content(context: Context, what: What, everyRoof: boolean): Child[] {
  const all = marksOf(context, what);
  const marks = all.filter((mark) => mark.flops && mark.intensity && mark.throughput);
  if (marks.length === 0)
    return [nothing(context, 'rooflines', 'FLOPs and bytes are not known: `xsp run --depth kernel` measures them.')];
  const view = context.model.view(context.selection.pointId);
  return [
    context.model.roofs.bandwidth ? null : nothing(context, 'rooflines', 'The roofs of this machine are not known: `xsp system` measures them.'),
    h(Figure, { key: `${what} ${context.selection.pointId}`, context, marks, what, everyRoof }),
    what === 'model' ? null : legend(context.palette, new Set((what === 'kernels' ? view.kernels.map((kernel) => kernel.colourType) : view.layers.map((layer) => layer.type)))),
    h('p', { class: 'note' }, remarks(context, what, all, marks)),
    behind('The dots as a table', () => markTable(context, marks)),
  ];
}

function remarks(context: Context, what: What, all: Mark[], marks: Mark[]): string {
  const texts: string[] = [];
  const whole = sum(all.map((mark) => mark.time));
  const left = all.filter((mark) => !marks.includes(mark));
  if (left.length > 0)
    texts.push(`${plural(left.length, what === 'model' ? 'point' : what.slice(0, -1))} (${percent(sum(left.map((mark) => mark.time)) / whole)} of kernel time) without FLOPs or without known traffic: not on a roofline.`);
  const sources = new Set(values(context.data.kernels.traffic_provenance).filter((text): text is string => text !== null));
  if (sources.size > 0)
    texts.push([...sources].some((text) => text.startsWith('analytic'))
      ? 'Bytes are algorithmic (each operand once): if caches hold the data, a dot can be above the DRAM roof.'
      : `Bytes: ${[...sources].join(', ')}.`);
  if (what !== 'model') texts.push('The area of a dot is its time.');
  return texts.join(' ');
}

function markTable(context: Context, marks: Mark[]): VNode {
  return dataTable<Mark>({
    label: 'Rooflines', rows: marks, first: 30, sort: { column: 2, descending: true },
    columns: [
      { title: 'name', text: (row) => row.name, wide: true, swatch: (row) => context.palette.of(row.type) },
      { title: 'of', text: (row) => row.detail },
      { title: 'time', unit: 'ns', value: (row) => row.time },
      { title: 'intensity', unit: 'flop/byte', value: (row) => row.intensity },
      { title: 'throughput', unit: 'flop/s', value: (row) => row.throughput },
      { title: 'of roof', unit: 'ratio', value: (row) => row.ofRoof, bar: (row) => row.ofRoof },
      { title: 'bound', text: (row) => row.bound },
      { title: 'data type', text: (row) => row.dtype },
    ],
  });
}

/** The lines to draw: peaks of the data types in use, the bandwidth in use, and the rest on request. */
function roofsFor(model: Model, marks: Mark[], everyRoof: boolean): { peaks: Roof[]; bandwidths: Roof[] } {
  const inUse = new Set<Roof>();
  for (const mark of marks) {
    const peak = model.roofs.peak(mark.dtype, mark.unit);
    if (peak) inUse.add(peak);
  }
  const cores = model.roofs.bandwidth?.cores ?? null;
  const dtypes = new Set([...inUse].map((roof) => roof.dtype));
  const wanted = (roof: Roof): boolean => everyRoof && (roof.cores === cores || roof.cores === 1)
    && (roof.kind === 'bandwidth' || dtypes.has(roof.dtype));
  return {
    peaks: model.roofs.all.filter((roof) => roof.kind === 'flops' && (inUse.has(roof) || wanted(roof))),
    bandwidths: model.roofs.all.filter((roof) => roof.kind === 'bandwidth' && (roof.used || wanted(roof))),
  };
}

interface FigureProperties {
  context: Context;
  marks: Mark[];
  what: What;
  everyRoof: boolean;
}

function Figure({ context, marks, what, everyRoof }: FigureProperties): VNode {
  const [current, setCurrent] = useState(-1);
  const figure = useRef<HTMLElement>(null);
  const sorted = [...marks].sort((a, b) => (b.time ?? 0) - (a.time ?? 0));
  useLayoutEffect(() => {
    const box = figure.current!.querySelector('.dot.focus')?.getBoundingClientRect();
    if (box) tipFor(sorted[current]!, box.right, box.bottom);
  }, [current]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    setCurrent(Math.max(0, Math.min(sorted.length - 1, current + step)));
    event.preventDefault();
  };
  return h('figure', { ref: figure }, h(ChartHost, {
    draw: (width) => picture({ context, marks: sorted, what, everyRoof }, width, current),
    attributes: { tabindex: 0, role: 'application', onKeyDown, onBlur: hideTip, 'aria-label': `Roofline of ${plural(marks.length, 'dot')}, logarithmic axes. Arrow keys walk from the longest to the shortest; the table below has the numbers.` },
  }));
}

/** `marks` from the longest to the shortest; `current`: the place of the one that the keyboard is on. */
function picture({ context, marks, what, everyRoof }: FigureProperties, width: number, current: number): VNode {
  const { peaks, bandwidths } = roofsFor(context.model, marks, everyRoof);
  const height = Math.round(Math.max(300, Math.min(460, width * 0.55)));
  const frame: Frame = { left: 52, right: width - 12, top: 18, bottom: height - 38 };
  const range = ranges(marks, peaks, bandwidths);
  const x = (value: number): number => frame.left + (Math.log(value / range.x[0]) / Math.log(range.x[1] / range.x[0])) * (frame.right - frame.left);
  const y = (value: number): number => frame.bottom - (Math.log(value / range.y[0]) / Math.log(range.y[1] / range.y[0])) * (frame.bottom - frame.top);
  const roofs = roofLines(peaks, bandwidths, range, x, y, frame);
  const longest = marks[0]?.time || 1;
  const circles = marks.map((mark, index) => h('circle', {
    class: index === current ? 'dot focus' : 'dot', 'data-index': index, cx: x(mark.intensity!), cy: y(mark.throughput!),
    r: what === 'model' ? 6 : 2.5 + Math.sqrt((mark.time ?? 0) / longest) * 13, fill: what === 'model' ? 'var(--accent)' : context.palette.of(mark.type) }));
  const onPointerMove = (event: PointerEvent): void => {
    const index = (event.target as SVGElement).dataset['index'];
    if (index === undefined) hideTip();
    else tipFor(marks[Number(index)]!, event.clientX, event.clientY);
  };
  return h('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', onPointerMove, onPointerLeave: hideTip },
    yAxis(frame, logTicks(...range.y, 7), y, (value) => quantity(value, 'flop/s').replace(/\.0+(?=\D)/, '').replace(/FLOP\/s$/, '')),
    xAxis(frame, logTicks(...range.x, Math.floor(width / 70)), x, (value) => String(Number(value.toPrecision(2))), true),
    h('text', { class: 'axis-title', x: (frame.left + frame.right) / 2, y: height - 4, 'text-anchor': 'middle' }, `${isAlgorithmic(context) ? 'algorithmic ' : ''}intensity, FLOP/B (logarithmic)`),
    h('text', { class: 'axis-title', x: 4, y: 10 }, 'throughput, FLOP/s (logarithmic)'),
    roofs.filter((item) => item.type !== 'text'),
    what === 'model' && labels(marks, x, y),
    // Names stand over dots, of which there may be many on a roof; they let the pointer through.
    circles, roofs.filter((item) => item.type === 'text'));
}

/** Names above the dots of batch sizes, each with a line to its dot, none on another. */
function labels(marks: Mark[], x: (value: number) => number, y: (value: number) => number): VNode[] {
  const placed: { left: number; right: number; y: number }[] = [];
  // From the right: a name reaches over the dots that lie to its right.
  return [...marks].sort((a, b) => b.intensity! - a.intensity!).flatMap((mark) => {
    const text = `batch ${mark.label}`;
    const left = x(mark.intensity!) + 3;
    const right = left + text.length * 6.5;
    let at = y(mark.throughput!) - 14;
    while (placed.some((box) => right >= box.left && left <= box.right && Math.abs(box.y - at) < 13)) at -= 13;
    placed.push({ left: left - 6, right, y: at });
    return [h('line', { class: 'leader', x1: left - 3, x2: left - 3, y1: at - 8, y2: y(mark.throughput!) }), h('text', { class: 'mark', x: left, y: at }, text)];
  });
}

function isAlgorithmic(context: Context): boolean {
  return values(context.data.kernels.traffic_provenance).some((text) => text?.startsWith('analytic') === true);
}

interface Ranges {
  x: [number, number];
  y: [number, number];
}

function ranges(marks: Mark[], peaks: Roof[], bandwidths: Roof[]): Ranges {
  const xs = marks.map((mark) => mark.intensity!);
  const ys = marks.map((mark) => mark.throughput!);
  for (const peak of peaks) {
    ys.push(peak.value!);
    for (const bandwidth of bandwidths) xs.push(peak.value! / bandwidth.value!);
  }
  return { x: decades(xs), y: decades(ys) };
}

/** Whole decades below, the next of 1, 2, 5 above. */
function decades(list: number[]): [number, number] {
  let low = Infinity;
  let high = 0;
  for (const value of list) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const power = 10 ** Math.floor(Math.log10(high));
  const top = [2, 5, 10, 20].find((factor) => high * 1.3 <= factor * power) ?? 20;
  return [10 ** Math.floor(Math.log10(low)), top * power];
}

function roofLines(
  peaks: Roof[], bandwidths: Roof[], range: Ranges, x: (value: number) => number, y: (value: number) => number, frame: Frame,
): VNode[] {
  const highest = Math.max(0, ...peaks.map((roof) => roof.value!));
  const fastest = Math.max(0, ...bandwidths.map((roof) => roof.value!));
  const out: VNode[] = [];
  const ridges: { at: number; text: string }[] = [];
  for (const roof of bandwidths) {
    const from = Math.max(range.x[0], range.y[0] / roof.value!);
    const to = highest > 0 ? highest / roof.value! : range.x[1];
    const slope = Math.atan2(y(to * roof.value!) - y(from * roof.value!), x(to) - x(from)) * (180 / Math.PI);
    out.push(h('line', { class: roof.used ? 'roof' : 'roof dim', x1: x(from), y1: y(from * roof.value!), x2: x(to), y2: y(to * roof.value!) }),
      h('text', { class: 'roof-name', x: 8, y: -5, transform: `translate(${x(from)},${y(from * roof.value!)}) rotate(${slope})` }, `${roofName(roof)} ${quantity(roof.value, 'byte/s')}`));
  }
  for (const roof of peaks) {
    const from = fastest > 0 ? roof.value! / fastest : range.x[0];
    out.push(h('line', { class: roof.used ? 'roof' : 'roof dim', x1: x(from), y1: y(roof.value!), x2: frame.right, y2: y(roof.value!) }),
      h('text', { class: 'roof-name', x: frame.right - 2, y: y(roof.value!) - 5, 'text-anchor': 'end' }, `${roofName(roof)} ${quantity(roof.value, 'flop/s')}`));
    const used = bandwidths.find((bandwidth) => bandwidth.used);
    if (!roof.used || !used) continue;
    const ridge = roof.value! / used.value!;
    out.push(h('line', { class: 'ridge', x1: x(ridge), x2: x(ridge), y1: y(roof.value!), y2: frame.bottom }));
    ridges.push({ at: x(ridge), text: `ridge ${digits(ridge)} FLOP/B` });
  }
  return [...out, ...ridgeNames(ridges, frame)];
}

/** Names of ridges above the axis, each above those that it would overlap. */
function ridgeNames(ridges: readonly { at: number; text: string }[], frame: Frame): VNode[] {
  const placed: { left: number; right: number; row: number }[] = [];
  return ridges.map(({ at, text }) => {
    const width = text.length * 6.5;
    const isLeft = at + width > frame.right;
    const [left, right] = isLeft ? [at - 5 - width, at - 5] : [at + 5, at + 5 + width];
    const taken = new Set(placed.filter((other) => right >= other.left && left <= other.right).map(({ row }) => row));
    let row = 0;
    while (taken.has(row)) row += 1;
    placed.push({ left, right, row });
    return h('text', { class: 'roof-name', x: isLeft ? right : left, y: frame.bottom - 6 - 14 * row, 'text-anchor': isLeft ? 'end' : 'start' }, text);
  });
}

function roofName(roof: Roof): string {
  return roof.cores !== null && !roof.used ? `${roof.name}, ${plural(roof.cores, 'core')}:` : `${roof.name}:`;
}

function tipFor(mark: Mark, x: number, y: number): void {
  showTip(x, y, shortName(mark.name), [
    ...(mark.detail ? [{ name: 'of', value: mark.detail }] : []),
    { name: 'kernel time', value: duration(mark.time) },
    { name: 'work', value: quantity(mark.flops, 'flop') },
    { name: 'traffic', value: quantity(mark.bytes, 'byte') },
    { name: 'intensity', value: quantity(mark.intensity, 'flop/byte') },
    { name: 'throughput', value: quantity(mark.throughput, 'flop/s') },
    { name: 'of roof', value: percent(mark.ofRoof) },
    { name: 'bound by', value: mark.bound ?? 'not known' },
    { name: 'data type', value: [mark.dtype, mark.unit].filter(Boolean).join(', ') || 'not known' },
  ]);
}
