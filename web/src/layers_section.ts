// Part 5: the layers in execution order on one strip, time above and memory below, and the shares
// of the layer types.
import { append, clear, h } from './dom.ts';
import { groupBy, sum, sumKnown } from './columns.ts';
import { duration, plural, quantity } from './format.ts';
import { whyLonger } from './icicle_tree.ts';
import { layerStrip } from './layer_strip.ts';
import type { Kernel, Layer, PointView } from './model.ts';
import { behind, legend, nothing, section, type Context } from './section.ts';
import { dataTable } from './table.ts';

export function layersSection(context: Context): HTMLElement {
  const host = h('div', {});
  const draw = (): void => {
    const view = context.model.view(context.selection.pointId);
    clear(host);
    if (view.layers.length === 0) {
      append(host, nothing(context, 'layers', 'This point has no layers: `xsp run --depth layer` measures them.'));
      return;
    }
    const detail = h('div', { class: 'layer-detail', 'aria-live': 'polite' });
    append(host,
      legend(context.palette, new Set(view.layers.map((layer) => layer.type))),
      layerStrip(context, view, (layer) => {
        detail.replaceChildren(layer ? layerDetail(context, layer) : '');
      }),
      detail,
      remarks(view),
      behind('The layers as a table', () => layerTable(context, view)),
      h('h3', {}, 'Shares by type'),
      typeTable(context, view));
  };
  draw();
  context.selection.onChange(draw);
  return section(context, 'layers', 'Layers in order', host);
}

function remarks(view: PointView): HTMLElement | null {
  const texts: string[] = [];
  const over = view.layers.filter((layer) => layer.latency !== null && layer.device !== null && layer.device > layer.latency);
  if (over.length > 0) {
    const most = sum(over.map((layer) => layer.device! - layer.latency!));
    texts.push(`${plural(over.length, 'layer')} with more kernel time than layer time, ${duration(most)} together: ${whyLonger(view.runs.length)}. The excess is drawn as an outline.`);
  }
  if (view.kernels.length === 0) texts.push('No kernels are known, so the bars are not split.');
  if (view.layers.every((layer) => layer.allocated === null)) texts.push('Memory was not measured.');
  return texts.length ? h('p', { class: 'note' }, texts.join(' ')) : null;
}

function layerDetail(context: Context, layer: Layer): HTMLElement {
  const facts = [layer.type, layer.shape, layer.latency === null ? null : duration(layer.latency),
    layer.allocated === null ? null : `${quantity(layer.allocated, 'byte')} allocated`].filter((text) => text !== null && text !== '');
  return h('div', { class: 'panel' },
    h('h3', {}, `${layer.index} \u00b7 ${layer.name}`), h('p', {}, facts.join(' \u00b7 ')),
    layer.kernels.length > 0 ? kernelList(context, layer.kernels) : h('p', { class: 'note' }, 'No kernels of this layer are known.'));
}

function kernelList(context: Context, kernels: Kernel[]): HTMLElement {
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
  }).element;
}

function layerTable(context: Context, view: PointView): HTMLElement {
  const longest = Math.max(...view.layers.map((layer) => layer.latency ?? 0));
  return dataTable<Layer>({
    label: 'Layers in execution order', rows: view.layers, first: 30,
    columns: [
      { title: '#', value: (row) => row.index },
      { title: 'name', text: (row) => row.name, wide: true },
      { title: 'type', text: (row) => row.type, swatch: (row) => context.palette.of(row.type) },
      { title: 'shape', text: (row) => row.shape },
      { title: 'latency', unit: 'ns', value: (row) => row.latency, bar: (row) => (row.latency ?? 0) / longest, colour: (row) => context.palette.of(row.type) },
      { title: 'in kernels', unit: 'ns', value: (row) => row.device, help: 'Union of its kernels\u2019 intervals' },
      { title: 'allocated', unit: 'byte', value: (row) => row.allocated },
      { title: 'work', unit: 'flop', value: (row) => row.flops },
      { title: 'traffic', unit: 'byte', value: (row) => row.bytes },
    ],
  }).element;
}

interface TypeRow {
  type: string;
  layers: number;
  latency: number;
  device: number | null;
  allocated: number | null;
  flops: number | null;
}

function typeTable(context: Context, view: PointView): HTMLElement {
  const whole = Math.max(view.layerRunLatency ?? 0, view.layerSum ?? 0);
  const rows = [...groupBy(view.layers, (layer) => layer.type)].map(([type, layers]): TypeRow => ({
    type,
    layers: layers.length,
    latency: sum(layers.map((layer) => layer.latency)),
    device: sumKnown(layers.map((layer) => layer.device)),
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
      { title: 'latency', unit: 'ns', value: (row) => row.latency },
      { title: 'share of the call', unit: 'ratio', value: (row) => row.latency / whole, bar: (row) => row.latency / whole, colour },
      { title: 'in kernels', unit: 'ratio', value: (row) => (row.device === null || row.latency === 0 ? null : row.device / row.latency), help: 'Union of kernel intervals over latency' },
      { title: 'allocated', unit: 'byte', value: (row) => row.allocated },
      { title: 'share of memory', unit: 'ratio', value: (row) => (row.allocated === null || memory === 0 ? null : row.allocated / memory), bar: (row) => (row.allocated ?? 0) / memory, colour },
      { title: 'work', unit: 'flop', value: (row) => row.flops },
    ],
  }).element;
}
