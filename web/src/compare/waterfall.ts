// From the time of the first side to that of the second, step by step.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { dataTable } from '../data_table.tsx';
import { axisScale, duration, plural } from '../format.ts';
import { h } from '../markup.ts';
import { Palette, kHues } from '../palette.ts';
import type { Cell } from '../report_data.ts';
import { behind, Segmented } from '../section.ts';
import { shortName } from '../short_name.ts';
import { VegaChart } from '../vega_chart.ts';
import { part, signed, type Part, type PartProperties } from './frame.ts';
import { contributions, groupings, partsInAll, type Contribution, type Grouping, type PairView } from './compare_model.ts';

const kSteps = 12;
const kNames: Record<Grouping, string> = { types: 'Operator types', modules: 'Modules', operators: 'Operators', leaves: 'Kernels' };

export const kWaterfall: Part = {
  id: 'waterfall', name: 'Where the difference is', Component: Waterfall,
  isShown: (_model, view) => choicesOf(view).length > 0,
};

function choicesOf(view: PairView): Grouping[] {
  return groupings(view).filter((grouping) => contributions(view, grouping).length > 0);
}

function Waterfall({ view }: PartProperties): VNode {
  const choices = choicesOf(view);
  const [grouping, setGrouping] = useState(choices[0]!);
  const name = (choice: Grouping): string => (choice === 'leaves' && view.pair.basis === 'host' ? 'Layers' : kNames[choice]);
  return part('waterfall', 'Where the difference is',
    choices.length > 1 && h('div', { class: 'controls' }, h(Segmented<Grouping>, { label: 'Steps of the waterfall', options: choices.map((value) => ({ value, text: name(value) })), chosen: grouping, onChange: setGrouping })),
    h(Picture, { key: grouping, view, grouping }));
}

/** A step of the waterfall: the difference before it and after it, ns. */
export interface Step {
  name: string;
  detail: string;
  from: number;
  to: number;
  kind: 'more' | 'less' | 'whole';
}

/** The largest steps, all others together, and the whole. */
export function steps(view: PairView, grouping: Grouping, most: number): Step[] {
  const all = contributions(view, grouping);
  const inAll = partsInAll(view, grouping);
  const shown = all.slice(0, most);
  const out: Step[] = [];
  let at = 0;
  const add = (name: string, detail: string, difference: number): void => {
    out.push({ name, detail, from: at, to: at + difference, kind: difference > 0 ? 'more' : 'less' });
    at += difference;
  };
  for (const item of shown) add(shortName(item.name, 48), item.detail, item.difference);
  const rest = view.pair.difference_ns - at;
  const others = inAll === null ? Infinity : inAll - shown.length;
  if (others > 0 || Math.abs(rest) > 1e-6 * Math.max(1, Math.abs(view.pair.difference_ns)))
    add(others === Infinity ? 'all others' : others > 0 ? plural(others, 'other') : 'in no row shown', 'all that is not above', rest);
  out.push({ name: 'difference of the whole', detail: `${view.a} to ${view.b}`, from: 0, to: view.pair.difference_ns, kind: 'whole' });
  return out;
}

function Picture({ view, grouping }: { view: PairView; grouping: Grouping }): VNode {
  const all = useMemo(() => contributions(view, grouping), [view, grouping]);
  const { rows, unit } = useMemo(() => {
    const list = steps(view, grouping, kSteps);
    const scale = axisScale(list.flatMap((step) => [step.from, step.to]), 'ns');
    return { unit: scale.unit, rows: list.map((step, index): Record<string, Cell> => ({
      step: `${index + 1}`, name: step.name, where: step.detail, from: step.from * scale.factor, to: step.to * scale.factor,
      change: signed(step.to - step.from), kind: kKinds[step.kind], end: Math.max(step.from, step.to) * scale.factor })) };
  }, [view, grouping]);
  const picture = { title: 'Steps from one side to the other', spec: spec(rows, unit, view), palette: new Palette([]), fact: (name: string, value: unknown) => ({ name, value: String(value) }) };
  return h('div', {},
    h('figure', {}, h(VegaChart, { picture, rows }), h('figcaption', {}, `Differences from the time of ${view.a}, the largest first: to the right ${view.b} takes longer, to the left less.`)),
    behind('All steps as a table', () => table(view, all)));
}

const kKinds = { more: 'takes longer', less: 'takes less', whole: 'whole' } as const;

function spec(rows: readonly Record<string, Cell>[], unit: string, view: PairView): Record<string, unknown> {
  const narrow = window.innerWidth < 620;
  const y = { field: 'step', type: 'nominal', sort: rows.map((row) => row['step']), title: null,
    axis: { labelExpr: `{${rows.map((row) => `${JSON.stringify(row['step'])}: ${JSON.stringify(row['name'])}`).join(', ')}}[datum.value]`, labelLimit: narrow ? 130 : 300, ticks: false, domain: false, labelPadding: 8 } };
  const tooltip = ['name', 'where', 'change'].map((field) => ({ field, type: 'nominal' }));
  // Room for the text beside the longest bar.
  const ends = rows.flatMap((row) => [row['from'] as number, row['to'] as number, 0]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const room = (high - low || 1) * (narrow ? 0.45 : 0.14);
  return {
    height: { step: 26 },
    encoding: { y },
    layer: [
      { mark: { type: 'bar', height: 15 }, encoding: {
        x: { field: 'from', type: 'quantitative', title: `time more than ${view.a} (${unit})`, scale: { domain: [low, high + room], nice: false }, axis: { tickCount: narrow ? 4 : 7 } }, x2: { field: 'to' }, tooltip,
        color: { field: 'kind', type: 'nominal', title: null, legend: { orient: 'top' }, scale: { domain: Object.values(kKinds), range: [kHues[3], kHues[2], '#8f9aa3'] } } } },
      { mark: { type: 'rule', strokeOpacity: 0.5 }, encoding: { x: { datum: 0 }, y: { value: 0 }, y2: { value: 'height' } } },
      { mark: { type: 'text', align: 'left', dx: 5, fontSize: 11 }, encoding: { x: { field: 'end', type: 'quantitative' }, text: { field: 'change' } } },
    ],
  };
}

function table(view: PairView, all: readonly Contribution[]): VNode {
  return h('div', {}, dataTable<Contribution>({
    label: 'Steps from one side to the other', rows: all, first: 30,
    columns: [
      { title: 'what', text: (row) => row.name, wide: true },
      { title: 'in', text: (row) => row.detail, wide: true },
      { title: view.a, unit: 'ns', scaleOf: 'time', value: (row) => row.a },
      { title: view.b, unit: 'ns', scaleOf: 'time', value: (row) => row.b },
      { title: 'difference', unit: 'ns', scaleOf: 'time', value: (row) => row.difference },
    ],
  }), view.pair.rows.rows_left_out > 0 && h('p', { class: 'note' }, `The page carries the rows with the largest differences; ${view.pair.rows.rows_left_out} others are left out. \`xsp compare --format json\` has all.`),
  h('p', { class: 'note' }, `Difference of the whole: ${duration(view.pair.difference_ns)}.`));
}
