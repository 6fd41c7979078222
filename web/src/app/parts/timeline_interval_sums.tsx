// Where the time of an interval goes: sums by level and name.
import type { VNode } from 'preact';
import { count, duration, plural } from '../../format.ts';
import type { TimelineSums } from '../timeline_tiles.ts';

export function TimelineIntervalSums({ from, to, sums }: { from: number; to: number; sums: TimelineSums | null }): VNode {
  return (
    <section aria-labelledby="sums-title">
      <h2 id="sums-title">{duration(to - from)} from {duration(from)} on</h2>
      {sums === null ? <p class="note" role="status">Summing…</p> : (
        <>
          <p class="note" role="status">{plural(sums.spans, 'span')} of {plural(sums.names, 'name')}. Spans within others count in both; time is what lies in the interval.</p>
          <div class="scroll" tabIndex={0} role="region" aria-label="Sums by name">
            <table>
              <caption class="hidden-text">Sums by name</caption>
              <thead><tr><th scope="col" class="plain-head">Name</th><th scope="col" class="plain-head">Level</th><th scope="col" class="plain-head number">Spans</th><th scope="col" class="plain-head number">Time</th><th scope="col" class="plain-head number">Longest</th></tr></thead>
              <tbody>{sums.rows.map((row) => <tr key={`${row.level} ${row.name}`}><td><bdi>{row.name}</bdi></td><td>{row.level}</td><td class="number">{count(row.spans)}</td><td class="number">{duration(row.duration_ns)}</td><td class="number">{duration(row.longest_ns)}</td></tr>)}</tbody>
            </table>
          </div>
          {sums.names > sums.rows.length && <p class="note">The {sums.rows.length} names with the most time.</p>}
        </>
      )}
    </section>
  );
}
