// Part 9: each analysis: its chart, its table, how to read it, the SQL behind it, and the rows to
// take away. Built when the page is idle or the reader comes near, so that the page opens at once.
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { hasMarks } from './chart_spec.ts';
import { values } from './columns.ts';
import { dataTable } from './data_table.tsx';
import { whenIdle, whenNear } from './dom.ts';
import { DownloadButtons } from './download.ts';
import { count, isShare, plural } from './format.ts';
import { Markdown } from './markdown.ts';
import { h, prose } from './markup.ts';
import type { AnalysisView, Cell } from './report_data.ts';
import { cutNotes, Section, Segmented, type Context, type PageSection } from './section.ts';
import type { TableColumn } from './table.ts';
import { VegaChart } from './vega_chart.ts';

type Row = readonly Cell[];

export const kSection: PageSection = { id: 'analyses', name: 'Analyses', position: 100, Component: AnalysesSection };

function AnalysesSection({ context }: { context: Context }): VNode {
  const { analyses } = context.data;
  const answered = analyses.filter((analysis) => rowCount(analysis) > 0);
  const open = analyses.filter((analysis) => rowCount(analysis) === 0);
  return h(Section, { context, id: 'analyses', title: 'Analyses' },
    analyses.length === 0 && h('p', { class: 'gap' }, 'This page has no analysis.'),
    h('nav', { class: 'analysis-list', 'aria-label': 'Analyses' }, answered.map((analysis) =>
      h('a', { href: `#analysis-${analysis.id}`, title: analysis.question }, h('b', {}, analysis.id), ` ${analysis.title}`))),
    answered.map((analysis) => h(AnalysisBlock, { key: analysis.id, context, analysis })),
    open.length > 0 && h('details', { class: 'unanswered' },
      h('summary', {}, `${plural(open.length, answered.length > 0 ? 'other question' : 'question')}, and how to answer ${open.length === 1 ? 'it' : 'them'}`),
      open.map(unansweredBlock)));
}

/** A question of which the page holds no rows: in one line what it asks, then what it lacks. */
function unansweredBlock(analysis: AnalysisView): VNode {
  const reasons = analysis.missing.map((item) => h('p', { class: 'gap' }, prose(item.how)));
  return h('section', { id: `analysis-${analysis.id}`, class: 'analysis' },
    h('p', { class: 'question' }, h('span', { class: 'analysis-id' }, analysis.id), ` ${analysis.title}: ${analysis.question}`),
    ...(reasons.length > 0 ? reasons : [h('p', { class: 'note' }, 'The answer has no rows.')]));
}

function AnalysisBlock({ context, analysis }: { context: Context; analysis: AnalysisView }): VNode {
  const block = useRef<HTMLElement>(null);
  const [isBuilt, setBuilt] = useState(false);
  useLayoutEffect(() => {
    whenNear(block.current!, () => setBuilt(true));
    whenIdle(() => setBuilt(true));
  }, []);
  return h('section', { ref: block, id: `analysis-${analysis.id}`, class: 'analysis', 'aria-labelledby': `analysis-${analysis.id}-title` },
    h('h3', { id: `analysis-${analysis.id}-title` }, h('span', { class: 'analysis-id' }, analysis.id), ` ${analysis.title}`),
    h('p', { class: 'question' }, analysis.question),
    h('div', { class: 'analysis-body' }, isBuilt && h(AnalysisBody, { context, analysis })));
}

function AnalysisBody({ context, analysis }: { context: Context; analysis: AnalysisView }): VNode {
  const rows = useMemo(() => rowsOf(analysis), [analysis]);
  const key = useMemo(() => pointColumn(analysis, rows), [analysis, rows]);
  const [mode, setMode] = useState<'one' | 'all'>('one');
  const chosen = context.model.points.find((item) => item.point_id === context.selection.pointId);
  const wanted = key === null || mode === 'all' ? null : key.name === 'point_id' ? chosen?.point_id : chosen?.batch;
  const part = useMemo(() => (key === null || mode === 'all' ? rows : rows.filter((row) => row[key.index] === wanted)), [rows, key, mode, wanted]);
  const several = new Set(context.model.points.map((item) => item.backend)).size > 1;
  const names = analysis.columns.map((column) => column.name);
  return h('div', {},
    rows.length > 0 && h('div', { class: 'controls' },
      key !== null && h(Segmented<'one' | 'all'>, { label: 'Rows', options: [{ value: 'one', text: several ? 'Selected point' : 'Selected batch' }, { value: 'all', text: 'All' }], chosen: mode, onChange: setMode }),
      h('span', { class: 'note' }, part.length === rows.length ? plural(rows.length, 'row') : `${count(part.length)} of ${plural(rows.length, 'row')}`), h('span', { class: 'push' }), h(DownloadButtons, { source: { name: analysis.id, columns: names, rows: () => rows } })),
    analysis.missing.filter(({ how }) => wanted === null || isOfPoint(how, context.selection.pointId)).map((item) => h('p', { class: 'gap' }, prose(item.how))),
    cutNotes(context, `analysis-${analysis.id}`),
    rows.length > 0 && h(Answer, { context, analysis, rows, part }),
    analysis.text.trim() !== '' && h('details', { class: 'how' }, h('summary', {}, 'How to read it'), h(Markdown, { text: withoutTitle(analysis.text) })),
    h('details', {}, h('summary', {}, 'SQL'), h('pre', { tabindex: 0 }, h('code', {}, analysis.sql.trim()))));
}

/** Whether a notice of what is missing is of a point: of one that it names ("... at points 2 (batch 8), 3 (batch 16)."), or of all if it names none. */
export function isOfPoint(how: string, pointId: number): boolean {
  const names = / at points? (\d+(?: \(batch \d+\))?(?:, \d+(?: \(batch \d+\))?)*)\./.exec(how)?.[1];
  return names === undefined || names.split(', ').some((name) => Number.parseInt(name, 10) === pointId);
}

/** Chart and table of the rows `part`. */
function Answer({ context, analysis, rows, part }: { context: Context; analysis: AnalysisView; rows: Row[]; part: Row[] }): VNode {
  const { chart: spec, title } = analysis;
  const objects = useMemo(() => part.map((row) => Object.fromEntries(analysis.columns.map(({ name }, index) => [name, row[index] ?? null]))), [analysis, part]);
  const columns = useMemo(() => tableColumns(context, analysis, part), [context, analysis, part]);
  const isDrawn = spec !== null && hasMarks(spec, unknownFields(analysis, rows));
  // What is known of other points may not be of this one.
  const isShown = isDrawn && part.length > 0 && hasMarks(spec, unknownFields(analysis, part));
  return h('div', {},
    isDrawn && h('figure', { hidden: !isShown }, isShown && h(VegaChart, { picture: { title, spec, palette: context.palette }, rows: objects })),
    part.length > 0 ? dataTable<Row>({ label: title, rows: part, first: 12, columns })
      : h('p', { class: 'note' }, 'The page has no rows of the selected point.'));
}

/** Columns of which no row is known. */
function unknownFields(analysis: AnalysisView, rows: readonly Row[]): Set<string> {
  return new Set(analysis.columns.filter((_, index) => rows.every((row) => row[index] === null)).map((column) => column.name));
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

/** The column that says of which batch size a row is, where an analysis has many rows for each. */
function pointColumn(analysis: AnalysisView, rows: Row[]): { name: string; index: number } | null {
  const names = analysis.columns.map((column) => column.name);
  const name = ['point_id', 'batch', 'batch_size'].find((item) => names.includes(item));
  if (name === undefined) return null;
  const index = names.indexOf(name);
  const different = new Set(rows.map((row) => row[index])).size;
  return different < 2 || rows.length < different * 2 ? null : { name, index };
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
