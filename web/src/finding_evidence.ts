// What a finding rests on: its rows, the thresholds that decided, how sure it is, what would refute
// it, and the SQL that anyone can run again.
import type { VNode } from 'preact';
import { CopyButton } from './copy_button.ts';
import { columnTitle } from './column_title.ts';
import { dataTable } from './data_table.tsx';
import { confidenceText, scaleUnit, thresholdValue } from './finding_text.ts';
import { plural } from './format.ts';
import { h, prose, type Child } from './markup.ts';
import type { Cell, Finding, FindingColumn, FindingGain, FindingThreshold } from './report_data.ts';
import type { Context } from './section.ts';
import { knownColumns, type TableColumn } from './table.ts';
import { unbrokenUnits } from './unbroken_units.ts';

type Row = Record<string, Cell>;

/** Rows shown of a finding's evidence. */
export const kMostRows = 20;
/** A text that is longer may wrap. */
const kLongText = 28;

export function findingEvidence(context: Context, finding: Finding): VNode {
  const { evidence } = finding;
  const facts: [string, Child][] = [
    ['Thresholds', thresholds(finding.threshold)],
    ['What would refute it', prose(finding.refuted_by)],
    ['Confidence', confidenceText(finding.confidence)],
  ];
  if (finding.gain) facts.unshift(['Gain', gainOf(finding.gain)]);
  return h('div', { class: 'panel finding-evidence' },
    h('p', { class: 'note' }, 'Rule ', h('code', {}, finding.id), `: ${finding.title}. `, analysisLink(context, evidence.analysis)),
    ...rowsOf(finding),
    h('dl', {}, ...facts.map(([name, value]) => h('div', {}, h('dt', {}, name), h('dd', {}, value)))),
    h('div', { class: 'command' },
      h('pre', { tabindex: 0, role: 'region', 'aria-label': `SQL of ${finding.title}` }, h('code', {}, evidence.sql.trim())), h(CopyButton, { what: 'the SQL', text: evidence.sql.trim() })),
    h('p', { class: 'note' }, 'Run it with ', h('code', {}, `xsp query ${context.data.title.experiment} 'SQL'`), '.'));
}

/** The whole gain, which findings have part of the same time, and how it was estimated. */
function gainOf({ text, method, source }: FindingGain): Child {
  return h('span', {}, `${unbrokenUnits(text)}.`, h('span', { class: 'note' }, ' \u00b7 ', prose(`${method} ${source}`)));
}

function analysisLink(context: Context, id: string | undefined): VNode | null {
  if (id === undefined || !context.data.analyses.some((analysis) => analysis.id === id)) return null;
  return h('a', { href: `#analysis-${id}` }, `Analysis ${id}`);
}

function rowsOf({ title, evidence }: Finding): VNode[] {
  const rows = evidence.rows.slice(0, kMostRows);
  if (rows.length === 0) return [];
  // A value that is missing in every row does not apply here: rules have a column for each case.
  const { known, unknown } = knownColumns(evidenceColumns(evidence.columns, rows), rows);
  const leftOut = evidence.rows.length - rows.length + (evidence.rows_left_out ?? 0);
  const notes = [
    unknown.length > 0 ? `Without a value here: ${unknown.join(', ')}.` : '',
    leftOut > 0 ? `${plural(leftOut, 'more row')}: run the SQL below.` : '',
  ].filter(Boolean);
  return [
    dataTable<Row>({ label: `Evidence: ${title}`, rows, first: kMostRows, columns: known }),
    ...(notes.length > 0 ? [h('p', { class: 'note' }, notes.join(' '))] : []),
  ];
}

/** The columns of `rows` as the page's tables show them. */
export function evidenceColumns(columns: readonly FindingColumn[], rows: readonly Row[]): TableColumn<Row>[] {
  return columns.map((column): TableColumn<Row> => {
    const shared = { title: columnTitle(column.name, column.unit), help: column.help };
    if (!['', 'name', 'shape'].includes(column.unit)) {
      return { ...shared, unit: scaleUnit(column.unit), value: (row) => numberIn(row[column.name]) };
    }
    const text = (row: Row): string | null => textIn(row[column.name]);
    return { ...shared, text, code: column.unit === 'name', wide: rows.some((row) => (text(row)?.length ?? 0) > kLongText) };
  });
}

function numberIn(cell: unknown): number | null {
  return typeof cell === 'number' ? cell : null;
}

function textIn(cell: unknown): string | null {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}

function thresholds(list: readonly FindingThreshold[]): Child {
  if (list.length === 0) return 'None: no number decides whether it holds.';
  return h('ul', { class: 'plain' }, ...list.map((item) =>
    h('li', {}, h('code', {}, item.name), ` = ${thresholdValue(item.value, item.unit)}`, h('span', { class: 'note' }, ' \u00b7 ', prose(item.source)))));
}
