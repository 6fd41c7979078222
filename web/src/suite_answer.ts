// One answer of `xsp suite`: its pictures, the table behind each, then the tables without a picture.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { dataTable } from './data_table.tsx';
import { columnTitle } from './column_title.ts';
import { hasMarks } from './chart_spec.ts';
import { DownloadButtons } from './download.ts';
import { isShare, kUnknown, plural, quantity } from './format.ts';
import { h, prose, type Child } from './markup.ts';
import { Palette } from './palette.ts';
import type { Cell } from './report_data.ts';
import type { Answer, AnswerChart, AnswerColumn, AnswerTable } from './suite_data.ts';
import type { TableColumn } from './table.ts';
import type { Fact } from './tooltip.ts';
import { VegaChart } from './vega_chart.ts';

type Row = Record<string, Cell>;

export function AnswerParts({ answer }: { answer: Answer }): VNode {
  const out: Child[] = [];
  const shown = new Set<string>();
  for (const chart of answer.charts) {
    const table = answer.tables.find((item) => item.id === chart.table) ?? null;
    if (!hasPicture(chart, table)) continue;
    out.push(h(ChartFigure, { answer, chart, table }));
    if (!table || shown.has(table.id)) continue;
    shown.add(table.id);
    // Class "how": paper, where nothing can be opened, shows it.
    out.push(h('details', { class: 'how behind' }, h('summary', {}, tableTitle(table)), tableBody(answer, table)));
  }
  const empty = answer.tables.filter((table) => table.rows.length === 0);
  for (const table of answer.tables)
    if (!shown.has(table.id) && !empty.includes(table))
      out.push(h('section', { class: 'part', 'aria-labelledby': `${answer.answer}-${table.id}-title` },
        h('h3', { id: `${answer.answer}-${table.id}-title` }, table.title), tableBody(answer, table)));
  // A heading over nothing is read for nothing.
  if (empty.length > 0) out.push(h('p', { class: 'note' }, `Without rows here: ${empty.map((table) => table.title).join('; ')}.`));
  return h('div', {}, out.length > 0 ? out : h('p', { class: 'gap' }, 'This answer has neither a table nor a chart.'));
}

/** Whether something of a chart can be placed, or the page states that it cannot be drawn. */
function hasPicture(chart: AnswerChart, table: AnswerTable | null): boolean {
  return chart.spec === null || table === null || (table.rows.length > 0 && hasMarks(chart.spec, unknownFields(table)));
}

function ChartFigure({ answer, chart, table }: { answer: Answer; chart: AnswerChart; table: AnswerTable | null }): VNode {
  const id = `${answer.answer}-chart-${chart.id}`;
  const rows = useMemo(() => table?.rows ?? [], [table]);
  return h('figure', { 'aria-labelledby': id }, h('h3', { id }, chart.title), chart.spec === null
    ? h('p', { class: 'gap' }, 'This chart cannot be drawn; the tables have its numbers.')
    : h(VegaChart, { picture: { title: chart.title, spec: chart.spec, palette: new Palette(typesOf(rows)), ...(table ? { fact: factsOf(table) } : {}) }, rows }));
}

/** A value of a row as the table would say it, with its unit. */
function factsOf(table: AnswerTable): (name: string, value: unknown) => Fact | null {
  const columns = new Map(table.columns.map((column) => [column.name, column]));
  return (name, value) => {
    const column = columns.get(name);
    if (column === undefined) return null;
    const title = columnTitle(name, column.unit);
    if (typeof value === 'number') return { name: title, value: quantity(value, unitOf(column)) };
    return { name: title, value: value === null || value === undefined ? kUnknown : typeof value === 'boolean' ? yesOrNo(value) : String(value) };
  };
}

function yesOrNo(value: boolean): string {
  return value ? 'yes' : 'no';
}

/** As the formats of numbers call it: a share is a dimensionless column by its name. */
function unitOf(column: AnswerColumn): string {
  return column.unit === '1' && isShare(column.name) ? 'ratio' : column.unit || '1';
}

function unknownFields(table: AnswerTable): Set<string> {
  return new Set(table.columns.map((column) => column.name).filter((name) => table.rows.every((row) => (row[name] ?? null) === null)));
}

/** What a chart colours by layer type, in the order of the rows. */
function typesOf(rows: readonly Row[]): string[] {
  const cells = rows.flatMap((row) => [row['type'], row['layer_type']]);
  return [...new Set(cells.filter((cell): cell is string => typeof cell === 'string'))];
}

function tableTitle(table: AnswerTable): string {
  return `Table: ${table.title} (${plural(table.rows.length, 'row')})`;
}

function tableBody(answer: Answer, table: AnswerTable): VNode {
  return h('div', {},
    h('div', { class: 'controls' }, h('span', { class: 'note' }, plural(table.rows.length, 'row')), h('span', { class: 'push' }),
      h(DownloadButtons, { source: {
        name: `${answer.answer}-${table.id}`, columns: table.columns.map((column) => column.name),
        rows: () => table.rows.map((row) => table.columns.map((column) => row[column.name] ?? null)),
      } })),
    dataTable<Row>({ label: table.title, rows: table.rows, columns: saying(table).map((column) => tableColumn(column, table.rows)) }));
}

/** The columns with a text or a number in any row; of those not known the table says so itself. */
function saying(table: AnswerTable): AnswerColumn[] {
  return table.columns.filter(({ name }) => table.rows.some((row) => row[name] !== ''));
}

export function tableColumn(column: AnswerColumn, rows: readonly Row[]): TableColumn<Row> {
  const { name } = column;
  const cells = rows.map((row) => row[name] ?? null);
  const shared = {
    title: columnTitle(name, column.unit),
    help: column.help, provenance: column.provenance,
  };
  if (cells.some((cell) => cell !== null) && cells.every((cell) => cell === null || typeof cell === 'number')) {
    const unit = unitOf(column);
    const value = (row: Row): number | null => (row[name] ?? null) as number | null;
    return { ...shared, value, unit, ...(unit === 'ratio' ? { bar: value } : {}) };
  }
  const text = (row: Row): string | null => {
    const cell = row[name] ?? null;
    if (typeof cell === 'boolean') return yesOrNo(cell);
    return cell === null ? null : String(cell);
  };
  return { ...shared, text, wide: rows.some((row) => (text(row)?.length ?? 0) > 28) };
}

/** What an answer says, most important first. */
export function sentences(answer: Answer, anchor: string | null): VNode {
  return h('ol', { class: 'sentences' }, answer.sentences.map((sentence) => h('li', {}, prose(sentence),
    anchor !== null && [' ', h('a', { class: 'evidence', href: `#${anchor}`, 'aria-label': 'See the evidence' }, '\u2192')])));
}
