// The table of the pages in a frame that scrolls: rows of any number, of which those in sight are drawn.
import type { ComponentChildren, VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { DataTable } from '../../data_table.tsx';
import type { TableColumn } from '../../table.ts';
import type { Value } from '../../table_order.ts';

export interface VirtualColumn<Row> {
  id: string;
  title: string;
  value: (row: Row) => Value;
  /** In place of the value. */
  cell?: (row: Row) => ComponentChildren;
  isNumber?: boolean;
  /** In pixels; the first column without one takes the rest. */
  width?: number;
  /** Left out on small screens. */
  isOptional?: boolean;
  isUnsorted?: boolean;
}

interface Properties<Row> {
  label: string;
  columns: readonly VirtualColumn<Row>[];
  rows: readonly Row[];
  sort?: { id: string; desc: boolean };
  isMarked?: (row: Row) => boolean;
}

function tableColumn<Row>({ id: _id, value, cell, isNumber = false, ...rest }: VirtualColumn<Row>): TableColumn<Row> {
  return { ...rest, cell: { isNumber, value, show: cell ?? ((row) => <bdi>{value(row) ?? '\u2013'}</bdi>) } };
}

export function VirtualTable<Row extends object>({ label, columns, rows, sort, isMarked }: Properties<Row>): VNode {
  return <DataTable inFrame label={label} rows={rows} columns={useMemo(() => columns.map(tableColumn), [columns])}
    {...(sort ? { sort: { column: columns.findIndex(({ id }) => id === sort.id), descending: sort.desc } } : {})}
    rowClass={(row) => (isMarked?.(row) ? 'marked' : null)} />;
}
