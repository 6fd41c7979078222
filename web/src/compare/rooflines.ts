// Kernels or layers of both sides under the roofs of both, on one pair of logarithmic axes.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { rows } from '../columns.ts';
import { dataTable } from '../data_table.tsx';
import { duration, percent, plural, quantity } from '../format.ts';
import { h } from '../markup.ts';
import { Roofs, type Roof, type Work } from '../model.ts';
import { kOther, Palette } from '../palette.ts';
import type { Cell } from '../report_data.ts';
import type { RoofRow } from '../schema_types.ts';
import type { SideDetails, WorkRow } from '../compare_data.ts';
import { behind, Segmented } from '../section.ts';
import { shortName } from '../short_name.ts';
import { VegaChart } from '../vega_chart.ts';
import { kSideColours, part, sideLegend, type Part, type PartProperties } from './frame.ts';
import type { CompareModel, PairView } from './compare_model.ts';

type What = 'kernels' | 'layers';

/** One dot. */
export interface Dot extends Work {
  side: 0 | 1;
  name: string;
  of: string;
}

interface SideRoofs {
  dots: Dot[];
  roofs: Roof[];
  total: number;
  share: number | null;
}

export const kRooflines: Part = {
  id: 'rooflines', name: 'Rooflines', Component: Rooflines,
  isShown: (model, view) => choicesOf(model, view).length > 0,
};

/** What of both sides can be placed. */
function choicesOf(model: CompareModel, view: PairView): What[] {
  return (['kernels', 'layers'] as const).filter((what) => ([0, 1] as const).every((side) => sideOf(model, view, side, what).dots.length > 0));
}

function Rooflines({ model, view }: PartProperties): VNode {
  const choices = choicesOf(model, view);
  const [what, setWhat] = useState(choices[0]!);
  return part('rooflines', 'Rooflines of both sides',
    choices.length > 1 && h('div', { class: 'controls' }, h(Segmented<What>, { label: 'Dots shown', options: choices.map((value) => ({ value, text: value === 'kernels' ? 'Kernels' : 'Layers' })), chosen: what, onChange: setWhat })),
    sideLegend(view), h(Picture, { key: what, model, view, what }));
}

function sideOf(model: CompareModel, view: PairView, side: 0 | 1, what: What): SideRoofs {
  const details: SideDetails | null = model.data.sides[view.pair.sides[side].side]?.details ?? null;
  if (!details) return { dots: [], roofs: [], total: 0, share: null };
  const roofs = new Roofs(rows<RoofRow>(details.roofs, ['kind', 'name', 'dtype', 'unit', 'cores', 'value', 'provenance', 'used']) as Roof[]);
  const table = details[what];
  const dots = rows<WorkRow>(table.rows, ['name', 'layer', 'time_ns', 'flops', 'bytes', 'dtype', 'unit']).map((row): Dot => ({
    side, name: row.name ?? '', of: row.layer ?? '', ...roofs.place({ time: row.time_ns, flops: row.flops, bytes: row.bytes, dtype: row.dtype, unit: row.unit }) }))
    .filter((dot) => dot.intensity !== null && dot.throughput !== null);
  const used = new Set(dots.map((dot) => roofs.peak(dot.dtype, dot.unit)).filter((roof) => roof !== null));
  const bandwidth = roofs.bandwidth;
  const time = dots.reduce((sum, dot) => sum + (dot.time ?? 0), 0);
  return { dots, roofs: [...used, ...(bandwidth ? [bandwidth] : [])], total: table.total, share: table.total_ns ? time / table.total_ns : null };
}

function Picture({ model, view, what }: PartProperties & { what: What }): VNode {
  const sides = useMemo(() => [sideOf(model, view, 0, what), sideOf(model, view, 1, what)] as const, [model, view, what]);
  const dots = useMemo(() => sides.flatMap((side) => side.dots), [sides]);
  const rows = useMemo(() => withNames([...dotRows(view, dots), ...roofRows(view, sides, dots)]), [view, sides, dots]);
  const picture = { title: `Rooflines of ${view.a} and ${view.b}`, spec: spec(view, rows), palette: new Palette([]), fact: (name: string, value: unknown) => ({ name, value: String(value) }) };
  return h('div', {},
    h('figure', {}, h(VegaChart, { picture, rows })),
    h('p', { class: 'note' }, sides.map((side, index) => `${index === 0 ? view.a : view.b}: ${side.dots.length} of ${plural(side.total, what.slice(0, -1))} with known FLOPs and bytes${side.share === null ? '' : `, ${percent(side.share)} of their time`}${side.roofs.length === 0 ? '; its roofs are not known' : ''}.`).join(' ') + ' The area of a dot is its time.'),
    behind('The dots as a table', () => dataTable<Dot>({
      label: 'Dots of the rooflines', rows: dots, first: 30, sort: { column: 3, descending: true },
      columns: [
        { title: 'side', text: (row) => (row.side === 0 ? view.a : view.b), swatch: (row) => kSideColours[row.side] },
        { title: 'name', text: (row) => row.name, wide: true },
        { title: what === 'kernels' ? 'layer' : 'type', text: (row) => row.of, wide: true },
        { title: 'time', unit: 'ns', value: (row) => row.time },
        { title: 'intensity', unit: 'flop/byte', value: (row) => row.intensity },
        { title: 'throughput', unit: 'flop/s', value: (row) => row.throughput },
        { title: 'of roof', unit: 'ratio', value: (row) => row.ofRoof, bar: (row) => row.ofRoof },
        { title: 'bound', text: (row) => row.bound },
        { title: 'data type', text: (row) => row.dtype },
      ],
    })));
}

function dotRows(view: PairView, dots: readonly Dot[]): Record<string, Cell>[] {
  return [...dots].sort((x, y) => (y.time ?? 0) - (x.time ?? 0)).map((dot) => ({
    what: 'dot', side: dot.side === 0 ? view.a : view.b, kernel: shortName(dot.name), of: dot.of, x: dot.intensity, y: dot.throughput, _time: dot.time,
    time: duration(dot.time), intensity: quantity(dot.intensity, 'flop/byte'), throughput: quantity(dot.throughput, 'flop/s'), 'of roof': percent(dot.ofRoof) }));
}

const kBoth = 'both sides';

/** Two ends of each roof: bandwidths up to the highest peak, peaks from the bandwidth on. */
function roofRows(view: PairView, sides: readonly SideRoofs[], dots: readonly Dot[]): Record<string, Cell>[] {
  const xs = dots.map((dot) => dot.intensity!);
  const ridge = sides.flatMap((side) => {
    const bandwidth = side.roofs.find((roof) => roof.kind === 'bandwidth')?.value;
    return bandwidth ? side.roofs.filter((roof) => roof.kind === 'flops').map((roof) => roof.value! / bandwidth) : [];
  });
  const low = 10 ** Math.floor(Math.log10(Math.min(...xs)));
  const high = Math.max(...xs, ...ridge) * 4;
  const out: Record<string, Cell>[] = [];
  // Where two roofs of one kind lie close, the name of the lower one is below its line.
  const isLower = (roof: Roof): boolean => sides.some((side) => side.roofs.some((other) => other !== roof && other.kind === roof.kind && (roof.kind === 'bandwidth' || other.name === roof.name) && other.value! > roof.value!));
  const isIn = (side: SideRoofs, roof: Roof): boolean => side.roofs.some((other) => other.kind === roof.kind && other.name === roof.name && other.value === roof.value);
  sides.forEach((side, index) => {
    const own = index === 0 ? view.a : view.b;
    const bandwidth = side.roofs.find((roof) => roof.kind === 'bandwidth') ?? null;
    const peaks = side.roofs.filter((roof) => roof.kind === 'flops');
    const top = Math.max(0, ...peaks.map((roof) => roof.value!));
    const line = (roof: Roof, from: number, to: number, y: (x: number) => number): void => {
      // A roof of both is drawn once.
      const isShared = isIn(sides[1 - index]!, roof);
      if (isShared && index === 1) return;
      const name = isShared ? kBoth : own;
      const label = `${name}: ${roof.name} ${quantity(roof.value, roof.kind === 'flops' ? 'flop/s' : 'byte/s')}`;
      const place = `${roof.kind}-${isLower(roof) ? 'below' : 'above'}`;
      const [start, end] = roof.kind === 'flops' ? [null, place] : [place, null];
      // On a small screen the colour and the dashes of the line alone tell whose it is.
      const short = label.slice(name.length + 2);
      out.push({ what: 'roof', side: name, roof: label, x: from, y: y(from), _short: short, _label: start }, { what: 'roof', side: name, roof: label, x: to, y: y(to), _short: short, _label: end });
    };
    if (bandwidth) line(bandwidth, low, top > 0 ? Math.min(high, top / bandwidth.value!) : high, (x) => x * bandwidth.value!);
    for (const peak of peaks) line(peak, bandwidth ? Math.max(low, peak.value! / bandwidth.value!) : low, high, () => peak.value!);
  });
  return out;
}

/** Pixels. */
const kHeight = 420;
const kNameOffset = 9;
const kNameHeight = 14;
/** Narrower, the name of a bandwidth would meet those of the peaks. */
const kSmall = 480;

/** With rows for the names of the roofs: of a bandwidth at the start of its line, of a peak at the end, none over another. */
export function withNames(data: readonly Record<string, Cell>[]): Record<string, Cell>[] {
  const [low, high] = decades(data.map((row) => row['y'] as number));
  const pixelOf = (value: number): number => kHeight * (1 - Math.log(value / low) / Math.log(high / low));
  const named = data.filter((row) => typeof row['_label'] === 'string').map((row) => ({ ...row, what: 'name' }) as Record<string, Cell>);
  const peaks = named.filter((row) => String(row['_label']).startsWith('flops'))
    .map((row) => ({ row, at: pixelOf(row['y'] as number) + (row['_label'] === 'flops-below' ? kNameOffset : -kNameOffset) })).sort((a, b) => a.at - b.at);
  let next = kNameHeight / 2;
  for (const { row, at } of peaks) {
    const free = Math.max(at, next);
    row['y'] = low * (high / low) ** (1 - free / kHeight);
    next = free + kNameHeight;
  }
  return [...data, ...named];
}

/** Whole decades around the values. */
function decades(values: readonly number[]): [number, number] {
  return [10 ** Math.floor(Math.log10(Math.min(...values))), 10 ** Math.ceil(Math.log10(Math.max(...values) * 1.2))];
}

function spec(view: PairView, all: readonly Record<string, Cell>[]): Record<string, unknown> {
  const data = all.filter((row) => row['what'] !== 'name');
  const names = [view.a, view.b, kBoth];
  const xs = data.map((row) => row['x'] as number);
  const [xDomain, yDomain] = [[Math.min(...xs), Math.max(...xs)] as const, decades(data.map((row) => row['y'] as number))];
  const color = { field: 'side', type: 'nominal', legend: null, scale: { domain: names, range: [...kSideColours, kOther] } };
  const x = { field: 'x', type: 'quantitative', scale: { type: 'log', nice: false, domain: xDomain }, title: 'intensity, FLOP/B (logarithmic)' };
  const y = { field: 'y', type: 'quantitative', scale: { type: 'log', nice: false, domain: yDomain }, title: 'throughput, FLOP/s (logarithmic)', axis: { format: '.0s', tickCount: 5 } };
  const only = (what: string): unknown[] => [{ filter: `datum.what === '${what}'` }];
  // A bandwidth rises by as many decades as the intensity.
  const slope = `-atan2(height / ${Math.log10(yDomain[1] / yDomain[0])}, width / ${Math.log10(xDomain[1] / xDomain[0])}) * 57.29578`;
  // Their background is in compare.css, by the names of the layers.
  const peakNames = {
    name: 'roof_names_flops', transform: [{ filter: "datum.what === 'name' && indexof(datum._label, 'flops') === 0" }],
    mark: { type: 'text', fontSize: 11, align: 'right', baseline: 'middle', dx: -4 }, encoding: { text: { field: 'roof' } },
  };
  const bandwidthNames = (place: 'above' | 'below'): Record<string, unknown> => ({
    name: `roof_names_bandwidth_${place}`,
    transform: [{ filter: `datum.what === 'name' && datum._label === 'bandwidth-${place}'` }, { calculate: `width < ${kSmall} ? datum._short : datum.roof`, as: '_text' }],
    mark: { type: 'text', fontSize: 11, align: 'left', dx: 8, baseline: place === 'above' ? 'bottom' : 'top', dy: place === 'above' ? -4 : 4, angle: { expr: slope } },
    encoding: { text: { field: '_text' } },
  });
  return {
    height: kHeight,
    encoding: { x, y },
    layer: [
      { transform: only('roof'), mark: { type: 'line', strokeWidth: 1.6, clip: true }, encoding: { color, detail: { field: 'roof' }, strokeDash: { field: 'side', type: 'nominal', legend: null, scale: { domain: names, range: [[1, 0], [6, 3], [1, 0]] } } } },
      { transform: only('dot'), mark: { type: 'point', filled: true, opacity: 0.7, strokeWidth: 0.5 }, encoding: {
        color, shape: { field: 'side', type: 'nominal', legend: null, scale: { domain: names, range: ['circle', 'diamond', 'circle'] } },
        size: { field: '_time', type: 'quantitative', legend: null, scale: { range: [12, 700] } },
        tooltip: ['side', 'kernel', 'of', 'time', 'intensity', 'throughput', 'of roof'].map((field) => ({ field, type: 'nominal' })) } },
      bandwidthNames('above'), bandwidthNames('below'), peakNames,
    ],
  };
}
