// A table of the pages inside a part that still makes its elements by itself.
import { createElement, render } from 'preact';
import { DataTable, type DataTableProperties } from './data_table.tsx';

export function dataTable<Row>(options: DataTableProperties<Row>): { element: HTMLElement; setRows(rows: readonly Row[]): void } {
  const element = document.createElement('div');
  const show = (rows: readonly Row[]): void => render(createElement(DataTable<Row>, { ...options, rows, allRows: options.rows }), element);
  show(options.rows);
  return { element, setRows: show };
}
