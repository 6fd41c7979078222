// Part 4: throughput, latency and memory over batch sizes, with intervals and both optima.
import type { VNode } from 'preact';
import { ChartHost } from './chart_host.ts';
import { groupBy } from './columns.ts';
import { linearTicks, tickText, xAxis, yAxis, type Frame } from './axis.ts';
import { dataTable } from './data_table.tsx';
import { axisScale, coarsePercent, duration, scaleFor } from './format.ts';
import { h } from './markup.ts';
import type { Point } from './model.ts';
import { batchOptimum, optimumSentence, type BatchOptimum } from './batch_optimum.ts';
import { kHues } from './palette.ts';
import type { Optimum } from './report_data.ts';
import { nothing, Section, type Context, type PageSection } from './section.ts';
import { hideTip, showTip } from './tooltip.ts';

interface Value {
  point: Point;
  batch: number;
  value: number;
  low: number | null;
  high: number | null;
}

interface Series {
  name: string;
  values: Value[];
}

/** Items per second. */
export function throughput(batch: number, latencyNs: number): number {
  return (batch / latencyNs) * 1e9;
}

export const kSection: PageSection = { id: 'batches', name: 'Batch sizes', position: 30, Component: BatchesSection };

function BatchesSection({ context }: { context: Context }): VNode {
  const points = context.model.points.filter((point) => point.latency_ns !== null);
  const known = points.filter((point) => point.batch !== null);
  const groups = [...groupBy(known, (point) => groupOf(point, context.data.optima)).values()];
  return h(Section, { context, id: 'batches', title: 'Batch sizes' },
    points.length === 0 && nothing(context, 'batches', 'No latency of a model call was measured: `xsp run MODEL --batch 1,2,4,8` does.'),
    known.length > 1 && charts(context, groups),
    known.length > 1 && optimumTexts(groups),
    points.length > 0 && table(context, points));
}

/** Points that differ only in batch size make one series: the document says which, in `optima`. */
function groupOf(point: Point, optima: readonly Optimum[]): string {
  const index = optima.findIndex((optimum) => optimum.point_ids.includes(point.point_id!));
  return index >= 0 ? String(index) : [point.model, point.backend, point.device, point.precision].join('\n');
}

function charts(context: Context, groups: Point[][]): VNode {
  const series = (pick: (point: Point) => Omit<Value, 'point' | 'batch'> | null): Series[] => groups.map((group) => ({
    name: nameOf(group),
    values: group.flatMap((point) => {
      const value = pick(point);
      return value ? [{ point, batch: point.batch!, ...value }] : [];
    }).sort((a, b) => a.batch - b.batch),
  }));
  const rate = series((point) => ({
    value: throughput(point.batch!, point.latency_ns!),
    low: point.latency_high_ns === null ? null : throughput(point.batch!, point.latency_high_ns),
    high: point.latency_low_ns === null ? null : throughput(point.batch!, point.latency_low_ns),
  }));
  const latency = series((point) => ({ value: point.latency_ns!, low: point.latency_low_ns, high: point.latency_high_ns }));
  const memory = series((point) => (point.peak_bytes === null ? null : { value: point.peak_bytes, low: null, high: null }));
  const row = h('div', { class: 'charts' },
    // Leaders of several series would cross each other's lines and say the same words.
    h(Chart, { context, title: 'Throughput', unit: 'item/s', series: rate, optimum: groups.length > 1 ? null : batchOptimum(groups[0]!) }),
    h(Chart, { context, title: 'Latency of a call', unit: 'ns', series: latency, optimum: null }),
    memory.some((item) => item.values.length > 0) && h(Chart, { context, title: 'Peak memory allocated', unit: 'byte', series: memory, optimum: null }));
  return groups.length > 1 ? h('div', {}, keyOf(groups), row) : row;
}

function nameOf(group: readonly Point[]): string {
  return [group[0]!.backend, group[0]!.device, group[0]!.precision].join(', ');
}

/** What each line of the charts is: colour and dashes. */
function keyOf(groups: readonly Point[][]): VNode {
  return h('ul', { class: 'legend', 'aria-label': 'Lines of the charts' }, ...groups.map((group, index) =>
    h('li', {}, h('svg', { class: 'line-key', width: 26, height: 10, 'aria-hidden': 'true' },
      h('line', { ...strokeOf(index), class: 'series', x1: 1, x2: 25, y1: 5, y2: 5 })), nameOf(group))));
}

const kDashes = ['', '5 3', '1.5 3', '8 3 2 3'];

function strokeOf(index: number): { style: string; 'stroke-dasharray': string | null } {
  return { style: `stroke:${kHues[index % kHues.length]}`, 'stroke-dasharray': kDashes[index % kDashes.length] || null };
}

interface ChartProperties {
  context: Context;
  title: string;
  unit: string;
  series: Series[];
  optimum: BatchOptimum | null;
}

function Chart({ context, title, unit, series, optimum }: ChartProperties): VNode {
  const chosen = context.selection.pointId;
  const all = series.flatMap((item) => item.values);
  const scale = axisScale(all.map((item) => item.value), unit);
  const draw = (width: number): VNode => {
    const frame: Frame = { left: 46, right: width - 12, top: optimum ? 36 : 22, bottom: 190 };
    const batches = [...new Set(all.map((item) => item.batch))].sort((a, b) => a - b);
    const top = Math.max(...all.map((item) => item.high ?? item.value)) * scale.factor * 1.12;
    const x = (batch: number): number => frame.left + ((batches.indexOf(batch) + 0.5) / batches.length) * (frame.right - frame.left);
    const y = (shown: number): number => frame.bottom - (shown / top) * (frame.bottom - frame.top);
    const many = series.length > 1;
    const dotOf = (value: Value, item: Series, index: number): VNode => dot({
      item: value, of: many ? `${item.name}, ` : '', index: many ? index : null, title, unit, factor: scale.factor, x, y,
      isChosen: value.point.point_id === chosen, choose: () => context.selection.choose(value.point.point_id!) });
    return h('svg', { width, height: 232, viewBox: `0 0 ${width} 232`, role: 'img', 'aria-label': `${title} in ${scale.unit} over batch sizes; the table below has the numbers` },
      yAxis(frame, linearTicks(top, 4), y, tickText),
      xAxis(frame, batches, x, String),
      h('text', { class: 'axis-title', x: (frame.left + frame.right) / 2, y: 226, 'text-anchor': 'middle' }, 'batch size'),
      series.map((item, index) => line(item, many ? index : null, scale.factor, x, y)),
      series.map((item, index) => item.values.map((value) => dotOf(value, item, index))),
      optimum && marks(optimum, all, scale.factor, x, y));
  };
  return h('figure', {}, h('figcaption', { class: 'chart-title' }, title, ' ', h('span', { class: 'unit' }, scale.unit)), h(ChartHost, { draw }));
}

/** `index`: of the series among several; null: the only one. */
function line(
  series: Series, index: number | null, factor: number, x: (batch: number) => number, y: (shown: number) => number,
): VNode | null {
  if (series.values.length === 0) return null;
  const at = (item: Value): string => `${x(item.batch)},${y(item.value * factor)}`;
  return h('polyline', { ...(index === null ? {} : strokeOf(index)), class: 'series', points: series.values.map(at).join(' ') });
}

interface Dot {
  item: Value;
  /** Whose it is, before the batch size. */
  of: string;
  /** Of the series among several; null: the only one. */
  index: number | null;
  title: string;
  unit: string;
  factor: number;
  x: (batch: number) => number;
  y: (shown: number) => number;
  isChosen: boolean;
  choose: () => void;
}

function dot({ item, of, index, title, unit, factor, x, y, isChosen, choose }: Dot): VNode {
  const at = x(item.batch);
  const onPointerMove = (event: PointerEvent): void => {
    const scale = scaleFor([item.value], unit);
    const text = (value: number | null): string => `${scale.text(value)} ${scale.unit}`.trim();
    showTip(event.clientX, event.clientY, `${of}batch ${item.batch}`, [
      { name: title, value: text(item.value) },
      ...(item.low !== null && item.high !== null ? [{ name: '95 % interval', value: `${scale.text(item.low)} to ${text(item.high)}` }] : []),
      { name: 'all digits', value: scale.full(item.value) }]);
  };
  return h('g', { class: isChosen ? 'point selected' : 'point', onClick: choose, onPointerMove, onPointerLeave: hideTip },
    item.low !== null && item.high !== null && h('path', { class: 'interval', d: `M${at - 4},${y(item.low * factor)}h8M${at - 4},${y(item.high * factor)}h8M${at},${y(item.low * factor)}V${y(item.high * factor)}` }),
    h('circle', { cx: at, cy: y(item.value * factor), r: isChosen ? 5 : 3.5, style: index === null ? null : `fill:${kHues[index % kHues.length]}` }),
    h('rect', { x: at - 14, y: 0, width: 28, height: 200, fill: 'transparent' }));
}

/** The two optima, each on a row of its own above the plot, with a line down to its point. */
function marks(
  optimum: BatchOptimum, all: readonly Value[], factor: number, x: (batch: number) => number, y: (shown: number) => number,
): VNode[] {
  return ([[optimum.worth, 'next doubling \u2264 5 %', 10], [optimum.best, 'highest', 25]] as const).flatMap(([point, text, row]) => {
    const item = all.find((value) => value.point === point);
    if (!item) return [];
    const left = x(item.batch) < 120;
    return [
      h('line', { class: 'leader', x1: x(item.batch), x2: x(item.batch), y1: row - 6, y2: y((item.high ?? item.value) * factor) - 5 }),
      h('text', { class: 'mark', x: x(item.batch) + (left ? 5 : -5), y: row, 'text-anchor': left ? 'start' : 'end' }, text),
    ];
  });
}

/** One sentence for each series; among several it starts with whose it is. */
function optimumTexts(groups: readonly Point[][]): VNode | null {
  const texts = groups.flatMap((group) => {
    const optimum = batchOptimum(group);
    if (!optimum) return [];
    const text = optimumSentence(optimum);
    return [groups.length > 1 ? `${nameOf(group)}: ${text}` : text.charAt(0).toUpperCase() + text.slice(1)];
  });
  return texts.length ? h('ul', { class: 'plain' }, ...texts.map((text) => h('li', {}, text))) : null;
}

function table(context: Context, points: Point[]): VNode {
  const rate = (point: Point): number | null => (point.batch === null || point.latency_ns === null ? null : throughput(point.batch, point.latency_ns));
  const best = Math.max(...points.map((point) => rate(point) ?? 0));
  const interval = (point: Point): string | null => {
    if (point.latency_low_ns === null || point.latency_high_ns === null || !point.latency_ns) return null;
    return `${duration(point.latency_low_ns)} \u2013 ${duration(point.latency_high_ns)} (\u00b1${coarsePercent((point.latency_high_ns - point.latency_low_ns) / 2 / point.latency_ns)})`;
  };
  return dataTable<Point>({
    label: 'Latency, throughput and memory per batch size', rows: points, first: 40,
    rowClass: (point) => (point.status === 'failed' ? 'failed' : null),
    columns: [
      { title: 'point', text: (point) => context.model.label(point.point_id) },
      { title: 'latency', unit: 'ns', value: (point) => point.latency_ns, help: 'Trimmed mean of a model call' },
      { title: '95 % interval', text: interval },
      { title: 'throughput', value: rate, unit: 'item/s', bar: (point) => (rate(point) ?? 0) / best },
      { title: 'peak memory', unit: 'byte', value: (point) => point.peak_bytes, help: 'Peak memory allocated by the framework during a call' },
      { title: 'status', text: (point) => point.status },
    ],
  });
}
