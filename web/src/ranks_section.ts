// The ranks of a distributed run side by side: one strip a device, all on one time, so that a
// straggler shows as a longer strip and those who wait for it as communication.
import { activityColours, kActivities, type Activity } from './activity.ts';
import { linearTicks, tickText } from './axis.ts';
import type { VNode } from 'preact';
import { ChartHost } from './chart_host.ts';
import { dataTable } from './data_table.tsx';
import { duration, percent, scaleFor } from './format.ts';
import { h, type Child } from './markup.ts';
import type { RankRow, Ranks } from './report_data.ts';
import { behind, Section, type Context, type PageSection } from './section.ts';
import { activityLegend } from './timeline_section.ts';
import { hideTip, showTip } from './tooltip.ts';

const kRow = 30;
const kStrip = 22;
const kAxis = 22;

export const kSection: PageSection = { id: 'ranks', name: 'Ranks', position: 90, Component: RanksSection, isShown: (data) => data.ranks.length > 0 };

function RanksSection({ context }: { context: Context }): VNode {
  const { pointId } = context.selection;
  const ranks = context.data.ranks.find((item) => item.point_id === pointId);
  return h(Section, { context, id: 'ranks', title: 'Ranks' },
    ranks ? h('div', { key: pointId }, content(ranks)) : h('p', { class: 'gap' }, 'This point has one rank.'));
}

/** "rank 3", with the device where a rank has several. */
export function rankName(ranks: Ranks, row: RankRow): string {
  const alone = ranks.rows.filter((other) => other.rank === row.rank).length === 1;
  return alone || row.device === null ? `rank ${row.rank}` : `rank ${row.rank}, device ${row.device}`;
}

/** Time from a device's first to its last kernel in which nothing ran, ns. */
export function idleOf(row: RankRow): number {
  return Math.max(0, row.last_ns - row.first_ns - row.compute_ns - row.communication_ns - row.copy_ns);
}

/** Who ends last, who computes most, and how far apart they are. */
export function summary(ranks: Ranks): string {
  const by = (value: (row: RankRow) => number): RankRow[] => [...ranks.rows].sort((a, b) => value(b) - value(a));
  const [most, least] = [by((row) => row.compute_ns)[0]!, by((row) => row.compute_ns).at(-1)!];
  const [last, first] = [by((row) => row.last_ns)[0]!, by((row) => row.last_ns).at(-1)!];
  const texts = [`Over ${duration(ranks.duration_ns)}, ${rankName(ranks, most)} computes longest (${duration(most.compute_ns)}), ${rankName(ranks, least)} shortest (${duration(least.compute_ns)}, ${percent(1 - least.compute_ns / Math.max(1, most.compute_ns))} less).`];
  if (last !== first) texts.push(`${capital(rankName(ranks, last))} ends last, ${duration(last.last_ns - first.last_ns)} after ${rankName(ranks, first)}.`);
  const waits = by((row) => row.communication_ns)[0]!;
  if (waits.communication_ns > 0) texts.push(`${capital(rankName(ranks, waits))} spends longest in communication that no computing hides: ${duration(waits.communication_ns)}, ${percent(waits.communication_ns / ranks.duration_ns)}.`);
  return texts.join(' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function content(ranks: Ranks): Child {
  return [
    h('p', {}, summary(ranks)),
    h('p', { class: 'note' }, `One strip per device, all on one time axis in segments of ${duration(ranks.stretch_ns)}: the height of a colour is its share of the segment. Communication counts while nothing computes, copies while nothing else runs; empty parts are idle. Clocks are those of the files.`),
    activityLegend(),
    h(ChartHost, { draw: (width) => strips(ranks, width), kind: 'ranks', attributes: { role: 'img', 'aria-label': `${summary(ranks)} The table below has the numbers.` } }),
    behind('The ranks as a table', () => table(ranks)),
  ];
}

function strips(ranks: Ranks, width: number): VNode {
  const own = activityColours();
  const left = width > 520 ? 120 : 64;
  const right = width - 12;
  const height = ranks.rows.length * kRow + kAxis;
  const x = (time: number): number => left + (time / ranks.duration_ns) * (right - left);
  const step = ((right - left) * ranks.stretch_ns) / ranks.duration_ns;
  const scale = scaleFor([ranks.duration_ns / 2], 'ns');
  const ticks = linearTicks(ranks.duration_ns * scale.factor, Math.max(2, Math.floor((right - left) / 110)));
  return h('svg', { width, height, viewBox: `0 0 ${width} ${height}`, onPointerMove: (event: PointerEvent) => tipOf(ranks, event, left, right), onPointerLeave: hideTip },
    ticks.map((tick) => {
      const at = x(tick / scale.factor);
      return [h('line', { class: 'rank-grid', x1: at, x2: at, y1: 0, y2: height - kAxis + 4 }),
        h('text', { x: Math.min(at, right - 20), y: height - 6, 'text-anchor': 'middle' }, `${tickText(tick)} ${scale.unit}`)];
    }),
    ranks.rows.map((row, index) => {
      const top = index * kRow + (kRow - kStrip) / 2;
      const below = new Array<number>(row.strip.compute.length).fill(0);
      return [
        h('text', { class: 'row-name', x: 0, y: top + kStrip / 2 + 4 }, width > 520 ? rankName(ranks, row) : `${row.rank}${rankName(ranks, row).includes(',') ? `:${row.device}` : ''}`),
        h('rect', { class: 'rank-span', x: x(row.first_ns), y: top, width: Math.max(1, x(row.last_ns) - x(row.first_ns)), height: kStrip }),
        kActivities.map((activity) => h('path', { fill: own[activity], d: stripPath(row.strip[activity], below, { left, step, bottom: top + kStrip, right }) }))];
    }));
}

function tipOf(ranks: Ranks, event: PointerEvent, left: number, right: number): void {
  const box = (event.currentTarget as Element).getBoundingClientRect();
  const row = ranks.rows[Math.floor((event.clientY - box.top) / kRow)];
  const part = Math.floor((((event.clientX - box.left) - left) / (right - left)) * (ranks.duration_ns / ranks.stretch_ns));
  if (!row || part < 0 || part >= row.strip.compute.length) return hideTip();
  showTip(event.clientX, event.clientY, rankName(ranks, row), [
    { name: 'from', value: duration(part * ranks.stretch_ns) },
    ...kActivities.map((activity: Activity) => ({ name: activity, value: percent(row.strip[activity][part]! / 1000) })),
    { name: 'idle', value: percent(Math.max(0, 1 - kActivities.reduce((all, activity) => all + row.strip[activity][part]!, 0) / 1000)) }]);
}

/** One area of boxes on top of `below`, which grows by it. */
function stripPath(shares: readonly number[], below: number[], at: { left: number; step: number; bottom: number; right: number }): string {
  const path: string[] = [];
  const round = (value: number): number => Math.round(value * 100) / 100;
  shares.forEach((share, part) => {
    const base = below[part]!;
    below[part] = base + share;
    if (share <= 0) return;
    const from = at.left + part * at.step;
    const to = Math.min(at.right, from + at.step);
    path.push(`M${round(from)} ${round(at.bottom - (base / 1000) * kStrip)}H${round(to)}V${round(at.bottom - ((base + share) / 1000) * kStrip)}H${round(from)}Z`);
  });
  return path.join('');
}

function table(ranks: Ranks): VNode {
  const own = activityColours();
  const span = (row: RankRow): number => Math.max(1, row.last_ns - row.first_ns);
  const share = (value: (row: RankRow) => number, colour?: string) => ({
    unit: 'ratio', value: (row: RankRow) => value(row) / span(row), bar: (row: RankRow) => value(row) / span(row), ...(colour ? { colour: () => colour } : {}) });
  const hasSteps = ranks.rows.some((row) => row.step_ns !== null);
  return dataTable<RankRow>({
    label: 'Ranks', rows: ranks.rows, first: 64,
    columns: [
      { title: 'rank', text: (row) => rankName(ranks, row) },
      { title: 'device', unit: '1', value: (row) => row.device },
      { title: 'kernels', unit: '1', value: (row) => row.kernels },
      { title: 'first', unit: 'ns', value: (row) => row.first_ns, help: 'Start of its first kernel' },
      { title: 'last', unit: 'ns', value: (row) => row.last_ns, help: 'End of its last kernel' },
      ...(hasSteps ? [{ title: 'step', unit: 'ns', value: (row: RankRow) => row.step_ns, help: 'Mean of its steps' }] : []),
      { title: 'compute', unit: 'ns', value: (row) => row.compute_ns },
      { title: 'compute share', help: 'Share of the time from its first to its last kernel', ...share((row) => row.compute_ns, own.compute) },
      { title: 'communication', help: 'Not hidden by computation; share of the time from its first to its last kernel', ...share((row) => row.communication_ns, own.communication) },
      { title: 'copies', help: 'With nothing else running', ...share((row) => row.copy_ns, own.copy) },
      { title: 'idle', ...share(idleOf) },
    ],
  });
}
