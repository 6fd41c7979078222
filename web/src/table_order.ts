// The order of rows by one column.

export type Value = string | number | boolean | null | undefined;

/** Numbers by size, texts by alphabet with numbers in them by size. Values that are not known are sorted last by the table. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return kCollator.compare(String(a), String(b));
}

const kCollator = new Intl.Collator('en', { numeric: true });
