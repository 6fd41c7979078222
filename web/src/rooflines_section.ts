// Part 6: kernels, layers or the model over batch sizes under the machine's roofs, log-log.
import { append, clear, h, responsive, s } from './dom.ts';
import { sum, values } from './columns.ts';
import { digits, duration, percent, plural, quantity } from './format.ts';
import { logTicks, xAxis, yAxis, type Frame } from './axis.ts';
import type { Model, Roof, Work } from './model.ts';
import { behind, legend, nothing, section, segmented, type Context, type PageSection } from './section.ts';
import { shortName } from './short_name.ts';
import { dataTable } from './mounted_table.ts';
import { hideTip, showTip } from './tooltip.ts';

type What = 'kernels' | 'layers' | 'model';

/** One dot. */
interface Mark extends Work {
  name: string;
  detail: string;
  type: string | null;
  label: string;
}

export const kSection: PageSection = { id: 'rooflines', name: 'Rooflines', position: 50, make: rooflinesSection };

function rooflinesSection(context: Context): HTMLElement {
  const host = h('div', {});
  let what: What = 'kernels';
  let everyRoof = false;
  const draw = (): void => {
    clear(host);
    append(host, ...content(context, what, everyRoof));
  };
  const roofBox = h('input', { type: 'checkbox' });
  roofBox.addEventListener('change', () => {
    everyRoof = roofBox.checked;
    draw();
  });
  const controls = h('div', { class: 'controls' },
    segmented('Points shown', [{ value: 'kernels', text: 'Kernels' }, { value: 'layers', text: 'Layers' }, { value: 'model', text: 'Model', title: 'Each batch size' }] as const, what, (value) => {
      what = value;
      draw();
    }),
    h('label', { class: 'check' }, roofBox, ' caches and one core too'));
  draw();
  context.selection.onChange(draw);
  return section(context, 'rooflines', 'Rooflines', controls, host);
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

function content(context: Context, what: What, everyRoof: boolean): (Node | null)[] {
  const all = marksOf(context, what);
  const marks = all.filter((mark) => mark.flops && mark.intensity && mark.throughput);
  if (marks.length === 0)
    return [nothing(context, 'rooflines', 'FLOPs and bytes are not known: `xsp run --depth kernel` measures them.')];
  const view = context.model.view(context.selection.pointId);
  return [
    context.model.roofs.bandwidth ? null : nothing(context, 'rooflines', 'The roofs of this machine are not known: `xsp system` measures them.'),
    figure(context, marks, what, everyRoof),
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

function markTable(context: Context, marks: Mark[]): HTMLElement {
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
  }).element;
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

function figure(context: Context, marks: Mark[], what: What, everyRoof: boolean): HTMLElement {
  const host = h('div', { class: 'chart-host', tabindex: 0, role: 'application', 'aria-label': `Roofline of ${plural(marks.length, 'dot')}, logarithmic axes. Arrow keys walk from the longest to the shortest; the table below has the numbers.` });
  const { peaks, bandwidths } = roofsFor(context.model, marks, everyRoof);
  const sorted = [...marks].sort((a, b) => (b.time ?? 0) - (a.time ?? 0));
  let focus: (index: number) => void = () => undefined;
  let current = -1;
  responsive(host, (width) => {
    const height = Math.round(Math.max(300, Math.min(460, width * 0.55)));
    const frame: Frame = { left: 52, right: width - 12, top: 18, bottom: height - 38 };
    const range = ranges(marks, peaks, bandwidths);
    const x = (value: number): number => frame.left + (Math.log(value / range.x[0]) / Math.log(range.x[1] / range.x[0])) * (frame.right - frame.left);
    const y = (value: number): number => frame.bottom - (Math.log(value / range.y[0]) / Math.log(range.y[1] / range.y[0])) * (frame.bottom - frame.top);
    const svg = s('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' },
      yAxis(frame, logTicks(...range.y, 7), y, (value) => quantity(value, 'flop/s').replace(/\.0+(?=\D)/, '').replace(/FLOP\/s$/, '')),
      xAxis(frame, logTicks(...range.x, Math.floor(width / 70)), x, (value) => String(Number(value.toPrecision(2))), true),
      s('text', { class: 'axis-title', x: (frame.left + frame.right) / 2, y: height - 4, 'text-anchor': 'middle' }, `${isAlgorithmic(context) ? 'algorithmic ' : ''}intensity, FLOP/B (logarithmic)`),
      s('text', { class: 'axis-title', x: 4, y: 10 }, 'throughput, FLOP/s (logarithmic)'));
    const roofs = roofLines(peaks, bandwidths, range, x, y, frame);
    append(svg, ...roofs.filter((item) => item.tagName !== 'text'));
    const longest = sorted[0]?.time || 1;
    const circles = sorted.map((mark) => {
      const radius = what === 'model' ? 6 : 2.5 + Math.sqrt((mark.time ?? 0) / longest) * 13;
      return s('circle', { class: 'dot', cx: x(mark.intensity!), cy: y(mark.throughput!), r: radius, fill: what === 'model' ? 'var(--accent)' : context.palette.of(mark.type) });
    });
    if (what === 'model') append(svg, ...labels(marks, x, y));
    // Names stand over dots, of which there may be many on a roof; they let the pointer through.
    append(svg, ...circles, ...roofs.filter((item) => item.tagName === 'text'));
    const tip = (index: number, px: number, py: number): void => tipFor(sorted[index]!, px, py);
    const indexOf = new Map<EventTarget, number>(circles.map((circle, index) => [circle, index]));
    svg.addEventListener('pointermove', (event) => {
      const index = indexOf.get(event.target!);
      if (index === undefined) hideTip();
      else tip(index, event.clientX, event.clientY);
    });
    svg.addEventListener('pointerleave', hideTip);
    focus = (index) => {
      circles[current]?.classList.remove('focus');
      current = Math.max(0, Math.min(circles.length - 1, index));
      const box = circles[current]!.getBoundingClientRect();
      circles[current]!.classList.add('focus');
      tip(current, box.right, box.bottom);
    };
    return svg;
  });
  host.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    focus(current + step);
    event.preventDefault();
  });
  host.addEventListener('blur', hideTip);
  return h('figure', {}, host);
}

/** Names above the dots of batch sizes, each with a line to its dot, none on another. */
function labels(marks: Mark[], x: (value: number) => number, y: (value: number) => number): SVGElement[] {
  const placed: { left: number; right: number; y: number }[] = [];
  // From the right: a name reaches over the dots that lie to its right.
  return [...marks].sort((a, b) => b.intensity! - a.intensity!).flatMap((mark) => {
    const text = `batch ${mark.label}`;
    const left = x(mark.intensity!) + 3;
    const right = left + text.length * 6.5;
    let at = y(mark.throughput!) - 14;
    while (placed.some((box) => right >= box.left && left <= box.right && Math.abs(box.y - at) < 13)) at -= 13;
    placed.push({ left: left - 6, right, y: at });
    return [s('line', { class: 'leader', x1: left - 3, x2: left - 3, y1: at - 8, y2: y(mark.throughput!) }), s('text', { class: 'mark', x: left, y: at }, text)];
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
): SVGElement[] {
  const highest = Math.max(0, ...peaks.map((roof) => roof.value!));
  const fastest = Math.max(0, ...bandwidths.map((roof) => roof.value!));
  const out: SVGElement[] = [];
  for (const roof of bandwidths) {
    const from = Math.max(range.x[0], range.y[0] / roof.value!);
    const to = highest > 0 ? highest / roof.value! : range.x[1];
    const slope = Math.atan2(y(to * roof.value!) - y(from * roof.value!), x(to) - x(from)) * (180 / Math.PI);
    out.push(s('line', { class: roof.used ? 'roof' : 'roof dim', x1: x(from), y1: y(from * roof.value!), x2: x(to), y2: y(to * roof.value!) }),
      s('text', { class: 'roof-name', x: 8, y: -5, transform: `translate(${x(from)},${y(from * roof.value!)}) rotate(${slope})` }, `${roofName(roof)} ${quantity(roof.value, 'byte/s')}`));
  }
  for (const roof of peaks) {
    const from = fastest > 0 ? roof.value! / fastest : range.x[0];
    out.push(s('line', { class: roof.used ? 'roof' : 'roof dim', x1: x(from), y1: y(roof.value!), x2: frame.right, y2: y(roof.value!) }),
      s('text', { class: 'roof-name', x: frame.right - 2, y: y(roof.value!) - 5, 'text-anchor': 'end' }, `${roofName(roof)} ${quantity(roof.value, 'flop/s')}`));
    const used = bandwidths.find((bandwidth) => bandwidth.used);
    if (!roof.used || !used) continue;
    const ridge = roof.value! / used.value!;
    out.push(s('line', { class: 'ridge', x1: x(ridge), x2: x(ridge), y1: y(roof.value!), y2: frame.bottom }),
      s('text', { class: 'roof-name', x: x(ridge) + (x(ridge) > frame.right - 110 ? -5 : 5), y: frame.bottom - 6, 'text-anchor': x(ridge) > frame.right - 110 ? 'end' : 'start' }, `ridge ${digits(ridge)} FLOP/B`));
  }
  return out;
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
