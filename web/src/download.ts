// Handing a table out as CSV or JSON, in the units of the data, made in the page.
import type { VNode } from 'preact';
import type { Cell } from './report_data.ts';
import { h as element } from './dom.ts';
import { h } from './markup.ts';

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

/** Has the browser save a text as a file. */
export function offer(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  element('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export function DownloadButtons({ source }: { source: Export }): VNode {
  const button = (label: string, type: string, text: () => string): VNode =>
    h('button', { type: 'button', 'aria-label': `Download ${source.name} as ${label}`, onClick: () => offer(`${source.name}.${label.toLowerCase()}`, type, text()) }, label);
  return h('span', { class: 'downloads' }, 'Download ',
    button('CSV', 'text/csv', () => csv(source.columns, source.rows())),
    button('JSON', 'application/json', () => json(source.columns, source.rows())));
}
