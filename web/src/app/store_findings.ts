// The findings of many experiments by rule: the request, the address, and the words of the page.
import { isUnnoticeable } from '../finding_text.ts';
import { coarseDuration, count, percent, plural } from '../format.ts';
import type { Finding, Severity } from '../report_data.ts';
import { experimentAddress, withFields } from './addresses.ts';
import { filterOf, type ExperimentFilter } from './experiment_filter.ts';

/** A row of a rule, as `xsp store known` answers. */
export interface FindingRow {
  experiment: string;
  created: string;
  model: string;
  backend: string;
  /** "PyTorch 2.15.0, cpu, float32, batch 8"; empty: the experiment has no point. */
  point: string;
  sentence: string;
  /** Low, expected and high; null: not known. */
  gain_ns: Finding['gain_ns'];
  gain: Pick<NonNullable<Finding['gain']>, 'whole' | 'whole_ns'> | null;
}

export interface RuleGroup {
  id: string;
  title: string;
  severity: Severity;
  /** Number of those that have the finding. */
  experiments: number;
  abstained: number;
  models: string[];
  /** null: no gain is known. */
  gain: { experiments: number; largest_share: number; largest_experiment: string; median_share: number; total_ns: number; total_once_ns: number } | null;
  rows: FindingRow[];
}

export interface StoreFindings {
  experiments: number;
  known: number;
  not_known: number;
  unreadable: { experiment: string; reason: string }[];
  rules: RuleGroup[];
}

export const kOrders = { experiments: 'most experiments', gain: 'largest gain', time: 'total time' } as const;
export type RuleOrder = keyof typeof kOrders;
export const kSeverities: readonly Severity[] = ['warning', 'notice', 'info'];

/** What the address of the page states. */
export interface FindingsView {
  filter: ExperimentFilter;
  /** Empty: all. */
  severity: string;
  order: RuleOrder;
  /** Ids of the rules whose experiments are shown. */
  open: string[];
}

export function findingsView(search: string): FindingsView {
  const fields = new URLSearchParams(search);
  const order = fields.get('order') ?? '';
  const severity = fields.get('severity') ?? '';
  return {
    filter: filterOf(search),
    severity: (kSeverities as readonly string[]).includes(severity) ? severity : '',
    order: Object.hasOwn(kOrders, order) ? order as RuleOrder : 'experiments',
    open: [...new Set(fields.getAll('rule').filter((rule) => rule !== ''))],
  };
}

export function findingsAddress({ filter, severity, order, open }: FindingsView): string {
  return withFields('/findings', { ...filter, severity, order: order === 'experiments' ? '' : order, rule: open });
}

/** To the finding on the page of its experiment. */
export function findingAddress(experiment: string, rule: string): string {
  return withFields(experimentAddress(experiment), { finding: rule });
}

/** The fields of the operations that the filter means. */
export function findingsRequest(filter: ExperimentFilter, severity: string): Record<string, unknown> {
  const { text, model, backend, machine, tag, since, until } = filter;
  const all = { text, model, backend, machine, tag: tag === '' ? [] : [tag], since, until, severity: severity === '' ? [] : [severity] };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value.length > 0));
}

/** `rules` come ordered by their numbers of experiments. */
export function ordered(rules: readonly RuleGroup[], order: RuleOrder): RuleGroup[] {
  if (order === 'experiments') return [...rules];
  const value = ({ gain }: RuleGroup): number => (gain === null ? -1 : order === 'gain' ? gain.largest_share : gain.total_ns);
  return rules.toSorted((a, b) => value(b) - value(a));
}

/** "12 experiments of 3 models". */
export function spreadText({ experiments, models }: RuleGroup): string {
  const of = models.length === 0 ? '' : models.length === 1 ? ` of ${models[0]}` : ` of ${plural(models.length, 'model')}`;
  return plural(experiments, 'experiment') + of;
}

/** "saves up to 34 %, median 12 %; 5.6 ms in one call or step of each"; null: no gain is known or expected that can be noticed. */
export function gainsText({ gain, experiments }: RuleGroup): string | null {
  if (gain === null || isUnnoticeable(gain.largest_share)) return null;
  const median = isUnnoticeable(gain.median_share) ? 'below a thousandth' : percent(gain.median_share);
  const shares = experiments === 1 ? `saves ${percent(gain.largest_share)}` : `saves up to ${percent(gain.largest_share)}, median ${median}`;
  return [shares, timesText(gain.total_ns, gain.total_once_ns, experiments)].filter(Boolean).join('; ');
}

function timesText(repeated_ns: number, once_ns: number, experiments: number): string {
  const times: string[] = [];
  if (repeated_ns > 0) times.push(`${coarseDuration(repeated_ns)} ${experiments === 1 ? 'a call' : 'in one call or step of each'}`);
  if (once_ns > 0) times.push(`${coarseDuration(once_ns)} of whole recordings and programs`);
  return times.join(', ');
}

/** Whether the heading of a rule can only state what it saves at most: gains are known, none is expected that can be noticed. */
export function hasOnlyLimits(group: RuleGroup): boolean {
  return group.gain !== null && gainsText(group) === null;
}

/** "saves at most 4.20 %; 420 µs a call": of `rows`, all those of a rule of which nothing is expected; null: that cannot be noticed either. */
export function limitsText(rows: readonly FindingRow[]): string | null {
  let [largest, repeated_ns, once_ns] = [0, 0, 0];
  for (const { gain_ns, gain } of rows) {
    if (gain_ns === null || gain === null) continue;
    const high_ns = gain_ns[2];
    largest = Math.max(largest, high_ns / gain.whole_ns);
    if (isUnnoticeable(high_ns / gain.whole_ns)) continue;
    if (gain.whole === 'call' || gain.whole === 'step') repeated_ns += high_ns;
    else once_ns += high_ns;
  }
  return isUnnoticeable(largest) ? null : `saves at most ${percent(largest)}; ${timesText(repeated_ns, once_ns, rows.length)}`;
}

/** "Findings of 12 of 30 experiments are known." */
export function knownText({ known, experiments, unreadable }: StoreFindings): string {
  const readable = experiments - unreadable.length;
  return known === readable ? `Findings of ${plural(known, 'experiment')}.` : `The findings of ${count(known)} of ${plural(readable, 'experiment')} are known.`;
}
