// Part 1: what was measured, and whether its numbers can be trusted.
import type { VNode } from 'preact';
import { h, type Child } from './markup.ts';
import { date } from './format.ts';
import type { Badge } from './report_data.ts';
import type { Context } from './section.ts';

export const kBadgeNames: Record<Badge['id'], string> = {
  distortion: 'Distortion', noise: 'Noise', attribution: 'Attribution', losses: 'Losses',
};
const kBadgeHelp: Record<Badge['id'], string> = {
  distortion: 'largest overhead of a level that enters a shown number',
  noise: 'how well latencies are known',
  attribution: 'kernel time tied to a layer',
  losses: 'records dropped',
};
// Never colour alone: a mark and a word carry the status too.
const kStatus: Record<Badge['status'], [mark: string, word: string]> = {
  green: ['\u2713', 'good'], amber: ['!', 'warning'], red: ['\u2715', 'bad'], unknown: ['?', 'unknown'],
};

/** What the value of a badge counts. Losses are records, or runs that did not finish where there are some. */
export function badgeHelp({ id, value }: Pick<Badge, 'id' | 'value'>): string {
  return id === 'losses' && /\bruns?$/.test(value) ? 'did not finish' : kBadgeHelp[id] ?? '';
}

export function TitleBlock({ context }: { context: Context }): VNode {
  const { title, absent } = context.data;
  const facts: [string, Child][] = [['Backend', title.backend], ['Device', title.device]];
  // Where batch sizes cannot be, no model was run.
  if (!absent.includes('batches'))
    facts.push(['Precision', title.precision_asked && title.precision_asked !== title.precision
      ? `${title.precision} (asked for: ${title.precision_asked})` : title.precision],
    ['Batch sizes', title.batches.length ? title.batches.join(', ') : 'unknown']);
  facts.push(whenMeasured(title));
  if (title.imported_from.length > 0) facts.push(['Imported from', title.imported_from.join(', ')]);
  const list = h('dl', { class: 'facts' }, facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value))));
  return h('header', { id: 'title', class: 'title' },
    h('h1', {}, title.model), list,
    h('ul', { class: 'badges', 'aria-label': 'Reliability of these numbers' },
      ...context.data.badges.map(badge)));
}

/** What was imported was recorded at another time. */
function whenMeasured(title: Context['data']['title']): [string, string] {
  if (title.recorded_at) return ['Recorded', date(title.recorded_at)];
  const imported = title.imported_from.length > 0;
  return [imported ? 'Imported' : 'Measured', title.measured_at ? date(title.measured_at) : 'unknown'];
}

function badge(item: Badge): VNode {
  const [mark, word] = kStatus[item.status] ?? kStatus.unknown;
  const content = [
    h('span', { class: 'badge-mark', 'aria-hidden': 'true' }, mark),
    h('span', { class: 'badge-name' }, kBadgeNames[item.id] ?? item.id, h('span', { class: 'hidden-text' }, `, ${word}: `)),
    h('span', { class: 'badge-value' }, item.value),
    h('span', { class: 'badge-help' }, badgeHelp(item)),
  ];
  const hint = item.sentence.replaceAll('`', '');
  return h('li', { class: `badge ${item.status}` }, item.status === 'green'
    ? h('div', { title: hint }, ...content)
    : h('a', { href: `#badge-${item.id}`, title: hint }, ...content));
}
