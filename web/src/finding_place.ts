// The span that a finding is about, as far as its evidence names one.
import type { Cell, FindingColumn } from './report_data.ts';

/** Columns that hold names of spans. Others with names hold types, or functions. */
const kOfSpans = ['layer', 'name'];

export interface Evidence {
  columns: readonly Pick<FindingColumn, 'name' | 'unit'>[];
  rows: readonly Record<string, Cell>[];
}

/** The name of the span in the first row of the evidence, which weighs most; null: it names none. */
export function spanOf(evidence: Evidence | undefined): string | null {
  for (const { name, unit } of evidence?.columns ?? []) {
    const cell = kOfSpans.includes(name) && unit === 'name' ? evidence?.rows[0]?.[name] : null;
    if (typeof cell === 'string' && cell !== '') return cell;
  }
  return null;
}
