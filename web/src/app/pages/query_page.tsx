// SQL over the tables of an experiment.
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { withFields } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import { quoted } from '../command_line.ts';
import { errorDocument, type ErrorDocument } from '../data_source.ts';
import { Command } from '../parts/command.tsx';
import { EmptyState } from '../parts/empty_state.tsx';
import { ErrorMessage } from '../parts/error_message.tsx';
import { ExperimentInput } from '../parts/experiment_input.tsx';
import { Heading } from '../parts/heading.tsx';
import { QueryResults } from '../parts/query_results.tsx';
import { SchemaList } from '../parts/schema_list.tsx';
import { useKnownExperiments } from '../use_experiments.ts';

const kExample = 'SELECT type, count(*) AS layers, sum(latency_ns) AS latency_ns\nFROM layer\nGROUP BY type\nORDER BY 3 DESC';

type Answer = { rows: Record<string, unknown>[] } | { error: ErrorDocument } | 'running' | null;

function Editor({ run, sql, setSql }: { run: string; sql: string; setSql: (sql: string) => void }): VNode {
  const app = useApp();
  const [answer, setAnswer] = useState<Answer>(null);
  const editor = useRef<HTMLTextAreaElement>(null);
  const last = useRef<AbortController | null>(null);
  useEffect(() => () => last.current?.abort(), []);

  async function ask(): Promise<void> {
    last.current?.abort();
    const stop = new AbortController();
    last.current = stop;
    setAnswer('running');
    try {
      const rows = await app.source.read<Record<string, unknown>[]>('query', { run, sql }, stop.signal);
      if (!stop.signal.aborted) setAnswer({ rows });
    } catch (reason) {
      if (!stop.signal.aborted) setAnswer({ error: errorDocument(reason) });
    }
  }

  /** Where the cursor is. */
  function insert(name: string): void {
    const area = editor.current!;
    area.setRangeText(name, area.selectionStart, area.selectionEnd, 'end');
    setSql(area.value);
    area.focus();
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void ask();
  };
  return (
    <div class="query">
      <div class="query-main">
        <form class="field" onSubmit={(event) => { event.preventDefault(); void ask(); }}>
          <label for="sql">SQL, one SELECT</label>
          <textarea id="sql" class="sql" ref={editor} rows={7} spellcheck={false} autocomplete="off" value={sql} aria-describedby="sql-keys" onInput={(event) => setSql(event.currentTarget.value)} onKeyDown={onKeyDown} />
          <div class="controls">
            <button type="submit" class="primary">Run the query</button>
            <span class="note" id="sql-keys"><kbd>Ctrl</kbd><kbd>Enter</kbd> runs it</span>
            {answer === 'running' && <><span class="note" role="status">Running…</span><button type="button" onClick={() => { last.current?.abort(); setAnswer(null); }}>Stop</button></>}
          </div>
        </form>
        <details><summary>The same on the command line</summary><Command text={`xsp query ${quoted(run)} ${quoted(sql)}`} /></details>
        {answer !== null && answer !== 'running' && ('error' in answer ? <ErrorMessage error={answer.error} /> : <QueryResults document={answer.rows} />)}
      </div>
      <SchemaList run={run} insert={insert} />
    </div>
  );
}

export function QueryPage({ run }: { run: string | null }): VNode {
  const app = useApp();
  const experiments = useKnownExperiments();
  const [name, setName] = useState(run ?? '');
  const [sql, setSql] = useState(kExample);
  // The address may change without the field: by Back, or by a link.
  useEffect(() => setName(run ?? ''), [run]);
  return (
    <>
      <Heading title="SQL" />
      <form class="controls query-run" onSubmit={(event) => { event.preventDefault(); app.go(withFields('/query', { run: name.trim() })); }}>
        <ExperimentInput id="run" label="Experiment" value={name} experiments={experiments} placeholder="a name, or latest" onChange={setName} />
        <button type="submit">Use it</button>
      </form>
      {run === null ? <EmptyState>Choose the experiment to query; <a href="/query?run=latest">latest</a> is the newest one.</EmptyState> : <Editor key={run} run={run} sql={sql} setSql={setSql} />}
    </>
  );
}
