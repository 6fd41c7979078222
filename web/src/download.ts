// Handing a table out as CSV or JSON, in the units of the data, made in the page.
import type { Cell } from './report_data.ts';
import { h } from './dom.ts';

export interface Export {
  /** File name without its ending. */
  name: string;
  columns: readonly string[];
  rows: () => readonly (readonly Cell[])[];
}

/** RFC 4180. A text that a spreadsheet would run as a formula is led by an apostrophe. */
export function csv(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const field = (value: Cell): string => {
    if (value === null) return '';
    if (typeof value !== 'string') return String(value);
    const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns, ...rows].map((row) => row.map(field).join(',') + '\r\n').join('');
}

/** An array of objects, one a row. */
export function json(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]]))), null, 1);
}

export function downloadButtons(source: Export): HTMLElement {
  const button = (label: string, type: string, text: () => string): HTMLElement => {
    const element = h('button', { type: 'button', 'aria-label': `Download ${source.name} as ${label}` }, label);
    element.addEventListener('click', () => {
      const url = URL.createObjectURL(new Blob([text()], { type }));
      h('a', { href: url, download: `${source.name}.${label.toLowerCase()}` }).click();
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    });
    return element;
  };
  return h('span', { class: 'downloads' }, 'Download ',
    button('CSV', 'text/csv', () => csv(source.columns, source.rows())),
    button('JSON', 'application/json', () => json(source.columns, source.rows())));
}
