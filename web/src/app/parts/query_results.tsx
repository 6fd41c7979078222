// The rows that a query returned, and their download.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { DownloadButtons } from '../../download.ts';
import { plural } from '../../format.ts';
import type { Cell } from '../../report_data.ts';
import { cellText, queryResult } from '../query_result.ts';
import { VirtualTable, type VirtualColumn } from './virtual_table.tsx';

export function QueryResults({ document }: { document: Record<string, unknown>[] }): VNode {
  const result = useMemo(() => queryResult(document), [document]);
  const columns = useMemo(() => result.columns.map((name, index): VirtualColumn<Cell[]> => ({
    // Names of columns are foreign text: the number is the id.
    id: `column-${index}`, title: name, value: (row) => row[index], cell: (row) => <bdi>{cellText(row[index] ?? null)}</bdi>,
    isNumber: result.isNumber[index] === true, width: 180,
  })), [result]);
  return (
    <section aria-labelledby="rows-title">
      <h2 id="rows-title" role="status">{plural(result.rows.length, 'row')}</h2>
      {result.rows.length > 0 && (
        <>
          <DownloadButtons source={{ name: 'query', columns: result.columns, rows: () => result.rows }} />
          <VirtualTable label="Result of the query" columns={columns} rows={result.rows} />
        </>
      )}
    </section>
  );
}
