// The rows of an SQL query as columns of a table.
import { allDigits, kUnknown } from '../format.ts';
import type { Cell } from '../report_data.ts';

export interface QueryResult {
  columns: string[];
  /** In the order of `columns`. */
  rows: Cell[][];
  /** Whether every known value of a column is a number. */
  isNumber: boolean[];
}

/** Lists and structures become JSON. */
function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value as Cell;
  return JSON.stringify(value);
}

/** All columns in order of their first row: rows may lack some. */
export function queryResult(document: readonly Record<string, unknown>[]): QueryResult {
  const columns = [...new Set(document.flatMap((row) => Object.keys(row)))];
  const rows = document.map((row) => columns.map((name) => cellOf(row[name])));
  const isNumber = columns.map((_, index) => rows.some((row) => row[index] !== null) && rows.every((row) => row[index] === null || typeof row[index] === 'number'));
  return { columns, rows, isNumber };
}

/** With all digits, as `xsp query` prints them. */
export function cellText(value: Cell): string {
  if (value === null) return kUnknown;
  return typeof value === 'number' ? allDigits(value) : String(value);
}

export interface SchemaColumn {
  table_name: string;
  column_name: string;
  data_type: string;
  comment: string | null;
}

/** The SQL that lists every table and column with its comment. */
export const kSchemaSql = `SELECT table_name, column_name, data_type, comment FROM duckdb_columns()
WHERE NOT internal ORDER BY table_name, column_index`;

export interface SchemaTable {
  name: string;
  columns: SchemaColumn[];
}

export function tablesOf(columns: readonly SchemaColumn[]): SchemaTable[] {
  const tables = new Map<string, SchemaColumn[]>();
  for (const column of columns) {
    const known = tables.get(column.table_name);
    if (known) known.push(column);
    else tables.set(column.table_name, [column]);
  }
  return [...tables].map(([name, of]) => ({ name, columns: of }));
}
