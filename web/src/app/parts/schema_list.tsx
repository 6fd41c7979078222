// The tables that a query can use, with the meaning of each column.
import type { VNode } from 'preact';
import { kSchemaSql, tablesOf, type SchemaColumn } from '../query_result.ts';
import { useOperation } from '../use_document.ts';
import { Loading } from './loading.tsx';

/** `insert` puts a name into the query. */
export function SchemaList({ run, insert }: { run: string; insert: (name: string) => void }): VNode {
  const used = useOperation<SchemaColumn[]>('query', { run, sql: kSchemaSql });
  return (
    <aside class="schema" aria-labelledby="schema-title">
      <h2 id="schema-title">Tables</h2>
      <Loading what="the tables" used={used}>
        {(columns) => <>{tablesOf(columns).map((table) => (
          <details key={table.name}>
            <summary>{table.name}</summary>
            <ul class="plain">
              {table.columns.map(({ column_name, data_type, comment }) => (
                <li><button type="button" class="name" aria-label={`Insert ${column_name}`} onClick={() => insert(column_name)}><code>{column_name}</code></button> <span class="note">{data_type.toLowerCase()}{comment && `: ${comment}`}</span></li>
              ))}
            </ul>
          </details>
        ))}</>}
      </Loading>
    </aside>
  );
}
