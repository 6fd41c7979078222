// Reading the column-oriented tables of the report document.
import type { Cell, Column, Columns } from './report_data.ts';

/** The values of a column, a dictionary decoded. */
export function values<T = Cell>(column: Column<T> | undefined): (T | null)[] {
  if (column === undefined) return [];
  if (Array.isArray(column)) return column;
  if ('count' in column) return new Array<T | null>(column.count).fill(column.value);
  const { dict, codes, numbers } = column;
  if (!numbers) return codes.map((code) => (dict[code] as T | undefined) ?? null);
  return codes.map((code, row) => {
    const text = dict[code];
    return (text === undefined ? null : numbers[row]! < 0 ? text : `${text} #${numbers[row]}`) as T | null;
  });
}

/** How many values a column holds. */
export function lengthOf(column: Column<unknown> | undefined): number {
  if (column === undefined) return 0;
  if (Array.isArray(column)) return column.length;
  return 'count' in column ? column.count : column.codes.length;
}

/** A table as an array of rows. A column that the document leaves out reads as null. */
export function rows<Row extends object>(
  table: Columns<Row>, names: readonly (keyof Row)[],
): { [Name in keyof Row]: Row[Name] | null }[] {
  const columns = names.map((name) => values(table[name] as Column | undefined));
  const length = Math.max(0, ...columns.map((column) => column.length));
  const out: Record<string, unknown>[] = [];
  for (let row = 0; row < length; row += 1) {
    const item: Record<string, unknown> = {};
    names.forEach((name, index) => {
      item[name as string] = columns[index]![row] ?? null;
    });
    out.push(item);
  }
  return out as { [Name in keyof Row]: Row[Name] | null }[];
}

export function sum(numbers: Iterable<number | null | undefined>): number {
  let total = 0;
  for (const value of numbers) if (typeof value === 'number') total += value;
  return total;
}

/** The sum, or null when not one value is known. */
export function sumKnown(numbers: readonly (number | null | undefined)[]): number | null {
  return numbers.some((value) => typeof value === 'number') ? sum(numbers) : null;
}

export function groupBy<T, K>(items: Iterable<T>, key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const name = key(item);
    const group = groups.get(name);
    if (group) group.push(item);
    else groups.set(name, [item]);
  }
  return groups;
}
