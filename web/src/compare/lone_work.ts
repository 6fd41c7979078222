// What only one side runs, and what both run under different names.
import { h } from '../dom.ts';
import { duration, percent, plural } from '../format.ts';
import { behind } from '../section.ts';
import { dataTable } from '../table.ts';
import { kSideColours, part, sideMark, type Part } from './frame.ts';
import { loneWork, renamedWork, type Lone, type PairView, type Renamed } from './compare_model.ts';

export const kLone: Part = {
  id: 'only', name: 'Only on one side',
  make(_model, view) {
    const lists = [loneWork(view, 'a'), loneWork(view, 'b')] as const;
    const renamed = renamedWork(view);
    if (lists[0].length + lists[1].length + renamed.length === 0) return null;
    const noun = view.pair.basis === 'device' ? 'kernels and copies' : 'layers';
    return part('only', `Only on one side`,
      lists[0].length + lists[1].length > 0
        ? h('div', { class: 'columns' }, ...lists.map((list, side) => lone(view, list, side as 0 | 1, noun)))
        : h('p', {}, `All ${noun} have a counterpart on the other side.`),
      renamed.length > 0 && behind(`${plural(renamed.length, 'pair')} of counterparts with different names`, () => renamedTable(view, renamed)));
  },
};

function lone(view: PairView, list: readonly Lone[], side: 0 | 1, noun: string): HTMLElement {
  const total = view.pair.sides[side].total_ns;
  const time = list.reduce((sum, item) => sum + item.time, 0);
  const longest = Math.max(1, ...list.map((item) => item.time));
  return h('div', {}, h('h3', {}, sideMark(side), `Only in ${side === 0 ? view.a : view.b}`),
    list.length === 0 ? h('p', { class: 'note' }, `No ${noun}.`) : h('p', { class: 'note' }, `${duration(time)}, ${percent(time / total)} of its time.`),
    list.length > 0 && dataTable<Lone>({
      label: `Only in ${side === 0 ? view.a : view.b}`, rows: list, first: 12, sort: { column: 2, descending: true },
      columns: [
        { title: 'name', text: (row) => row.name, wide: true, code: view.pair.basis === 'device' },
        { title: 'count', unit: '1', value: (row) => row.count },
        { title: 'time', unit: 'ns', value: (row) => row.time, bar: (row) => row.time / longest, colour: () => kSideColours[side] },
        { title: 'in', text: (row) => row.where, wide: true },
      ],
    }).element);
}

function renamedTable(view: PairView, list: readonly Renamed[]): HTMLElement {
  return dataTable<Renamed>({
    label: 'Counterparts with different names', rows: list, first: 20,
    columns: [
      { title: view.a, text: (row) => row.a, wide: true, code: true },
      { title: view.b, text: (row) => row.b, wide: true, code: true },
      { title: 'operator', text: (row) => row.operator, wide: true },
      { title: 'count', unit: '1', value: (row) => row.count },
      { title: `time of ${view.a}`, unit: 'ns', scaleOf: 'time', value: (row) => row.aTime },
      { title: `time of ${view.b}`, unit: 'ns', scaleOf: 'time', value: (row) => row.bTime },
      { title: 'difference', unit: 'ns', scaleOf: 'time', value: (row) => row.bTime - row.aTime },
    ],
  }).element;
}
