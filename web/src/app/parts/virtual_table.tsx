// A table of any length: sorted by a click on a heading, only rows in sight are in the page.
import { createSortedRowModel, rowSortingFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/preact-table';
import type { ComponentChildren, VNode } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { compareValues, type Value } from '../table_order.ts';
import { useVirtualRows } from '../use_virtual_rows.ts';

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

const kFeatures = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel(), sortFns: {} });

function definitions<Row extends object>(columns: readonly VirtualColumn<Row>[]): ColumnDef<typeof kFeatures, Row>[] {
  return columns.map((column) => ({
    id: column.id,
    accessorFn: (row: Row) => column.value(row) ?? undefined,
    sortFn: (a, b, id) => compareValues(a.getValue<Value>(id), b.getValue<Value>(id)),
    sortUndefined: 'last' as const,
    sortDescFirst: column.isNumber === true,
    enableSorting: column.isUnsorted !== true,
  }));
}

export function VirtualTable<Row extends object>({ label, columns, rows, sort, isMarked }: Properties<Row>): VNode {
  const scroller = useRef<HTMLDivElement>(null);
  const table = useTable({
    features: kFeatures,
    columns: useMemo(() => definitions(columns), [columns]),
    data: rows as Row[],
    initialState: { sorting: sort ? [sort] : [] },
    enableSortingRemoval: false,
  });
  const sorted = table.getRowModel().rows;
  const { items, above, below } = useVirtualRows(scroller, sorted.length);
  // One cell: a wider one would make columns of those that a small screen leaves out.
  const space = (height: number): VNode | null => (height > 0 ? <tr class="space" aria-hidden="true"><td style={{ height: `${height}px` }} /></tr> : null);
  const classOf = (column: VirtualColumn<Row>): string => [column.isNumber ? 'number' : 'text', column.isOptional ? 'optional' : ''].join(' ').trim();
  // Narrower, the table scrolls sideways in its own frame.
  const width = columns.reduce((sum, column) => sum + (column.width ?? 200), 0);
  return (
    <div class="scroll virtual" ref={scroller} tabIndex={0} role="region" aria-label={label}>
      <table aria-rowcount={sorted.length + 1} style={{ '--columns-width': `${width}px` }}>
        <caption class="hidden-text">{label}</caption>
        <colgroup>{columns.map((column) => <col class={classOf(column)} style={column.width ? { width: `${column.width}px` } : {}} />)}</colgroup>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => {
              const state = table.getColumn(column.id)!;
              const direction = state.getIsSorted();
              if (column.isUnsorted) return <th scope="col" class={classOf(column)}><span class="hidden-text">{column.title}</span></th>;
              return (
                <th scope="col" class={classOf(column)} aria-sort={direction === 'desc' ? 'descending' : direction === 'asc' ? 'ascending' : 'none'}>
                  <button type="button" onClick={() => state.toggleSorting()}><bdi>{column.title}</bdi><span class="arrow" aria-hidden="true" /></button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {space(above)}
          {items.map((item) => {
            const row = sorted[item.index];
            if (!row) return null;
            return (
              <tr key={row.id} aria-rowindex={item.index + 2} class={isMarked?.(row.original) ? 'marked' : ''}>
                {columns.map((column) => {
                  const value = column.value(row.original);
                  return <td class={classOf(column)} title={value === null || value === undefined ? '' : String(value)}>{column.cell ? column.cell(row.original) : <bdi>{value === null || value === undefined ? '\u2013' : String(value)}</bdi>}</td>;
                })}
              </tr>
            );
          })}
          {space(below)}
        </tbody>
      </table>
    </div>
  );
}
