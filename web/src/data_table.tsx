// The table of all pages: sorted by a click on a heading, one SI prefix a column, bars inside cells, all digits on hover.
// On a page a long one shows its first rows and a button for more; in a frame that scrolls, the rows in sight.
import { useTable } from '@tanstack/preact-table';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { kUnknown, plural, scaleFor, type Scale } from './format.ts';
import { shapeText } from './shape_text.ts';
import { shortName } from './short_name.ts';
import { definitions, isNumber, kFeatures, knownColumns, valueOf, type TableColumn } from './table.ts';
import { useVirtualRows } from './use_virtual_rows.ts';

export interface DataTableProperties<Row> {
  /** What the table is, for screen readers. */
  label: string;
  columns: readonly TableColumn<Row>[];
  rows: readonly Row[];
  /** The rows whose values decide which columns are known; without it: `rows`. For a table that is filtered. */
  allRows?: readonly Row[];
  /** Rows shown at first. */
  first?: number;
  /** Index of the column sorted by at first, and whether largest first. */
  sort?: { column: number; descending: boolean };
  rowClass?: (row: Row) => string | null;
  /** The table has a frame that scrolls, its rows are one line high, and only those in sight are drawn. */
  inFrame?: boolean;
}

const kFirst = 20;
const kMore = 500;
/** In a frame, of a column that takes what the others leave; pixels. */
const kLeastWidth = 130;
/** Likewise on small screens. */
const kLeastSmallWidth = 112;

export function DataTable<Row>(properties: DataTableProperties<Row>): VNode {
  const { label, rows, sort, inFrame = false } = properties;
  const from = properties.allRows ?? rows;
  const { known: columns, unknown } = useMemo(() => (inFrame ? { known: properties.columns, unknown: [] } : knownColumns(properties.columns, from)), [properties.columns, from, inFrame]);
  const sortedBy = sort ? columns.indexOf(properties.columns[sort.column]!) : -1;
  const table = useTable({
    features: kFeatures,
    columns: useMemo(() => definitions(columns), [columns]),
    data: rows as readonly unknown[] as object[],
    initialState: { sorting: sortedBy >= 0 ? [{ id: String(sortedBy), desc: sort!.descending }] : [] },
    enableSortingRemoval: false,
  });
  const scales = useMemo(() => scalesOf(columns, rows), [columns, rows]);
  const head = columns.map((column, index): VNode => {
    const state = table.getColumn(String(index))!;
    return <Heading column={column} unit={scales[index]?.unit ?? ''} direction={state.getIsSorted()} toggle={() => state.toggleSorting()} />;
  });
  const sorted = table.getRowModel().rows;
  const line = (index: number, attributes: { 'aria-rowindex'?: number } = {}): VNode | null => {
    const item = sorted[index];
    if (!item) return null;
    const row = item.original as unknown as Row;
    return <tr key={item.id} {...attributes} class={properties.rowClass?.(row) ?? undefined}>{columns.map((column, at) => <Cell column={column} scale={scales[at] ?? null} row={row} />)}</tr>;
  };
  const parts: Parts<Row> = { label, columns, head, count: sorted.length, line };
  return inFrame ? <RowsInFrame {...parts} /> : <FirstRows key={properties.first} {...parts} rows={rows} first={properties.first ?? kFirst} unknown={unknown} />;
}

/** The table as a value, for components that do not use JSX. */
export function dataTable<Row>(properties: DataTableProperties<Row>): VNode {
  return <DataTable {...properties} />;
}

interface Parts<Row> {
  label: string;
  columns: readonly TableColumn<Row>[];
  head: VNode[];
  count: number;
  /** The row at a place of the order. */
  line: (index: number, attributes?: { 'aria-rowindex'?: number }) => VNode | null;
}

function FirstRows<Row>({ label, head, count, line, rows, first, unknown }: Parts<Row> & { rows: readonly Row[]; first: number; unknown: string[] }): VNode {
  // Other rows start with their first ones again.
  const [asked, setAsked] = useState({ rows, count: first });
  const shown = asked.rows === rows ? asked.count : first;
  const left = count - shown;
  const lines: (VNode | null)[] = [];
  for (let index = 0; index < Math.min(shown, count); index += 1) lines.push(line(index));
  return (
    <div class="table">
      <div class="scroll" tabIndex={0} role="region" aria-label={label}>
        <table>
          <caption class="hidden-text">{label}</caption>
          <thead><tr>{head}</tr></thead>
          <tbody>{lines}</tbody>
        </table>
      </div>
      <button type="button" class="more" hidden={left <= 0} onClick={() => setAsked({ rows, count: shown + kMore })}>
        {left > kMore ? `Show ${kMore} more of ${plural(count, 'row')}` : `Show all ${plural(count, 'row')}`}
      </button>
      {unknown.length > 0 && <p class="note">{`Not known here: ${unknown.join(', ')}.`}</p>}
    </div>
  );
}

function RowsInFrame<Row>({ label, columns, head, count, line }: Parts<Row>): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const { items, above, below } = useVirtualRows(scroller, count);
  // One cell: a wider one would make columns of those that a small screen leaves out.
  const space = (height: number): VNode | null => (height > 0 ? <tr class="space" aria-hidden="true"><td style={{ height: `${height}px` }} /></tr> : null);
  // Narrower, the table scrolls sideways in its own frame.
  const width = columns.reduce((sum, column) => sum + (column.width ?? kLeastWidth), 0);
  const smallWidth = columns.reduce((sum, column) => sum + (column.isOptional ? 0 : column.width ?? kLeastSmallWidth), 0);
  return (
    <div class="scroll virtual" ref={scroller} tabIndex={0} role="region" aria-label={label}>
      <table aria-rowcount={count + 1} style={{ '--columns-width': `${width}px`, '--small-columns-width': `${smallWidth}px` }}>
        <caption class="hidden-text">{label}</caption>
        <colgroup>{columns.map((column) => <col class={classOf(column)} style={column.width ? { width: `${column.width}px` } : {}} />)}</colgroup>
        <thead><tr aria-rowindex={1}>{head}</tr></thead>
        <tbody>
          {space(above)}
          {items.map((item) => line(item.index, { 'aria-rowindex': item.index + 2 }))}
          {space(below)}
        </tbody>
      </table>
    </div>
  );
}

/** Columns with one scale have one prefix. */
function scalesOf<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): (Scale | null)[] {
  return columns.map((column) => {
    if (!column.value) return null;
    const together = columns.filter((other) => other === column || (column.scaleOf !== undefined && other.scaleOf === column.scaleOf));
    return scaleFor(together.flatMap((other) => (other.value ? rows.map(other.value) : [])), column.unit ?? '1');
  });
}

function classOf<Row>(column: TableColumn<Row>): string {
  return `${isNumber(column) ? 'number' : 'text'}${column.isOptional ? ' optional' : ''}`;
}

function Heading<Row>({ column, unit, direction, toggle }: { column: TableColumn<Row>; unit: string; direction: false | 'asc' | 'desc'; toggle: () => void }): VNode {
  if (column.isUnsorted) return <th scope="col" class={classOf(column)}><span class="hidden-text">{column.title}</span></th>;
  return (
    <th scope="col" class={classOf(column)} aria-sort={direction === 'desc' ? 'descending' : direction === 'asc' ? 'ascending' : undefined}>
      <button type="button" title={column.help} onClick={toggle}><bdi>{column.title}</bdi> <span class="unit">{unit}</span><span class="arrow" aria-hidden="true" /></button>
      {column.provenance && <span class="provenance">{column.provenance}</span>}
    </th>
  );
}

function Cell<Row>({ column, scale, row }: { column: TableColumn<Row>; scale: Scale | null; row: Row }): VNode {
  if (column.cell) {
    const value = valueOf(column, row);
    return <td class={classOf(column)} title={value === null || value === undefined ? '' : String(value)}>{column.cell.show(row)}</td>;
  }
  if (column.value && scale) return <NumberCell column={column} value={column.value(row)} scale={scale} row={row} />;
  const full = column.text?.(row) ?? null;
  return (
    <td class={column.wide ? (column.short ? 'wide words' : 'wide') : 'text'} title={full ?? undefined}>
      {column.swatch && <span class="swatch" aria-hidden="true" style={{ background: column.swatch(row) }} />}
      {column.short ? textOf(column, column.short(row)) : textOf(column, full)}
    </td>
  );
}

function NumberCell<Row>({ column, value, scale, row }: { column: TableColumn<Row>; value: number | null; scale: Scale; row: Row }): VNode {
  const part = column.bar?.(row) ?? null;
  return (
    <td class="number" title={scale.full(value)}>
      {part !== null && Number.isFinite(part) && <span class="cell-bar" aria-hidden="true" style={{ width: `${(Math.max(0, Math.min(1, part)) * 100).toFixed(2)}%`, ...(column.colour ? { background: column.colour(row) } : {}) }} />}
      <span class={value === null ? 'value unknown' : 'value'}>{scale.text(value)}</span>
    </td>
  );
}

function textOf<Row>(column: TableColumn<Row>, full: string | null): ComponentChildren {
  if (full === null) return <span class="unknown">{kUnknown}</span>;
  const text = shapeText(shortName(full)) ?? '';
  if (column.code) return <code>{breakable(text)}</code>;
  return column.wide ? breakable(text) : text;
}

/** Text that may break after the separators of identifiers, not inside a word. */
function breakable(text: string): ComponentChildren {
  return text.split(/(?<=[:_/.,])/).map((part) => [part, <wbr />]);
}
