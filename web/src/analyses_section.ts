// Part 9: each analysis: its chart, its table, how to read it, the SQL behind it, and the rows to
// take away. Built when the page is idle or the reader comes near, so that the page opens at once.
import { values } from './columns.ts';
import { append, h, prose, whenIdle, whenNear } from './dom.ts';
import { hasMarks } from './chart_spec.ts';
import { downloadButtons } from './download.ts';
import { isShare, plural } from './format.ts';
import { render } from 'preact';
import { Markdown } from './markdown.ts';
import { h as describe } from './markup.ts';
import type { AnalysisView, Cell } from './report_data.ts';
import { cutNotes, section, segmented, type Context, type PageSection } from './section.ts';
import { dataTable } from './mounted_table.ts';
import type { TableColumn } from './table.ts';
import { drawChart } from './vega_chart.ts';

type Row = readonly Cell[];

export const kSection: PageSection = { id: 'analyses', name: 'Analyses', position: 100, make: analysesSection };

function analysesSection(context: Context): HTMLElement {
  const { analyses } = context.data;
  const answered = analyses.filter((analysis) => rowCount(analysis) > 0);
  const element = section(context, 'analyses', 'Analyses',
    analyses.length === 0 && h('p', { class: 'gap' }, 'This page has no analysis.'),
    h('nav', { class: 'analysis-list', 'aria-label': 'Analyses' }, ...answered.map((analysis) =>
      h('a', { href: `#analysis-${analysis.id}`, class: analysis.missing.length ? 'empty' : null, title: analysis.question }, h('b', {}, analysis.id), ` ${analysis.title}`))));
  for (const analysis of answered) append(element, analysisBlock(context, analysis));
  const open = analyses.filter((analysis) => rowCount(analysis) === 0);
  if (open.length > 0)
    append(element, h('details', { class: 'unanswered' },
      h('summary', {}, `${plural(open.length, answered.length > 0 ? 'other question' : 'question')}, and how to answer ${open.length === 1 ? 'it' : 'them'}`),
      ...open.map(unansweredBlock)));
  return element;
}

/** A question of which the page holds no rows: in one line what it asks, then what it lacks. */
function unansweredBlock(analysis: AnalysisView): HTMLElement {
  const reasons = analysis.missing.map((item) => h('p', { class: 'gap' }, prose(item.how)));
  return h('section', { id: `analysis-${analysis.id}`, class: 'analysis' },
    h('p', { class: 'question' }, h('span', { class: 'analysis-id' }, analysis.id), ` ${analysis.title}: ${analysis.question}`),
    ...(reasons.length > 0 ? reasons : [h('p', { class: 'note' }, 'The answer has no rows.')]));
}

function analysisBlock(context: Context, analysis: AnalysisView): HTMLElement {
  const body = h('div', { class: 'analysis-body' });
  const block = h('section', { id: `analysis-${analysis.id}`, class: 'analysis', 'aria-labelledby': `analysis-${analysis.id}-title` },
    h('h3', { id: `analysis-${analysis.id}-title` }, h('span', { class: 'analysis-id' }, analysis.id), ` ${analysis.title}`),
    h('p', { class: 'question' }, analysis.question), body);
  let built = false;
  const build = (): void => {
    if (built) return;
    built = true;
    append(body, ...content(context, analysis));
  };
  whenNear(block, build);
  whenIdle(build);
  return block;
}

function content(context: Context, analysis: AnalysisView): Node[] {
  const rows = rowsOf(analysis);
  const out: Node[] = analysis.missing.map((item) => h('p', { class: 'gap' }, prose(item.how)));
  out.push(...cutNotes(context, `analysis-${analysis.id}`));
  const tools = h('div', { class: 'controls' });
  if (rows.length > 0) {
    const { chart: spec } = analysis;
    const chart = spec && hasMarks(spec, unknownFields(analysis, rows)) ? h('div', { class: 'vega' }) : null;
    const figure = chart && h('figure', {}, chart);
    const picture = { title: analysis.title, spec: analysis.chart ?? {}, palette: context.palette };
    const names = analysis.columns.map((column) => column.name);
    const host = h('div', {});
    const show = (part: Row[]): void => {
      host.replaceChildren(part.length > 0
        ? dataTable<Row>({ label: analysis.title, rows: part, first: 12, columns: tableColumns(context, analysis, part) }).element
        : h('p', { class: 'note' }, 'The page has no rows of the selected point.'));
      // What is known of other points may not be of this one.
      const has = part.length > 0 && spec !== null && hasMarks(spec, unknownFields(analysis, part));
      if (figure) figure.hidden = !has;
      if (chart && has) drawChart(chart, picture, part.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]))));
    };
    const choice = pointChoice(context, analysis, rows, show);
    if (choice) append(tools, choice);
    else show(rows);
    if (figure) out.push(figure);
    out.push(host);
    append(tools, h('span', { class: 'note' }, plural(rows.length, 'row')), h('span', { class: 'push' }), downloadButtons({
      name: `${analysis.id}`, columns: analysis.columns.map((column) => column.name), rows: () => rows }));
    out.unshift(tools);
  }
  if (analysis.text.trim()) out.push(h('details', { class: 'how' }, h('summary', {}, 'How to read it'), markdown(withoutTitle(analysis.text))));
  out.push(h('details', {}, h('summary', {}, 'SQL'), h('pre', { tabindex: 0 }, h('code', {}, analysis.sql.trim()))));
  return out;
}

/** Columns of which no row is known. */
function unknownFields(analysis: AnalysisView, rows: readonly Row[]): Set<string> {
  return new Set(analysis.columns.filter((_, index) => rows.every((row) => row[index] === null)).map((column) => column.name));
}

function markdown(text: string): HTMLElement {
  const host = h('div', {});
  render(describe(Markdown, { text }), host);
  return host;
}

/** The page has the title already. */
function withoutTitle(text: string): string {
  return text.replace(/^\s*# .*\n/, '');
}

function rowCount(analysis: AnalysisView): number {
  return Math.max(0, ...analysis.table.map((column) => values(column).length));
}

function rowsOf(analysis: AnalysisView): Row[] {
  const columns = analysis.table.map((column) => values(column));
  const length = rowCount(analysis);
  return Array.from({ length }, (_, row) => columns.map((column) => column[row] ?? null));
}

/** Where an analysis has many rows for each batch size: this batch size, or all. */
function pointChoice(context: Context, analysis: AnalysisView, rows: Row[], show: (rows: Row[]) => void): HTMLElement | null {
  const point = analysis.columns.findIndex((column) => column.name === 'point_id');
  const batch = analysis.columns.findIndex((column) => column.name === 'batch' || column.name === 'batch_size');
  const key = point >= 0 ? point : batch;
  if (key < 0) return null;
  const different = new Set(rows.map((row) => row[key])).size;
  if (different < 2 || rows.length < different * 2) return null;
  let mode: 'one' | 'all' = 'one';
  const apply = (): void => {
    const chosen = context.model.points.find((item) => item.point_id === context.selection.pointId);
    const wanted = point >= 0 ? chosen?.point_id : chosen?.batch;
    const part = mode === 'all' ? rows : rows.filter((row) => row[key] === wanted);
    show(part);
  };
  context.selection.onChange(apply);
  apply();
  const several = new Set(context.model.points.map((item) => item.backend)).size > 1;
  return segmented('Rows', [{ value: 'one', text: several ? 'Selected point' : 'Selected batch' }, { value: 'all', text: 'All' }] as const, mode, (value) => {
    mode = value;
    apply();
  });
}

/** What names the point: left out of the table where all rows shown say the same. */
const kPointColumns = new Set(['point_id', 'batch', 'model', 'backend', 'device', 'precision']);

function tableColumns(context: Context, analysis: AnalysisView, rows: Row[]): TableColumn<Row>[] {
  const indices = analysis.columns.map((_, index) => index).filter((index) =>
    !kPointColumns.has(analysis.columns[index]!.name) || rows.length < 2 || rows.some((row) => row[index] !== rows[0]![index]));
  return indices.map((index): TableColumn<Row> => {
    const column = analysis.columns[index]!;
    const shared = { title: column.name.replace(/_(ns|bytes|((flops|bytes)_)?per_s|flops_per_byte)$/, '').replaceAll('_', ' '), help: column.help, provenance: column.provenance };
    const numeric = rows.every((row) => row[index] === null || typeof row[index] === 'number') && rows.some((row) => row[index] !== null);
    if (numeric && (column.unit !== '' || /index|count|batch|id$/.test(column.name))) {
      const share = column.unit === '1' && isShare(column.name);
      return { ...shared, unit: share ? 'ratio' : column.unit || '1', value: (row) => row[index] as number | null,
        ...(share ? { bar: (row: Row) => row[index] as number | null } : {}) };
    }
    const text = (row: Row): string | null => (row[index] === null || row[index] === undefined ? null : String(row[index]));
    return { ...shared, text, wide: rows.some((row) => (text(row)?.length ?? 0) > 28),
      ...(column.name === 'type' || column.name === 'layer_type' ? { swatch: (row: Row) => context.palette.of(text(row)) } : {}) };
  });
}
