// Tables that can be sorted, with one SI prefix a column, bars inside cells, and all digits on
// hover. Long ones show their first rows and a button for the rest.
import { append, clear, h } from './dom.ts';
import { kUnknown, plural, scaleFor, type Scale } from './format.ts';
import { shapeText } from './shape_text.ts';
import { shortName } from './short_name.ts';

export interface TableColumn<Row> {
  title: string;
  /** For hover on the header. */
  help?: string;
  /** measured:..., analytic, ...: shown under the title. */
  provenance?: string;
  /** A number column: the value in `unit` of the data. */
  value?: (row: Row) => number | null;
  unit?: string;
  /** Columns with the same text have one prefix, so that they can be compared. */
  scaleOf?: string;
  /** A text column. */
  text?: (row: Row) => string | null;
  /** Length of the bar in the cell, 0 to 1, and its colour. */
  bar?: (row: Row) => number | null;
  colour?: (row: Row) => string;
  /** A coloured square before the text. */
  swatch?: (row: Row) => string;
  code?: boolean;
  /** Long text: may wrap. */
  wide?: boolean;
}

export interface TableOptions<Row> {
  /** What the table is, for screen readers. */
  label: string;
  columns: TableColumn<Row>[];
  rows: readonly Row[];
  /** Rows shown at first. */
  first?: number;
  /** Index of the column sorted by at first, and whether largest first. */
  sort?: { column: number; descending: boolean };
  rowClass?: (row: Row) => string | null;
}

export interface DataTable<Row> {
  element: HTMLElement;
  setRows(rows: readonly Row[]): void;
}

const kMore = 500;

/** Columns of which at least one row is known, and the titles of the others. */
export function knownColumns<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): { known: TableColumn<Row>[]; unknown: string[] } {
  const isKnown = (column: TableColumn<Row>): boolean => rows.length === 0
    || rows.some((row) => (column.value ? column.value(row) : column.text?.(row) ?? null) !== null);
  const known = columns.filter(isKnown);
  return { known, unknown: columns.filter((column) => !known.includes(column)).map((column) => column.title) };
}

export function dataTable<Row>(options: TableOptions<Row>): DataTable<Row> {
  const { known: columns, unknown } = knownColumns(options.columns, options.rows);
  const sortedBy = options.sort && options.columns[options.sort.column];
  const first = options.first ?? 20;
  let all = options.rows;
  let sorted: readonly Row[] = all;
  let shown = first;
  let sort = sortedBy && columns.includes(sortedBy) ? { column: columns.indexOf(sortedBy), descending: options.sort!.descending } : null;
  let scales: (Scale | null)[] = [];

  const body = h('tbody', {});
  const heads = columns.map((column, index) => header(column, () => {
    const descending = sort?.column === index ? !sort.descending : column.value !== undefined;
    sort = { column: index, descending };
    arrange();
  }));
  const head = h('thead', {}, h('tr', {}, ...heads.map((item) => item.cell)));
  const more = h('button', { type: 'button', class: 'more' });
  more.addEventListener('click', () => {
    const from = Math.min(shown, sorted.length);
    shown += kMore;
    addRows(from);
  });
  const element = h('div', { class: 'table' },
    h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': options.label },
      h('table', {}, h('caption', { class: 'hidden-text' }, options.label), head, body)),
    more, unknown.length > 0 && h('p', { class: 'note' }, `Not known here: ${unknown.join(', ')}.`));

  function rescale(): void {
    scales = columns.map((column) =>
      column.value ? scaleFor(columns.filter((other) => other === column || (column.scaleOf !== undefined && other.scaleOf === column.scaleOf)).flatMap((other) => (other.value ? all.map(other.value) : [])), column.unit ?? '1') : null);
    heads.forEach((item, index) => item.setUnit(scales[index]?.unit ?? ''));
  }

  function arrange(): void {
    heads.forEach((item, index) => item.setSort(sort?.column === index ? sort.descending : null));
    sorted = sort ? order(all, columns[sort.column]!, sort.descending) : all;
    clear(body);
    addRows(0);
  }

  function addRows(from: number): void {
    const fragment = document.createDocumentFragment();
    for (const row of sorted.slice(from, shown)) {
      const line = h('tr', { class: options.rowClass?.(row) ?? null });
      columns.forEach((column, index) => append(line, cell(column, scales[index] ?? null, row)));
      append(fragment, line);
    }
    append(body, fragment);
    const left = sorted.length - shown;
    more.hidden = left <= 0;
    more.textContent = left > kMore ? `Show ${kMore} more of ${plural(sorted.length, 'row')}`
      : `Show all ${plural(sorted.length, 'row')}`;
  }

  rescale();
  arrange();
  return {
    element,
    setRows(rows) {
      all = rows;
      shown = first;
      rescale();
      arrange();
    },
  };
}

function header<Row>(column: TableColumn<Row>, toggle: () => void) {
  const unit = h('span', { class: 'unit' });
  const button = h('button', { type: 'button', title: column.help ?? null }, column.title, ' ', unit,
    h('span', { class: 'arrow', 'aria-hidden': 'true' }));
  button.addEventListener('click', toggle);
  const cellElement = h('th', { scope: 'col', class: column.value ? 'number' : null }, button,
    column.provenance ? h('span', { class: 'provenance' }, column.provenance) : null);
  return {
    cell: cellElement,
    setUnit(text: string) {
      unit.textContent = text;
    },
    setSort(descending: boolean | null) {
      if (descending === null) cellElement.removeAttribute('aria-sort');
      else cellElement.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    },
  };
}

function cell<Row>(column: TableColumn<Row>, scale: Scale | null, row: Row): HTMLElement {
  if (column.value && scale) {
    const value = column.value(row);
    const box = h('td', { class: 'number', title: scale.full(value) });
    const part = column.bar?.(row);
    if (part !== undefined && part !== null && Number.isFinite(part))
      append(box, h('span', {
        class: 'cell-bar', 'aria-hidden': 'true',
        style: `width:${(Math.max(0, Math.min(1, part)) * 100).toFixed(2)}%;${column.colour ? `background:${column.colour(row)}` : ''}`,
      }));
    append(box, h('span', { class: value === null ? 'value unknown' : 'value' }, scale.text(value)));
    return box;
  }
  const full = column.text?.(row) ?? null;
  const text = full === null ? null : shapeText(shortName(full));
  const content = text === null ? h('span', { class: 'unknown' }, kUnknown)
    : column.code ? h('code', {}, breakable(text)) : column.wide ? breakable(text) : text;
  return h('td', { class: column.wide ? 'wide' : 'text', title: full },
    column.swatch ? h('span', { class: 'swatch', 'aria-hidden': 'true', style: `background:${column.swatch(row)}` }) : null,
    content);
}

/** Text that may break after the separators of identifiers, not inside a word. */
function breakable(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const part of text.split(/(?<=[:_/.,])/)) append(fragment, part, h('wbr', {}));
  return fragment;
}

/** A sorted copy; unknown values last whichever the direction; ties keep their order. */
export function order<Row>(rows: readonly Row[], column: TableColumn<Row>, descending: boolean): Row[] {
  const sign = descending ? -1 : 1;
  const key = (row: Row): number | string | null => (column.value ? column.value(row) : column.text?.(row) ?? null);
  return rows.map((row) => ({ row, key: key(row) })).sort((a, b) => {
    if (a.key === null || b.key === null) return a.key === b.key ? 0 : a.key === null ? 1 : -1;
    if (typeof a.key === 'number' && typeof b.key === 'number') return sign * (a.key - b.key);
    return sign * String(a.key).localeCompare(String(b.key), 'en', { numeric: true });
  }).map((item) => item.row);
}
