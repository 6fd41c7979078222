// Throughput and latency of all that is compared over batch sizes, and who is fastest at each.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { dataTable } from '../data_table.tsx';
import { axisScale, duration, plural, quantity } from '../format.ts';
import { h, type Child } from '../markup.ts';
import { kHues, Palette } from '../palette.ts';
import type { Cell } from '../report_data.ts';
import type { RankRow, RankTable, Series, SeriesPoint } from '../compare_data.ts';
import { behind } from '../section.ts';
import { VegaChart } from '../vega_chart.ts';
import { part, type Part, type PartProperties } from './frame.ts';
import type { CompareModel } from './compare_model.ts';

interface Row {
  series: string;
  point: SeriesPoint;
}

/** Items per second. */
function throughput(batch: number, ns: number | null): number | null {
  return ns ? (batch / ns) * 1e9 : null;
}

export const kBatches: Part = {
  id: 'batches', name: 'Batch sizes', Component: Batches,
  isShown: (model) => severalBatches(model) || model.data.ranks.length > 0,
};

function severalBatches(model: CompareModel): boolean {
  return new Set(model.data.series.flatMap((series) => series.points.map((point) => point.batch))).size > 1;
}

function Batches({ model }: PartProperties): VNode {
  const all = useMemo(() => model.data.series.flatMap((series, index) => series.points.map((point): Row => ({ series: model.series[index]!, point }))), [model]);
  return part('batches', 'Batch sizes and ranks',
    severalBatches(model) && charts(model, all), model.data.ranks.length > 0 && ranks(model));
}

function charts(model: CompareModel, all: readonly Row[]): Child[] {
  const lines = model.data.series.map((_, index) => model.series[index]!).filter((name) => all.some((row) => row.series === name));
  const host = (title: string, pictures: readonly Measure[]): VNode[] => pictures.filter((item) => all.some((row) => item.value(row.point) !== null)).map((item) => h(Figure, { over: title, measure: item, all, lines }));
  return [
    h('div', { class: 'charts wide' }, ...host('over batch sizes', [
      { title: 'Throughput', unit: 'item/s', value: (point) => throughput(point.batch, point.latency_ns), low: (point) => throughput(point.batch, point.latency_high_ns), high: (point) => throughput(point.batch, point.latency_low_ns) },
      { title: 'Latency of a call', unit: 'ns', value: (point) => point.latency_ns, low: (point) => point.latency_low_ns, high: (point) => point.latency_high_ns },
      { title: 'Device time of a call', unit: 'ns', value: (point) => point.device_ns, low: () => null, high: () => null },
    ])),
    h('p', { class: 'note' }, `Both axes are logarithmic. Bars are 95\u00a0% intervals; larger dots are what this page compares.${all.some((row) => row.point.latency_low_ns !== null && row.point.latency_low_ns <= 0) ? ' Intervals that reach zero are only in the table.' : ''}`),
    behind('All points as a table', () => pointTable(all)),
  ];
}

interface Measure {
  title: string;
  unit: string;
  value: (point: SeriesPoint) => number | null;
  low: (point: SeriesPoint) => number | null;
  high: (point: SeriesPoint) => number | null;
}

interface FigureProperties {
  over: string;
  measure: Measure;
  all: readonly Row[];
  lines: readonly string[];
}

function Figure({ over, measure, all, lines }: FigureProperties): VNode {
  const scale = axisScale(all.map((row) => measure.value(row.point)), measure.unit);
  const scaled = (value: number | null): number | null => (value === null ? null : value * scale.factor);
  // A logarithmic axis has no place for an interval that reaches zero.
  const bar = (point: SeriesPoint): [number | null, number | null] => {
    const [low, high] = [measure.low(point), measure.high(point)];
    return low !== null && high !== null && low > 0 && high > 0 ? [scaled(low), scaled(high)] : [null, null];
  };
  const rows = all.filter((row) => measure.value(row.point) !== null).map((row): Record<string, Cell> => ({
    what: row.series, batch: row.point.batch, value: scaled(measure.value(row.point)), low: bar(row.point)[0], high: bar(row.point)[1],
    measured: quantity(measure.value(row.point), measure.unit), _size: row.point.is_compared ? 90 : 30 }));
  const batches = [...new Set(rows.map((row) => row['batch'] as number))].sort((x, y) => x - y);
  const picture = { title: `${measure.title} ${over}`, spec: spec(lines, batches, scale.unit), palette: new Palette([]), fact: (name: string, value: unknown) => ({ name, value: String(value) }) };
  return h('figure', {}, h('figcaption', { class: 'chart-title' }, measure.title, ' ', h('span', { class: 'unit' }, scale.unit)), h(VegaChart, { picture, rows, of: all }));
}

function spec(lines: readonly string[], batches: readonly number[], unit: string): Record<string, unknown> {
  const dashes = lines.map((_, index) => [[1, 0], [6, 3], [2, 2], [8, 2, 2, 2]][Math.floor(index / kHues.length) % 4]);
  const color = { field: 'what', type: 'nominal', title: null, legend: { orient: 'bottom', columns: 1, labelLimit: 280, symbolType: 'stroke' }, scale: { domain: [...lines], range: lines.map((_, index) => kHues[index % kHues.length]!) } };
  const x = { field: 'batch', type: 'quantitative', title: 'batch size', scale: { type: 'log', base: 2, nice: false, padding: 14 }, axis: { values: [...batches], format: 'd', grid: false } };
  const y = { field: 'value', type: 'quantitative', title: unit, scale: { type: 'log', padding: 10 }, axis: { format: '~g' } };
  return {
    height: 250 + 18 * lines.length,
    encoding: { x },
    layer: [
      { mark: { type: 'line', strokeWidth: 1.6 }, encoding: { y, color, strokeDash: { field: 'what', type: 'nominal', legend: null, scale: { domain: [...lines], range: dashes } } } },
      { transform: [{ filter: 'isValid(datum.low) && isValid(datum.high)' }], mark: { type: 'rule', strokeWidth: 1.2 }, encoding: { y: { field: 'low', type: 'quantitative' }, y2: { field: 'high' }, color: { ...color, legend: null } } },
      { mark: { type: 'point', filled: true, opacity: 1 }, encoding: {
        y, color: { ...color, legend: null }, size: { field: '_size', type: 'quantitative', scale: null, legend: null },
        shape: { field: 'what', type: 'nominal', legend: null, scale: { domain: [...lines], range: lines.map((_, index) => ['circle', 'square', 'diamond', 'triangle-up', 'cross'][index % 5]) } },
        tooltip: [{ field: 'what', type: 'nominal' }, { field: 'batch', type: 'nominal' }, { field: 'measured', type: 'nominal' }] } },
    ],
  };
}

function pointTable(all: readonly Row[]): VNode {
  return dataTable<Row>({
    label: 'Latency and throughput over batch sizes', rows: all, first: 40,
    columns: [
      { title: 'what', text: (row) => row.series, wide: true },
      { title: 'batch', unit: '1', value: (row) => row.point.batch },
      { title: 'latency', unit: 'ns', value: (row) => row.point.latency_ns },
      { title: '95 % interval', text: (row) => intervalText(row.point) },
      { title: 'throughput', unit: 'item/s', value: (row) => throughput(row.point.batch, row.point.latency_ns) },
      { title: 'device time', unit: 'ns', value: (row) => row.point.device_ns },
      { title: 'processes', unit: '1', value: (row) => row.point.processes },
    ],
  });
}

function intervalText(item: { latency_low_ns: number | null; latency_high_ns: number | null }): string | null {
  return item.latency_low_ns === null || item.latency_high_ns === null ? null : `${duration(item.latency_low_ns)} \u2013 ${duration(item.latency_high_ns)}`;
}

interface RankedRow extends RankRow {
  batch: number;
  model: string;
}

/** "1", "2 (tie)"; null where a point has one process. */
export function rankText(row: RankRow): string | null {
  return row.rank === null ? null : `${row.rank}${row.tied_with.length > 0 ? ' (tie)' : ''}`;
}

function ranks(model: CompareModel): Child[] {
  const rows = model.data.ranks.flatMap((table: RankTable) => [...table.rows].sort((x, y) => (x.rank ?? Infinity) - (y.rank ?? Infinity) || x.latency_ns - y.latency_ns)
    .map((row): RankedRow => ({ ...row, batch: table.batch, model: table.model })));
  const severalModels = new Set(rows.map((row) => row.model)).size > 1;
  const busy = rows.some((row) => row.was_busy) && new Set(model.data.series.map((series: Series) => series.experiment)).size > 1;
  const unranked = rows.filter((row) => row.rank === null).length;
  return [
    h('h3', {}, 'Ranks at each batch size'),
    dataTable<RankedRow>({
      label: 'Ranks at each batch size', rows, first: 40, rowClass: (row) => (row.rank === 1 ? 'marked' : null),
      columns: [
        ...(severalModels ? [{ title: 'model', text: (row: RankedRow) => row.model }] : []),
        { title: 'batch', unit: '1', value: (row) => row.batch },
        { title: 'rank', text: (row) => rankText(row) },
        { title: 'what', text: (row) => model.series[row.series]!, wide: true },
        { title: 'latency', unit: 'ns', value: (row) => row.latency_ns },
        { title: '95 % interval', text: (row) => intervalText(row) },
        { title: 'throughput', unit: 'item/s', value: (row) => throughput(row.batch, row.latency_ns) },
        { title: 'no difference found from', text: (row) => (row.tied_with.length === 0 ? null : row.tied_with.map((index) => model.series[index]!).join('; ')), wide: true },
        { title: 'processes', unit: '1', value: (row) => row.processes },
      ],
    }),
    h('p', { class: 'note' }, `A rank is 1 plus the number of those that are surely faster (5\u00a0%, Welch\u2019s t test over processes, adjusted by Holm for all pairs of a batch size): points without a known difference are ties.${unranked > 0 ? ` ${plural(unranked, 'point')} of one process ${unranked === 1 ? 'has' : 'have'} no rank.` : ''}${busy ? ' Other programs used the machine: points of different experiments are not ranked against each other.' : ''}`),
  ];
}
