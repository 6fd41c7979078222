// How the devices of each side spent a step: computing, communicating, copying, idle.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { dataTable } from '../data_table.tsx';
import { duration, percent, plural } from '../format.ts';
import { h } from '../markup.ts';
import { inkOn, kHues } from '../palette.ts';
import type { DeviceTime } from '../compare_data.ts';
import { tipOn, showTip } from '../tooltip.ts';
import { part, sideMark, signed, type Part, type PartProperties } from './frame.ts';
import type { CompareModel, PairView } from './compare_model.ts';

/** Parts of a step that share no time. */
export interface Share {
  name: string;
  /** ns. */
  time: number;
  colour: string | null;
}

/** Blue and orange are the sides here. */
const kColours = { compute: kHues[2]!, communication: kHues[3]!, copy: kHues[5]! };

export function shares(time: DeviceTime): Share[] {
  const copies = Math.max(0, time.total_ns - time.idle_ns - time.compute_ns - time.exposed_communication_ns);
  return [
    { name: 'compute', time: time.compute_ns, colour: kColours.compute },
    { name: 'communication', time: time.exposed_communication_ns, colour: kColours.communication },
    { name: 'copies', time: copies, colour: kColours.copy },
    { name: 'idle', time: time.idle_ns, colour: null },
  ];
}

const kCauses: Record<string, string> = {
  host: 'the host launched too late', launch: 'launches had not arrived yet', kernel: 'gaps between kernels',
  other: 'launched work waited for something else', unknown: 'its launch is not in the trace',
};

interface Row {
  name: string;
  times: [number | null, number | null];
  isCause: boolean;
}

export const kDevice: Part = {
  id: 'device', name: 'Device time', Component: Device,
  isShown: (_model, view) => view.pair.sides.every((side) => side.device_time),
};

function Device({ model, view }: PartProperties): VNode {
  const [a, b] = view.pair.sides.map((side) => side.device_time!) as [DeviceTime, DeviceTime];
  const longest = Math.max(a.total_ns, b.total_ns);
  const shown = useMemo(() => table(model, view, a, b), [model, view]);
  return part('device', 'Device time per step',
    h('figure', { class: 'stacks', role: 'img', 'aria-label': 'Device time of a step on both sides; the table below has the numbers' }, stack(view.a, 0, a, longest), stack(view.b, 1, b, longest), legend(a, b)),
    shown,
    h('p', { class: 'note' }, `Means over ${plural(a.steps, 'step')} of ${view.a} and ${plural(b.steps, 'step')} of ${view.b}, all devices together. Communication and copies count while nothing computes.`));
}

function stack(name: string, side: 0 | 1, time: DeviceTime, longest: number): VNode {
  const width = (value: number): string => `${((100 * value) / longest).toFixed(3)}%`;
  return h('div', { class: 'stack' }, h('div', { class: 'stack-name' }, sideMark(side), `${name} `, h('span', { class: 'note' }, duration(time.total_ns))),
    h('div', { class: 'stack-bar' }, ...shares(time).filter((item) => item.time > 0).map((item) =>
      h('div', {
        ...tipOn((x, y) => showTip(x, y, `${name}: ${item.name}`, [{ name: 'time', value: duration(item.time) }, { name: 'of the step', value: percent(item.time / time.total_ns) }])),
        class: item.colour === null ? 'stack-part idle' : 'stack-part', style: `width:${width(item.time)};${item.colour === null ? '' : `background:${item.colour};color:${inkOn(item.colour)}`}`,
      }, item.time / longest > 0.12 ? h('span', {}, `${item.name} ${percent(item.time / time.total_ns)}`) : null))));
}

function legend(a: DeviceTime, b: DeviceTime): VNode {
  const [of_a, of_b] = [shares(a), shares(b)];
  return h('ul', { class: 'legend', 'aria-label': 'What the colours mean' }, ...of_a.filter((item, index) => item.time > 0 || of_b[index]!.time > 0).map((item) =>
    h('li', {}, h('span', { class: item.colour === null ? 'swatch waiting' : 'swatch', style: item.colour === null ? null : `background:${item.colour}` }), item.name)));
}

function table(model: CompareModel, view: PairView, a: DeviceTime, b: DeviceTime): VNode {
  const [of_a, of_b] = [shares(a), shares(b)];
  const rows: Row[] = of_a.map((item, index) => ({ name: item.name, times: [item.time, of_b[index]!.time] as [number, number], isCause: false }))
    .filter((row) => row.times.some((time) => time !== 0));
  const causes = view.pair.sides.map((side) => new Map(model.data.sides[side.side]?.details?.idle_causes.map((item) => [item.cause, item.idle_ns])));
  for (const cause of new Set(causes.flatMap((map) => [...map.keys()])))
    rows.push({ name: `idle: ${kCauses[cause] ?? cause}`, times: [causes[0]!.get(cause) ?? (causes[0]!.size > 0 ? 0 : null), causes[1]!.get(cause) ?? (causes[1]!.size > 0 ? 0 : null)], isCause: true });
  rows.push({ name: 'step', times: [a.total_ns, b.total_ns], isCause: false });
  return dataTable<Row>({
    label: 'Device time per step', rows, first: 20,
    columns: [
      { title: 'part', text: (row) => row.name, wide: true },
      { title: view.a, unit: 'ns', scaleOf: 'time', value: (row) => row.times[0] },
      { title: view.b, unit: 'ns', scaleOf: 'time', value: (row) => row.times[1] },
      { title: 'difference', text: (row) => (row.times[0] === null || row.times[1] === null ? null : signed(row.times[1] - row.times[0])) },
      { title: `share of ${view.a}`, unit: 'ratio', value: (row) => (row.times[0] === null ? null : row.times[0] / a.total_ns) },
      { title: `share of ${view.b}`, unit: 'ratio', value: (row) => (row.times[1] === null ? null : row.times[1] / b.total_ns) },
    ],
  });
}
