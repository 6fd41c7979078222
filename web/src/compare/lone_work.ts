// What only one side runs, and what both run under different names.
import type { VNode } from 'preact';
import { dataTable } from '../data_table.tsx';
import { duration, percent, plural } from '../format.ts';
import { h } from '../markup.ts';
import { behind } from '../section.ts';
import { kSideColours, part, sideMark, type Part, type PartProperties } from './frame.ts';
import type { LoneList, Renamed } from '../compare_data.ts';
import type { PairView } from './compare_model.ts';

type Lone = LoneList['rows'][number];

export const kLone: Part = {
  id: 'only', name: 'Only on one side', Component: LoneWork,
  isShown: (_model, view) => view.pair.sums.only_a.total + view.pair.sums.only_b.total + view.pair.sums.renamed.total > 0,
};

function LoneWork({ view }: PartProperties): VNode {
  const { only_a, only_b, renamed } = view.pair.sums;
  const noun = view.pair.basis === 'device' ? 'kernels and copies' : 'layers';
  return part('only', 'Only on one side',
    only_a.total + only_b.total > 0
      ? h('div', { class: 'columns' }, [only_a, only_b].map((list, side) => lone(view, list, side as 0 | 1, noun)))
      : h('p', {}, `All ${noun} have a counterpart on the other side.`),
    renamed.total > 0 && behind(`${plural(renamed.total, 'pair')} of counterparts with different names`, () => renamedTable(view, renamed.rows)),
    [only_a, only_b, renamed].some((list) => list.rows.length < list.total) && h('p', { class: 'note' }, 'Of long lists the names with the most time are here; times are those of all.'));
}

function lone(view: PairView, list: LoneList, side: 0 | 1, noun: string): VNode {
  const total = view.pair.sides[side].total_ns;
  const longest = Math.max(1, ...list.rows.map((item) => item.time_ns));
  return h('div', {}, h('h3', {}, sideMark(side), `Only in ${side === 0 ? view.a : view.b}`),
    list.total === 0 ? h('p', { class: 'note' }, `No ${noun}.`) : h('p', { class: 'note' }, `${plural(list.total, 'name')}, ${duration(list.time_ns)}: ${percent(list.time_ns / total)} of its time.`),
    list.total > 0 && dataTable<Lone>({
      label: `Only in ${side === 0 ? view.a : view.b}`, rows: list.rows, first: 12, sort: { column: 2, descending: true },
      columns: [
        { title: 'name', text: (row) => row.name, wide: true, code: view.pair.basis === 'device' },
        { title: 'count', unit: '1', value: (row) => row.count },
        { title: 'time', unit: 'ns', value: (row) => row.time_ns, bar: (row) => row.time_ns / longest, colour: () => kSideColours[side] },
        { title: 'in', text: (row) => row.where, wide: true },
      ],
    }));
}

function renamedTable(view: PairView, list: readonly Renamed[]): VNode {
  return dataTable<Renamed>({
    label: 'Counterparts with different names', rows: list, first: 20,
    columns: [
      { title: view.a, text: (row) => row.a, wide: true, code: true },
      { title: view.b, text: (row) => row.b, wide: true, code: true },
      { title: 'operator', text: (row) => row.operator, wide: true },
      { title: 'count', unit: '1', value: (row) => row.count },
      { title: `time of ${view.a}`, unit: 'ns', scaleOf: 'time', value: (row) => row.a_ns },
      { title: `time of ${view.b}`, unit: 'ns', scaleOf: 'time', value: (row) => row.b_ns },
      { title: 'difference', unit: 'ns', scaleOf: 'time', value: (row) => (row.b_ns ?? 0) - (row.a_ns ?? 0) },
    ],
  });
}
