// Part 5: the layers in execution order on one strip, time above and memory below, and the shares
// of the layer types.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { groupBy, sum, sumKnown } from './columns.ts';
import { dataTable } from './data_table.tsx';
import { duration, quantity } from './format.ts';
import { LayerStrip } from './layer_strip.ts';
import { h } from './markup.ts';
import type { Kernel, Layer, PointView } from './model.ts';
import { behind, legend, nothing, Section, type Context, type PageSection } from './section.ts';
import type { TableColumn } from './table.ts';
import { isTimelineOffered, TimelineButton } from './timeline_jump.ts';

export const kSection: PageSection = { id: 'layers', name: 'Layers', position: 40, Component: LayersSection };

function LayersSection({ context }: { context: Context }): VNode {
  const { pointId } = context.selection;
  const view = context.model.view(pointId);
  return h(Section, { context, id: 'layers', title: 'Layers in order' }, view.layers.length === 0
    ? nothing(context, 'layers', 'This point has no layers: `xsp run --depth layer` measures them.')
    : h(Layers, { key: pointId, context, view }));
}

function Layers({ context, view }: { context: Context; view: PointView }): VNode {
  const [kept, setKept] = useState<Layer | null>(null);
  // The table then has a column more.
  const hasTimeline = isTimelineOffered.value;
  return h('div', {},
    legend(context.palette, new Set(view.layers.map((layer) => layer.type))),
    h(LayerStrip, { context, view, onKeep: setKept }),
    h('div', { class: 'layer-detail', 'aria-live': 'polite' }, kept && layerDetail(context, kept, view)),
    remarks(view),
    behind('The layers as a table', () => layerTable(context, view, hasTimeline)),
    h('h3', {}, 'Shares by type'),
    typeTable(context, view));
}

function remarks(view: PointView): VNode | null {
  const texts: string[] = [];
  if (view.byDevice) texts.push('A device did the work, so layers are ranked and drawn by device time. In the same layers the host launches work, or waits for it.');
  else if (view.runs.length > 1 && view.layers.some((layer) => layer.kernelRun !== null))
    texts.push('Kernels come from a deeper run: the chart shows their share of the layer in that run.');
  if (view.kernels.length === 0) texts.push('No kernels are known, so the bars are not split.');
  if (view.layers.every((layer) => layer.allocated === null)) texts.push('Memory was not measured.');
  return texts.length ? h('p', { class: 'note' }, texts.join(' ')) : null;
}

function layerDetail(context: Context, layer: Layer, view: PointView): VNode {
  const { byDevice } = view;
  const facts = [layer.type, layer.node === null ? null : `node ${layer.node}`, layer.shape, byDevice ? `${duration(layer.shown)} on the device` : null,
    layer.latency === null ? null : `${duration(layer.latency)}${byDevice ? ' on the host' : ''}`,
    layer.allocated === null ? null : `${quantity(layer.allocated, 'byte')} allocated`].filter((text) => text !== null && text !== '');
  return h('div', { class: 'panel' },
    h('h3', {}, `${layer.index} \u00b7 ${layer.name}`), h('p', {}, facts.join(' \u00b7 '), ' ', layerButton(context, view, layer)),
    layer.kernels.length > 0 ? kernelList(context, layer.kernels) : h('p', { class: 'note' }, 'No kernels of this layer are known.'));
}

/** The layer on the timeline: of several with its name, as many come before it there as here. */
function layerButton(context: Context, view: PointView, layer: Layer): VNode {
  const nth = view.layers.slice(0, view.layers.indexOf(layer) + 1).filter(({ name }) => name === layer.name).length;
  return h(TimelineButton, { place: { search: layer.name, nth, run: context.model.timelineRun(context.selection.pointId) }, what: `layer ${layer.index}, ${layer.name},` });
}

function kernelList(context: Context, kernels: Kernel[]): VNode {
  const longest = Math.max(...kernels.map((kernel) => kernel.time ?? 0));
  return dataTable<Kernel>({
    label: 'Kernels of the layer', rows: kernels, first: 12,
    columns: [
      { title: 'kernel', text: (row) => row.name, wide: true, code: true },
      { title: 'time', unit: 'ns', value: (row) => row.time, bar: (row) => (row.time ?? 0) / longest, colour: (row) => context.palette.of(row.colourType) },
      { title: 'of roof', unit: 'ratio', value: (row) => row.ofRoof },
      { title: 'data type', text: (row) => row.dtype },
      { title: 'problem', text: (row) => row.problem, wide: true, code: true },
    ],
  });
}

function layerTable(context: Context, view: PointView, hasTimeline: boolean): VNode {
  const longest = view.layers.reduce((most, layer) => Math.max(most, layer.shown ?? 0), 0);
  const times: TableColumn<Layer>[] = view.byDevice ? [
    { title: 'device time', unit: 'ns', value: (row) => row.shown, bar: (row) => (row.shown ?? 0) / longest, colour: (row) => context.palette.of(row.type), help: 'Union of its kernels\u2019 intervals' },
    { title: 'host time', unit: 'ns', value: (row) => row.latency, help: 'From the start to the end of its call on the host: launching, or waiting for the device' },
  ] : [
    { title: 'latency', unit: 'ns', value: (row) => row.latency, bar: (row) => (row.latency ?? 0) / longest, colour: (row) => context.palette.of(row.type) },
    { title: 'in kernels', unit: 'ns', value: (row) => row.inKernels, help: 'Union of its kernels\u2019 intervals, scaled to the run of the latency' },
  ];
  const jump: TableColumn<Layer> = { title: 'timeline', isUnsorted: true, cell: { show: (row) => layerButton(context, view, row), value: (row) => row.index, isNumber: false } };
  return dataTable<Layer>({
    label: 'Layers in execution order', rows: view.layers, first: 30,
    columns: [
      { title: '#', value: (row) => row.index },
      { title: 'name', text: (row) => row.name, wide: true },
      { title: 'type', text: (row) => row.type, swatch: (row) => context.palette.of(row.type) },
      { title: 'shape', text: (row) => row.shape },
      ...times,
      { title: 'allocated', unit: 'byte', value: (row) => row.allocated },
      { title: 'work', unit: 'flop', value: (row) => row.flops },
      { title: 'traffic', unit: 'byte', value: (row) => row.bytes },
      ...(hasTimeline ? [jump] : []),
    ],
  });
}

interface TypeRow {
  type: string;
  layers: number;
  latency: number;
  shown: number;
  /** Part of its latency in kernels. */
  inKernels: number | null;
  allocated: number | null;
  flops: number | null;
}

function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? part / whole : null;
}

function typeTable(context: Context, view: PointView): VNode {
  const { whole, byDevice, distorted } = view;
  const ofWhole = byDevice ? 'share of device time' : distorted ? 'share of the layers' : 'share of the call';
  const rows = [...groupBy(view.layers, (layer) => layer.type)].map(([type, layers]): TypeRow => ({
    type,
    layers: layers.length,
    latency: sum(layers.map((layer) => layer.latency)),
    shown: sum(layers.map((layer) => layer.shown)),
    inKernels: sumKnown(layers.map((layer) => layer.inKernels)),
    allocated: sumKnown(layers.map((layer) => layer.allocated)),
    flops: sumKnown(layers.map((layer) => layer.flops)),
  }));
  const memory = sum(rows.map((row) => row.allocated));
  const colour = (row: TypeRow): string => context.palette.of(row.type);
  return dataTable<TypeRow>({
    label: 'Shares by layer type', rows, first: 30, sort: { column: 2, descending: true },
    columns: [
      { title: 'type', text: (row) => row.type, swatch: colour },
      { title: 'layers', value: (row) => row.layers },
      { title: byDevice ? 'device time' : 'latency', unit: 'ns', value: (row) => row.shown },
      { title: ofWhole, unit: 'ratio', value: (row) => shareOf(row.shown, whole), bar: (row) => shareOf(row.shown, whole), colour },
      byDevice ? { title: 'host time', unit: 'ns', value: (row) => row.latency, help: 'Launching, or waiting for the device' }
        : { title: 'in kernels', unit: 'ratio', value: (row) => (row.inKernels === null ? null : shareOf(row.inKernels, row.latency)), help: 'Time in kernels divided by latency, both of the run with the kernels' },
      { title: 'allocated', unit: 'byte', value: (row) => row.allocated },
      { title: 'share of memory', unit: 'ratio', value: (row) => (row.allocated === null || memory === 0 ? null : row.allocated / memory), bar: (row) => (row.allocated ?? 0) / memory, colour },
      { title: 'work', unit: 'flop', value: (row) => row.flops },
    ],
  });
}
