import { test } from 'node:test';
import assert from 'node:assert/strict';
import { kHits, nextHits, withHits } from '../src/app/search_hits.ts';
import type { TimelineSpan } from '../src/app/timeline_tiles.ts';

const spanAt = (id: number, start_ns: number): TimelineSpan => ({ id, level: 'kernel', type: '', name: 'a', track: 1, lane: 0, start_ns, duration_ns: 1 });

/** What the operation lists: by start, then by id. */
function listed(spans: readonly TimelineSpan[], from: number, hits: number): TimelineSpan[] {
  return spans.filter((span) => span.start_ns >= from).sort((a, b) => a.start_ns - b.start_ns || a.id - b.id).slice(0, hits);
}

test('every hit comes once and in order, however many begin at the same time', () => {
  let seed = 1;
  const random = (below: number): number => { seed = (seed * 48271) % 2147483647; return seed % below; };
  for (let round = 0; round < 50; round += 1) {
    const starts = 1 + random(30);
    const spans = Array.from({ length: 1 + random(1500) }, (_, id) => spanAt(id, random(starts)));
    const most = Math.max(...Array.from({ length: starts }, (_, start) => spans.filter((span) => span.start_ns === start).length));
    if (most >= 1000) continue;
    let rows = listed(spans, 0, kHits);
    while (rows.length < spans.length) {
      const { from_ns, hits } = nextHits(rows);
      const longer = withHits(rows, listed(spans, from_ns, hits));
      assert.ok(longer.length > rows.length);
      rows = longer;
    }
    assert.deepEqual(rows, listed(spans, 0, spans.length));
  }
});

test('hits that begin at the same time as more than can be listed are passed over', () => {
  const spans = [...Array.from({ length: 1500 }, (_, id) => spanAt(id, 5)), spanAt(2000, 6)];
  let rows = listed(spans, 0, kHits);
  while (rows.at(-1)!.start_ns === 5) {
    const { from_ns, hits } = nextHits(rows);
    rows = withHits(rows, listed(spans, from_ns, hits));
  }
  assert.equal(rows.length, 1001);
});
