// Finds spans of a timeline by a part of their name, one after another.
import type { RefObject, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, plural } from '../../format.ts';
import type { Request } from '../data_source.ts';
import { kHits, nextHits, withHits } from '../search_hits.ts';
import type { TimelineDocument, TimelineSpan } from '../timeline_tiles.ts';

interface Found {
  text: string;
  total: number;
  /** From the first hit on, as far as they were asked for. */
  rows: TimelineSpan[];
  at: number;
}

interface Properties {
  input: RefObject<HTMLInputElement>;
  /** Searched for at once. */
  initial: string;
  /** Which of the spans that are called like that is shown then, from 1. */
  nth: number;
  read: (request: Request) => Promise<TimelineDocument>;
  onFound: (span: TimelineSpan) => void;
  onError: (reason: unknown) => void;
}

/** The place of the `nth` span that is called `name` among hits that have it in their names; else of the first. */
function placeOf(rows: readonly TimelineSpan[], name: string, nth: number): number {
  const exact = rows.flatMap((row, index) => row.name === name ? [index] : []);
  return exact[nth - 1] ?? exact[0] ?? 0;
}

export function TimelineSearch({ input, initial, nth, read, onFound, onError }: Properties): VNode {
  const [text, setText] = useState(initial);
  const [found, setFound] = useState<Found | null>(null);
  const turn = useRef(0);

  async function search(wanted: string, isInitial = false): Promise<void> {
    const mine = turn.current += 1;
    if (wanted.trim() === '') return setFound(null);
    const { hits } = await read({ search: wanted, hits: kHits, from_ns: 0 });
    if (turn.current !== mine) return;
    const next = { text: wanted, total: hits!.spans, rows: hits!.rows, at: isInitial ? placeOf(hits!.rows, wanted, nth) : 0 };
    setFound(next);
    const shown = next.rows[next.at];
    if (shown) onFound(shown);
  }

  function show(shown: Found): void {
    setFound(shown);
    onFound(shown.rows[shown.at]!);
  }

  async function step(by: number): Promise<void> {
    const mine = turn.current += 1;
    if (!found) return;
    const at = found.at + by;
    if (found.rows[at]) return show({ ...found, at });
    if (at < 0 || at >= found.total) return;
    const { hits } = await read({ search: found.text, ...nextHits(found.rows) });
    const rows = withHits(found.rows, hits!.rows);
    if (turn.current === mine && rows[at]) show({ ...found, rows, at });
  }

  useEffect(() => {
    if (initial !== '') search(initial, true).catch(onError);
  }, []);
  const status = !found ? '' : found.total === 0 ? 'No span has this in its name.'
    : `${count(found.at + 1)} of ${plural(found.total, 'span')}`;
  const hasMore = found !== null && found.at + 1 < found.total;
  return (
    <form class="timeline-search" role="search" onSubmit={(event) => {
      event.preventDefault();
      (found?.text === text ? step(1) : search(text)).catch(onError);
    }}>
      <input ref={input} type="search" aria-label="Find spans by name" placeholder="Find spans by name" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <button type="submit">Find</button>
      <button type="button" disabled={!found || found.at === 0} onClick={() => { step(-1).catch(onError); }}>Previous</button>
      <button type="button" disabled={!hasMore} onClick={() => { step(1).catch(onError); }}>Next</button>
      <span class="note" role="status">{status}</span>
    </form>
  );
}
