// Finds spans of a timeline by a part of their name, one after another.
import type { RefObject, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { count, plural } from '../../format.ts';
import type { Request } from '../data_source.ts';
import type { TimelineDocument, TimelineSpan } from '../timeline_tiles.ts';

/** Hits that are fetched at a time. */
const kHits = 200;

interface Found {
  text: string;
  total: number;
  /** How many of all hits come before the first of `rows`. */
  before: number;
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

  async function search(wanted: string, from: number, isInitial = false): Promise<void> {
    const mine = turn.current += 1;
    if (wanted.trim() === '') return setFound(null);
    const { hits } = await read({ search: wanted, hits: kHits, from_ns: from });
    if (turn.current !== mine) return;
    const next = { text: wanted, total: hits!.spans, before: hits!.before, rows: hits!.rows, at: isInitial ? placeOf(hits!.rows, wanted, nth) : 0 };
    setFound(next);
    const shown = next.rows[next.at];
    if (shown) onFound(shown);
  }

  function step(by: number): void {
    if (!found) return;
    const at = found.at + by;
    const hit = found.rows[at];
    if (hit) {
      setFound({ ...found, at });
      onFound(hit);
    } else if (by > 0 && found.before + found.rows.length < found.total) {
      search(found.text, found.rows.at(-1)!.start_ns + 1).catch(onError);
    }
  }

  useEffect(() => {
    if (initial !== '') search(initial, 0, true).catch(onError);
  }, []);
  const status = !found ? '' : found.total === 0 ? 'No span has this in its name.'
    : found.rows.length === 0 ? plural(found.total, 'span') : `${count(found.before + found.at + 1)} of ${plural(found.total, 'span')}`;
  const hasMore = found !== null && found.before + found.at + 1 < found.total;
  return (
    <form class="timeline-search" role="search" onSubmit={(event) => {
      event.preventDefault();
      if (found?.text === text) step(1);
      else search(text, 0).catch(onError);
    }}>
      <input ref={input} type="search" aria-label="Find spans by name" placeholder="Find spans by name" value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <button type="submit">Find</button>
      <button type="button" disabled={!found || found.at === 0} onClick={() => step(-1)}>Previous</button>
      <button type="button" disabled={!hasMore} onClick={() => step(1)}>Next</button>
      <span class="note" role="status">{status}</span>
    </form>
  );
}
