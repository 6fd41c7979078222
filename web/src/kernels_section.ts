// Part 7: every kernel of a model call, sortable, filtered by text and by layer type.
import { append, clear, h } from './dom.ts';
import { downloadButtons } from './download.ts';
import { plural } from './format.ts';
import type { Kernel, PointView } from './model.ts';
import { nothing, section, type Context, type PageSection } from './section.ts';
import { dataTable } from './mounted_table.ts';
import type { TableColumn } from './table.ts';

export const kSection: PageSection = { id: 'kernels', name: 'Kernels', position: 60, make: kernelsSection };

function kernelsSection(context: Context): HTMLElement {
  const host = h('div', {});
  const draw = (): void => {
    const view = context.model.view(context.selection.pointId);
    clear(host);
    if (view.kernels.length === 0) append(host, nothing(context, 'kernels', 'This point has no kernels: `xsp run --depth kernel` measures them.'));
    else append(host, ...content(context, view));
  };
  draw();
  context.selection.onChange(draw);
  return section(context, 'kernels', 'Kernels', host);
}

function content(context: Context, view: PointView): Node[] {
  const table = dataTable<Kernel>({
    label: 'Kernels of one model call', rows: view.kernels, first: 25,
    sort: { column: 2, descending: true }, columns: columns(context, view),
  });
  const search = h('input', { type: 'search', placeholder: 'name, layer, implementation', 'aria-label': 'Filter kernels' });
  const types = [...new Set(view.kernels.map((kernel) => kernel.colourType))].sort();
  const choice = h('select', { 'aria-label': 'Layer type' }, h('option', { value: '' }, 'all layer types'),
    ...types.map((type) => h('option', { value: `=${type}` }, type)));
  const state = h('span', { class: 'note', role: 'status' }, plural(view.kernels.length, 'kernel'));
  const filter = (): void => {
    const rows = matching(view.kernels, search.value, choice.value ? choice.value.slice(1) : null);
    table.setRows(rows);
    state.textContent = rows.length === view.kernels.length ? plural(rows.length, 'kernel') : `${rows.length} of ${plural(view.kernels.length, 'kernel')}`;
  };
  search.addEventListener('input', filter);
  choice.addEventListener('change', filter);
  const names = ['kernel_index', 'layer_index', 'name', 'type', 'dtype', 'implementation', 'duration_ns', 'flops', 'bytes', 'intensity', 'throughput', 'of_roof', 'bound'];
  return [
    h('div', { class: 'controls' }, search, choice, state, downloadButtons({
      name: 'kernels', columns: names,
      rows: () => view.kernels.map((kernel) => [kernel.index, kernel.layer?.index ?? null, kernel.name, kernel.type, kernel.dtype, kernel.implementation, kernel.time, kernel.flops, kernel.bytes, kernel.intensity, kernel.throughput, kernel.ofRoof, kernel.bound]),
    })),
    table.element,
  ];
}

/** Kernels of a layer type (null: all) in whose texts every word of `query` occurs. */
export function matching(kernels: readonly Kernel[], query: string, type: string | null): Kernel[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return kernels.filter((kernel) => {
    if (type !== null && kernel.colourType !== type) return false;
    const text = [kernel.name, kernel.layer?.name, kernel.layer?.type, kernel.implementation, kernel.dtype, kernel.type].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function columns(context: Context, view: PointView): TableColumn<Kernel>[] {
  let whole = 0;
  let longest = 0;
  for (const kernel of view.kernels) {
    whole += kernel.time ?? 0;
    longest = Math.max(longest, kernel.time ?? 0);
  }
  const colour = (row: Kernel): string => context.palette.of(row.colourType);
  return [
    { title: 'kernel', text: (row) => row.name, code: true, wide: true, swatch: colour },
    { title: 'layer', text: (row) => (row.layer ? `${row.layer.index} ${row.layer.name}` : null), wide: true },
    { title: 'time', unit: 'ns', value: (row) => row.time, bar: (row) => (row.time ?? 0) / longest, colour },
    { title: 'share', unit: 'ratio', value: (row) => (row.time === null ? null : row.time / whole), help: 'Share of the time of all kernels' },
    { title: 'work', unit: 'flop', value: (row) => row.flops },
    { title: 'traffic', unit: 'byte', value: (row) => row.bytes, help: 'Bytes read and written' },
    { title: 'intensity', unit: 'flop/byte', value: (row) => row.intensity },
    { title: 'throughput', unit: 'flop/s', value: (row) => row.throughput },
    { title: 'of roof', unit: 'ratio', value: (row) => row.ofRoof, bar: (row) => row.ofRoof, help: 'Throughput divided by min(peak of its data type, intensity x bandwidth); without FLOPs, bytes/s divided by bandwidth' },
    { title: 'bound', text: (row) => row.bound },
    { title: 'data type', text: (row) => row.dtype },
    { title: 'implementation', text: (row) => row.implementation ?? row.type, code: true },
  ];
}
