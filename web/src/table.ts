// What a table of the pages shows: its columns, how rows are ordered by them, which are known.
import { createSortedRowModel, rowSortingFeature, tableFeatures, type ColumnDef } from '@tanstack/preact-table';
import type { ComponentChildren } from 'preact';
import { compareValues, type Value } from './table_order.ts';

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
  /** In the cell in place of the text, which is then its title; words are kept whole. */
  short?: (row: Row) => string | null;
  /** Length of the bar in the cell, 0 to 1, and its colour. */
  bar?: (row: Row) => number | null;
  colour?: (row: Row) => string;
  /** A coloured square before the text. */
  swatch?: (row: Row) => string;
  code?: boolean;
  /** Long text: may wrap. */
  wide?: boolean;
  /** A column of neither numbers nor texts: what a cell shows, and the value that rows are ordered by. */
  cell?: { show: (row: Row) => ComponentChildren; value: (row: Row) => Value; isNumber: boolean };
  /** In pixels, in a table whose frame scrolls; columns without one share the rest. */
  width?: number;
  /** Left out on small screens. */
  isOptional?: boolean;
  /** The rows cannot be ordered by it; its title is for screen readers. */
  isUnsorted?: boolean;
}

export function isNumber<Row>(column: TableColumn<Row>): boolean {
  return column.cell ? column.cell.isNumber : column.value !== undefined;
}

/** What rows are ordered by. */
export function valueOf<Row>(column: TableColumn<Row>, row: Row): Value {
  return column.cell ? column.cell.value(row) : column.value ? column.value(row) : column.text?.(row);
}

/** Columns of which at least one row is known, and the titles of the others. */
export function knownColumns<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): { known: TableColumn<Row>[]; unknown: string[] } {
  const isKnown = (column: TableColumn<Row>): boolean => rows.length === 0 || rows.some((row) => (valueOf(column, row) ?? null) !== null);
  const known = columns.filter(isKnown);
  return { known, unknown: columns.filter((column) => !known.includes(column)).map((column) => column.title) };
}

/** What TanStack Table does for the tables of the pages. */
export const kFeatures = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns: {} });

export type Definition = ColumnDef<typeof kFeatures, object>;

/** The columns for TanStack Table, with the ids "0", "1", ...: unknown values last whichever the direction; ties keep
    their order. */
export function definitions<Row>(columns: readonly TableColumn<Row>[]): Definition[] {
  return columns.map((column, index): Definition => ({
    id: String(index),
    // TanStack Table asks for objects, and hands rows through as they are: a row may be a number.
    accessorFn: (row) => valueOf(column, row as Row) ?? undefined,
    sortFn: (a, b, id) => compareValues(a.getValue<Value>(id), b.getValue<Value>(id)),
    sortUndefined: 'last',
    sortDescFirst: isNumber(column),
    enableSorting: column.isUnsorted !== true,
  }));
}
