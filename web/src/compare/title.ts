// The answer before the evidence: the verdict, how far the sides can be compared, and what to know besides.
import type { VNode } from 'preact';
import { dataTable } from '../data_table.tsx';
import { digits, duration, kUnknown, percent, plural } from '../format.ts';
import type { PairSide } from '../compare_data.ts';
import { h, prose } from '../markup.ts';
import { behind } from '../section.ts';
import { basisText, change, kVerdicts, part, ratioText, sideMark, signed, type Part, type PartProperties } from './frame.ts';
import type { CompareModel, PairView } from './compare_model.ts';

export function verdictSentence(view: PairView): string {
  const { pair, a, b } = view;
  const ratio = ratioText(pair);
  const inBrackets = ratio ? ` (${ratio})` : '';
  const where = pair.sessions && !pair.sessions.included ? ' in these two sessions' : '';
  switch (pair.verdict) {
    case 'faster': return `${b} is faster than ${a}${where}${inBrackets}.`;
    case 'slower': return `${b} is slower than ${a}${where}${inBrackets}.`;
    case 'no_difference': return `No difference was found between ${a} and ${b}${inBrackets}.`;
    case 'equivalent': return `${a} and ${b} are equivalent within the bound${inBrackets}.`;
    case 'inconclusive': return sentence(pair.reason ?? 'the sides cannot be compared');
    case 'unknown_noise': return `${b} takes ${pair.ratio === null ? 'another' : `${digits(pair.ratio)} times the`} ${pair.basis === 'device' && pair.ratio_of === 'total' ? 'device time' : 'time'} of ${a}; whether that is noise is not known.`;
  }
}

function totals(view: PairView): VNode {
  const { pair } = view;
  return h('p', { class: 'totals' }, sideMark(0), `${view.a} `, h('strong', {}, duration(pair.sides[0].total_ns)), ' \u2003', sideMark(1), `${view.b} `,
    h('strong', {}, duration(pair.sides[1].total_ns)), ` \u2003 difference `, h('strong', { class: `change ${change(pair.difference_ns)}` }, signed(pair.difference_ns)),
    h('span', { class: 'note' }, ` \u2003${basisText(pair)}${pair.basis === 'device' ? `; wall time ${duration(pair.sides[0].wall_ns)} and ${duration(pair.sides[1].wall_ns)}` : ''}`));
}

type Status = 'green' | 'amber' | 'red' | 'unknown';
const kMarks: Record<Status, string> = { green: '\u2713', amber: '!', red: '\u2715', unknown: '?' };

function badge(status: Status, name: string, value: string, help: string, anchor: string | null): VNode {
  const content = [h('span', { class: 'badge-mark', 'aria-hidden': 'true' }, kMarks[status]), h('span', { class: 'badge-name' }, name),
    h('span', { class: 'badge-value' }, value), h('span', { class: 'badge-help' }, help)];
  return h('li', { class: `badge ${status}` }, anchor ? h('a', { href: `#${anchor}` }, ...content) : h('div', {}, ...content));
}

function badges(model: CompareModel, view: PairView): VNode {
  const { pair } = view;
  const busy = pair.sides.some((side) => model.data.sides[side.side]?.was_busy);
  const { comparable } = pair;
  const status = ({ yes: 'green', partly: 'amber', no: 'red' } as const)[comparable.verdict];
  const processes = Math.min(...pair.sides.map((side) => side.processes));
  // A run does not differ from itself.
  const isKnown = pair.low !== null || pair.verdict === 'no_difference';
  const aligned = pair.aligned_share;
  const residual = Math.abs(pair.residual_ns) / Math.max(1, pair.sides[0].total_ns, pair.sides[1].total_ns);
  return h('ul', { class: 'badges', 'aria-label': 'Reliability of this comparison' },
    badge(status, 'Comparable', comparable.verdict, comparable.differences.length === 0 ? 'nothing known differs' : 'what the sides differ in', comparable.differences.length > 0 ? 'differences' : null),
    badge(!isKnown ? 'unknown' : busy ? 'amber' : 'green', 'Noise', !isKnown ? 'not known' : processes > 1 ? `${processes} processes` : 'none', isKnown && busy ? 'other programs used the machine' : 'what two processes of one program differ by', null),
    badge(aligned === null ? 'unknown' : aligned >= 0.95 ? 'green' : 'amber', 'Aligned', percent(aligned), 'part of the time of both with a counterpart', 'tree'),
    badge(residual <= 0.01 ? 'green' : 'amber', 'In no row', duration(pair.residual_ns), 'part of the difference that no row has', null));
}

/** Title, verdict and notes of the page; with several pairs, of the one that is shown. */
export function TitleBlock({ model, view }: PartProperties): VNode {
  const { pair } = view;
  const notes = notesOf(model, view);
  return h('header', { id: 'title', class: 'title compared' }, h('h1', {}, pageTitle(model)),
    model.views.length > 1 && [overview(model), h('h2', { class: 'pair-title' }, `${view.a} \u2192 ${view.b}`)],
    h('p', { class: 'verdict' }, h('span', { class: `verdict-word ${pair.verdict}` }, kVerdicts[pair.verdict]), ' ', verdictSentence(view)),
    totals(view),
    pair.reason !== null && pair.verdict !== 'inconclusive' && h('p', { class: 'note' }, sentence(pair.reason)),
    gateList(view), commonFacts(view), badges(model, view),
    notes.length > 0 && h('ul', { class: 'doubts', 'aria-label': 'Notes' }, notes.map((note) => h('li', { class: 'amber' }, prose(note)))));
}

/** Gates and whether they were met, those that were not first. */
function gateList(view: PairView): VNode | null {
  const gates = view.pair.gates ?? [];
  if (gates.length === 0) return null;
  const kOrder = { regression: 0, inconclusive: 1, pass: 2 };
  const colours = { regression: 'red', inconclusive: 'amber', pass: 'green' };
  return h('ul', { class: 'doubts', 'aria-label': 'Gates' }, ...[...gates].sort((x, y) => kOrder[x.outcome] - kOrder[y.outcome]).map((gate) =>
    h('li', { class: colours[gate.outcome] }, h('code', {}, gate.gate), `: ${gate.outcome === 'pass' ? 'met' : gate.outcome}`,
      gate.value !== null && `, ratio ${digits(gate.value)}${gate.low !== null && gate.high !== null ? ` (${digits(gate.low)} to ${digits(gate.high)})` : ''}`,
      gate.reason !== null && `. ${sentence(gate.reason)}`)));
}

/** What both sides have in common. */
function commonFacts(view: PairView): VNode | null {
  const [a, b] = view.pair.sides;
  const all: [string, (side: PairSide) => string | null][] = [
    ['Model', (side) => side.model || null], ['Backend', (side) => side.backend || null], ['Precision', (side) => side.precision || null],
    ['Batch size', (side) => (side.batch === null ? null : String(side.batch))], ['Device', (side) => side.device || null]];
  const facts = all.filter(([, of]) => of(a) !== null && of(a) === of(b));
  if (facts.length === 0) return null;
  return h('dl', { class: 'facts', 'aria-label': 'The same on both sides' }, ...facts.map(([name, of]) => h('div', {}, h('dt', {}, name), h('dd', {}, of(a)))));
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (text.endsWith('.') ? '' : '.');
}

export function pageTitle(model: CompareModel): string {
  return model.sides.length === 2 ? model.sides.join(' and ') : model.sides.length === 1 ? model.sides[0]! : `${model.sides[0]} and ${plural(model.sides.length - 1, 'other')}`;
}

function notesOf(model: CompareModel, view: PairView): string[] {
  const notes = model.data.notes.map(sentence);
  const { without_layers: withoutLayers } = view.pair.comparable;
  if (withoutLayers) notes.push(`${withoutLayers}.`);
  for (const side of view.pair.sides)
    if (model.data.sides[side.side]?.was_busy) notes.push(`Other programs used the machine while ${model.sides[side.side]} was measured.`);
  return notes;
}

/** One line for each pair. */
function overview(model: CompareModel): VNode {
  return dataTable<PairView>({
    label: 'All pairs, each against its base', rows: model.views, first: 40,
    columns: [
      { title: 'base', text: (row) => row.a },
      { title: 'compared', text: (row) => row.b },
      { title: 'verdict', text: (row) => kVerdicts[row.pair.verdict] },
      { title: 'ratio', unit: '1', value: (row) => row.pair.ratio },
      { title: '95 % interval', text: (row) => (row.pair.low === null || row.pair.high === null ? null : `${digits(row.pair.low)} \u2013 ${digits(row.pair.high)}`) },
      { title: 'base time', unit: 'ns', scaleOf: 'time', value: (row) => row.pair.sides[0].total_ns, help: 'Per call: of device work where both sides have some, else wall time' },
      { title: 'compared time', unit: 'ns', scaleOf: 'time', value: (row) => row.pair.sides[1].total_ns },
      { title: 'comparable', text: (row) => row.pair.comparable.verdict },
    ],
  });
}

interface FactRow {
  name: string;
  a: string | null;
  b: string | null;
  matters: boolean | null;
}

function factRows(model: CompareModel, view: PairView): FactRow[] {
  const { pair } = view;
  const [a, b] = pair.sides;
  const own = (name: string, of: (side: PairSide) => string | null): FactRow => ({ name, a: of(a), b: of(b), matters: null });
  const out = [own('name', (side) => side.name), own('backend', (side) => side.backend), own('calls', (side) => String(side.calls)), own('wall time per call', (side) => duration(side.wall_ns))];
  const facts = pair.sides.map((side) => new Map(model.data.sides[side.side]?.facts.map((fact) => [fact.name, fact.value])));
  for (const name of new Set(facts.flatMap((map) => [...map.keys()])))
    out.push({ name, a: facts[0]!.get(name) ?? null, b: facts[1]!.get(name) ?? null, matters: null });
  return out;
}

export const kDifferences: Part = { id: 'differences', name: 'What differs', Component: Differences };

function Differences({ model, view }: PartProperties): VNode {
  const { differences } = view.pair.comparable;
  const rows = differences.map((item) => ({ name: item.what, a: item.a, b: item.b, matters: item.matters })).sort((x, y) => Number(y.matters) - Number(x.matters));
  return part('differences', 'What differs',
    rows.length === 0 ? h('p', {}, 'Nothing that both sides know differs.') : sideTable(view, rows, true),
    behind('All that is known of both sides', () => sideTable(view, factRows(model, view), false)));
}

function sideTable(view: PairView, rows: readonly FactRow[], withEffect: boolean): VNode {
  return dataTable<FactRow>({
    label: 'Sides', rows, first: 60, rowClass: (row) => (row.matters ? 'marked' : null),
    columns: [{ title: 'what', text: (row) => row.name }, { title: view.a, text: (row) => row.a ?? kUnknown, wide: true }, { title: view.b, text: (row) => row.b ?? kUnknown, wide: true },
      ...(withEffect ? [{ title: 'effect', text: (row: FactRow) => (row.matters ? 'can by itself explain a difference' : 'not expected to change times') }] : [])],
  });
}
