// Which experiments of the store a list shows: the filters, in the address and on the rows.
import { withFields } from './addresses.ts';

/** A row of `xsp list`. */
export interface ExperimentRow {
  name: string;
  created: string;
  model: string;
  backend: string;
  runs: number;
  status: string;
  /** KEY=VALUE, separated by blanks. */
  tags: string;
  /** Of a published site; the list of a server does not have it. */
  machine?: string;
}

export interface ExperimentFilter {
  /** Words that a row has in any column. */
  text: string;
  model: string;
  backend: string;
  machine: string;
  tag: string;
  /** Dates, 2026-11-26: the first and the last day shown. */
  since: string;
  until: string;
}

export const kNoFilter: ExperimentFilter = { text: '', model: '', backend: '', machine: '', tag: '', since: '', until: '' };

const kNames = Object.keys(kNoFilter) as (keyof ExperimentFilter)[];

export function filterOf(search: string): ExperimentFilter {
  const fields = new URLSearchParams(search);
  const filter = { ...kNoFilter };
  for (const name of kNames) filter[name] = fields.get(name) ?? '';
  return filter;
}

export function filterAddress(path: string, filter: ExperimentFilter): string {
  return withFields(path, { ...filter });
}

/** The backends of a row: `list` separates several by commas. */
export function partsOf(text: string): string[] {
  return text.split(/,\s*/).filter((part) => part !== '');
}

export function tagsOf(row: ExperimentRow): string[] {
  // A value may have blanks, a key has none.
  return row.tags.split(/ (?=[\w.-]+=)/).filter((tag) => tag !== '');
}

/** Whether the row has `wanted`: KEY=VALUE, or KEY with any value. */
function hasTag(row: ExperimentRow, wanted: string): boolean {
  return tagsOf(row).some((tag) => tag === wanted || tag.startsWith(`${wanted}=`));
}

function textOf(row: ExperimentRow): string {
  return [row.name, row.model, row.backend, row.machine ?? '', row.tags, row.status].join('\n').toLowerCase();
}

export function filtered(rows: readonly ExperimentRow[], filter: ExperimentFilter): ExperimentRow[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return rows.filter((row) => {
    const day = row.created.slice(0, 10);
    return (filter.model === '' || row.model === filter.model)
      && (filter.backend === '' || partsOf(row.backend).includes(filter.backend))
      && (filter.machine === '' || row.machine === filter.machine)
      && (filter.tag === '' || hasTag(row, filter.tag))
      && (filter.since === '' || day >= filter.since)
      && (filter.until === '' || day <= filter.until)
      && (words.length === 0 || words.every((word) => textOf(row).includes(word)));
  });
}

/** Every value of a column once, in order of the alphabet. */
export function choicesOf(rows: readonly ExperimentRow[], values: (row: ExperimentRow) => readonly string[]): string[] {
  const all = new Set<string>();
  for (const row of rows) for (const value of values(row)) if (value !== '') all.add(value);
  return [...all].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
}
