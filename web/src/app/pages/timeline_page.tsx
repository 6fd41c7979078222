// The timeline of a run at any size: tiles on a canvas, search, one span, sums of an interval.
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { count, duration, plural } from '../../format.ts';
import { experimentAddress, timelineAddress, withFields, type TimelineView } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import { errorDocument, type ErrorDocument, type Request } from '../data_source.ts';
import { ErrorMessage } from '../parts/error_message.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { TimelineIntervalSums } from '../parts/timeline_interval_sums.tsx';
import { TimelineSearch } from '../parts/timeline_search.tsx';
import { TimelineSpanDetails } from '../parts/timeline_span_details.tsx';
import { TileCanvas } from '../tile_canvas.ts';
import { TileStore, type SpanDetails, type TimelineDocument, type TimelineSums } from '../timeline_tiles.ts';
import { useOperation } from '../use_document.ts';

/** The address follows the view this long after it last changed, ms. */
const kAddressDelay = 300;

interface Interval {
  from: number;
  to: number;
  sums: TimelineSums | null;
}

function Viewer({ name, document, view }: { name: string; document: TimelineDocument; view: TimelineView }): VNode {
  const app = useApp();
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<TileCanvas | null>(null);
  const searchInput = useRef<HTMLInputElement>(null);
  const [span, setSpan] = useState<SpanDetails | null>(null);
  const [interval, setInterval] = useState<Interval | null>(null);
  const [error, setError] = useState<ErrorDocument | null>(null);
  const run = `${name}/${document.run}`;
  const timer = useRef(0);
  const chosen = useRef(view.span ?? 0);
  const asked = useRef(0);

  const read = (request: Request): Promise<TimelineDocument> => app.source.read<TimelineDocument>('timeline', { run, parts: ['none'], ...request });
  const fail = (reason: unknown): void => setError(errorDocument(reason));

  /** The address leads back to what is seen. */
  function keepAddress(): void {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const { from, to } = canvas.current!;
      const isWhole = from <= 0 && to >= document.duration_ns;
      app.replace(timelineAddress(name, { run: view.run, from: isWhole ? null : Math.floor(from), to: isWhole ? null : Math.ceil(to), span: chosen.current || null }));
    }, kAddressDelay);
  }

  async function select(id: number, isShown: boolean): Promise<void> {
    chosen.current = id;
    keepAddress();
    let details: SpanDetails | null = null;
    try {
      if (id !== 0) details = (await read({ span: id })).span!;
    } catch (reason) {
      if (chosen.current !== id) return;
      throw reason;
    }
    if (chosen.current !== id || canvas.current === null) return;
    canvas.current.select(details, isShown);
    setSpan(details);
  }

  function clearInterval(): void {
    asked.current += 1;
    canvas.current?.markInterval(null);
    setInterval(null);
  }

  async function sum(from: number, to: number): Promise<void> {
    const turn = asked.current += 1;
    const [start, end] = [Math.floor(from), Math.max(Math.ceil(to), Math.floor(from) + 1)];
    canvas.current!.markInterval([start, end]);
    setInterval({ from: start, to: end, sums: null });
    try {
      const { sums } = await read({ from_ns: start, to_ns: end, parts: ['sums'] });
      if (asked.current === turn) setInterval({ from: start, to: end, sums: sums! });
    } catch (reason) {
      if (asked.current !== turn) return;
      clearInterval();
      throw reason;
    }
  }

  useLayoutEffect(() => {
    const store = new TileStore(app.source, run);
    const made = new TileCanvas(document.tracks!, document.duration_ns, store);
    canvas.current = made;
    store.onTile = () => { setError(null); made.redraw(); };
    store.onError = fail;
    made.onView = keepAddress;
    made.onSelect = (id) => { select(id, false).catch(fail); };
    made.onInterval = (from, to) => { sum(from, to).catch(fail); };
    made.onSearchKey = () => searchInput.current?.focus();
    if (view.from !== null && view.to !== null) made.showView(view.from, view.to);
    host.current!.replaceChildren(made.element);
    return () => {
      clearTimeout(timer.current);
      store.close();
      made.close();
      canvas.current = null;
    };
  }, [run]);
  useEffect(() => {
    if (view.span !== null) select(view.span, view.to === null).catch(fail);
  }, [run]);

  const show = (id: number): void => { select(id, true).catch(fail); };
  return (
    <>
      <TimelineSearch input={searchInput} initial={view.search} nth={view.nth} read={read} onFound={({ id }) => show(id)} onError={fail} />
      <div ref={host} />
      <p class="note">
        <kbd>W</kbd> <kbd>S</kbd> or <kbd>Ctrl</kbd> and the wheel zoom, <kbd>A</kbd> <kbd>D</kbd> or dragging pan, <kbd>0</kbd> shows all. <kbd>Shift</kbd> and dragging sums an interval.
        A colour stands for a name of a layer or kernel; other levels are grey. A pale box holds many short spans; its solid part is the share of time in them.
      </p>
      {error && <ErrorMessage error={error} again={() => { setError(null); canvas.current?.redraw(); }} />}
      <p class="controls">
        <button type="button" onClick={() => { const { from, to } = canvas.current!; sum(from, to).catch(fail); }}>Sum what is seen</button>
        {interval && <button type="button" onClick={clearInterval}>Clear the interval</button>}
      </p>
      {span && <TimelineSpanDetails span={span} show={show} />}
      {interval && <TimelineIntervalSums from={interval.from} to={interval.to} sums={interval.sums} />}
    </>
  );
}

function RunChoice({ name, document }: { name: string; document: TimelineDocument }): VNode | null {
  const app = useApp();
  if (document.runs.length < 2) return null;
  return (
    <label class="filter">Run
      <select value={document.run} onChange={(event) => app.go(timelineAddress(name, { run: event.currentTarget.value }))}>
        {document.runs.map(({ name: run, spans }) => <option value={run} selected={run === document.run}>{run}, {plural(spans, 'span')}</option>)}
      </select>
    </label>
  );
}

export function TimelinePage({ name, view }: { name: string; view: TimelineView }): VNode {
  const used = useOperation<TimelineDocument>('timeline', { run: view.run === null ? name : `${name}/${view.run}`, parts: ['tracks'] });
  return (
    <>
      <Heading title={`Timeline of ${name}`}>
        <p class="controls"><a href={experimentAddress(name)}>The experiment</a><a href={withFields('/query', { run: name })}>Query with SQL</a></p>
      </Heading>
      <Loading what="the timeline" used={used}>
        {(document) => (
          <>
            <RunChoice name={name} document={document} />
            <p class="note">{count(document.spans)} spans on {plural(document.tracks!.length, 'track')}, {duration(document.duration_ns)}.</p>
            <Viewer name={name} document={document} view={view} />
          </>
        )}
      </Loading>
    </>
  );
}
