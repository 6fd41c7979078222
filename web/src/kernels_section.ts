// Part 7: every kernel of a model call, sortable, filtered by text and by layer type.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { dataTable } from './data_table.tsx';
import { DownloadButtons } from './download.ts';
import { plural } from './format.ts';
import { layerText } from './layer_text.ts';
import { h } from './markup.ts';
import type { Kernel, PointView } from './model.ts';
import { nothing, Section, type Context, type PageSection } from './section.ts';
import type { TableColumn } from './table.ts';

export const kSection: PageSection = { id: 'kernels', name: 'Kernels', position: 60, Component: KernelsSection };

function KernelsSection({ context }: { context: Context }): VNode {
  const { pointId } = context.selection;
  const view = context.model.view(pointId);
  return h(Section, { context, id: 'kernels', title: 'Kernels' }, view.kernels.length === 0
    ? nothing(context, 'kernels', 'This point has no kernels: `xsp run --depth kernel` measures them.')
    : h(KernelTable, { key: pointId, context, view }));
}

/** Columns of the file that a reader downloads. */
const kNames = ['kernel_index', 'layer_index', 'name', 'type', 'dtype', 'implementation', 'duration_ns', 'flops', 'bytes', 'intensity', 'throughput', 'of_roof', 'bound'];

function KernelTable({ context, view }: { context: Context; view: PointView }): VNode {
  const { kernels } = view;
  const [query, setQuery] = useState('');
  const [type, setType] = useState<string | null>(null);
  const rows = useMemo(() => matching(kernels, query, type), [kernels, query, type]);
  const types = useMemo(() => [...new Set(kernels.map((kernel) => kernel.colourType))].sort(), [kernels]);
  const shown = useMemo(() => columns(context, view), [context, view]);
  const choose = (event: Event): void => {
    const { value } = event.currentTarget as HTMLSelectElement;
    setType(value ? value.slice(1) : null);
  };
  return h('div', {},
    h('div', { class: 'controls' },
      h('input', { type: 'search', placeholder: 'name, layer, implementation', 'aria-label': 'Filter kernels', value: query, onInput: (event: Event) => setQuery((event.currentTarget as HTMLInputElement).value) }),
      h('select', { 'aria-label': 'Layer type', onChange: choose }, h('option', { value: '' }, 'all layer types'), types.map((item) => h('option', { value: `=${item}` }, item))),
      h('span', { class: 'note', role: 'status' }, rows.length === kernels.length ? plural(rows.length, 'kernel') : `${rows.length} of ${plural(kernels.length, 'kernel')}`),
      h(DownloadButtons, { source: {
        name: 'kernels', columns: kNames,
        rows: () => kernels.map((kernel) => [kernel.index, kernel.layer?.index ?? null, kernel.name, kernel.type, kernel.dtype, kernel.implementation, kernel.time, kernel.flops, kernel.bytes, kernel.intensity, kernel.throughput, kernel.ofRoof, kernel.bound]),
      } })),
    dataTable<Kernel>({ label: 'Kernels of one model call', rows, allRows: kernels, first: 25, sort: { column: 2, descending: true }, columns: shown }));
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
    { title: 'layer', text: (row) => (row.layer ? `${row.layer.index} ${row.layer.name}` : null), short: (row) => (row.layer ? layerText(row.layer.index, row.layer.name) : null), wide: true },
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
