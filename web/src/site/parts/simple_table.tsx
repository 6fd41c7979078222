// A table of few rows in a frame of its own: narrower screens scroll it sideways.
import type { ComponentChildren, VNode } from 'preact';

export interface SimpleColumn<Row> {
  title: string;
  isNumber?: boolean;
  cell: (row: Row) => ComponentChildren;
}

export function SimpleTable<Row>({ label, columns, rows }: { label: string; columns: readonly SimpleColumn<Row>[]; rows: readonly Row[] }): VNode {
  const classOf = ({ isNumber }: SimpleColumn<Row>): string => (isNumber ? 'number' : 'text');
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={label}>
      <table>
        <caption class="hidden-text">{label}</caption>
        <thead><tr>{columns.map((column) => <th scope="col" class={`plain-head ${classOf(column)}`}>{column.title}</th>)}</tr></thead>
        <tbody>{rows.map((row) => <tr>{columns.map((column) => <td class={classOf(column)}>{column.cell(row)}</td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}
