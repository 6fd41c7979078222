// Lanes and drawing of a whole run, and the ranks, without a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { activityOf } from '../src/activity.ts';
import { idleOf, rankName, summary } from '../src/ranks_section.ts';
import { drawSpans, type Pen, type Scene } from '../src/timeline_draw.ts';
import { arrowsOf, firstEndingAfter, isWaiting, makeRunLanes, spanAt, type Lanes } from '../src/timeline_lanes.ts';
import { random } from './make_fixture.ts';
import { ranks, runTimeline } from './make_run.ts';

const kAll = { folded: true, python: true };

test('no two spans of a lane overlap, and every span has a lane', () => {
  const lanes = makeRunLanes(runTimeline({ rows: 3000, ranks: 3, python: true }), kAll);
  for (const lane of lanes.lanes)
    lane.spans.forEach((index, at) => {
      if (at > 0) assert.ok(lanes.end[lane.spans[at - 1]!]! <= lanes.start[index]!);
    });
  assert.equal(lanes.lanes.reduce((all, lane) => all + lane.spans.length, 0), lanes.start.length);
  assert.ok(lanes.row.every((row) => row >= 0));
});

test('starts are sums of the steps, and blocks follow the spans', () => {
  const timeline = runTimeline({ rows: 200 });
  const lanes = makeRunLanes(timeline, kAll);
  assert.equal(lanes.firstBlock, timeline.spans.track.length);
  const last = timeline.spans.start_step_ns.reduce((all, step) => all + step, 0);
  assert.equal(lanes.start[lanes.firstBlock - 1], last);
  assert.ok(lanes.start[lanes.firstBlock]! < last);
});

test('Python frames and folded tracks are laid out when asked for', () => {
  const timeline = runTimeline({ rows: 800, ranks: 4, python: true });
  const count = (folded: boolean, python: boolean): number => makeRunLanes(timeline, { folded, python }).lanes.reduce((all, lane) => all + lane.spans.length, 0);
  assert.ok(count(false, false) < count(false, true));
  assert.ok(count(false, true) < count(true, true));
});

test('tracks of several ranks say whose they are', () => {
  const names = makeRunLanes(runTimeline({ rows: 100, ranks: 2 }), kAll).lanes.map((lane) => lane.track).filter((name) => name !== null);
  assert.deepEqual(names, ['rank 0 \u00b7 GPU 0 stream 7', 'rank 0 \u00b7 main', 'rank 1 \u00b7 GPU 0 stream 7', 'rank 1 \u00b7 main']);
});

test('halving finds what walking finds', () => {
  const next = random(5);
  const lanes = makeRunLanes(runTimeline({ rows: 500 }), kAll);
  for (let round = 0; round < 2000; round += 1) {
    const lane = lanes.lanes[Math.floor(next() * lanes.lanes.length)]!;
    const time = Math.floor(next() * lanes.total);
    const slow = lane.spans.findIndex((index) => lanes.end[index]! > time);
    assert.equal(firstEndingAfter(lanes, lane, time), slow < 0 ? lane.spans.length : slow);
    const under = lane.spans.find((index) => lanes.start[index]! <= time && time < lanes.end[index]!);
    if (under !== undefined) assert.equal(spanAt(lanes, lane, time, 0), under);
  }
});

test('a kernel points at its launch and a launch at its kernel', () => {
  const lanes = makeRunLanes(runTimeline({ rows: 300 }), kAll);
  const kernel = lanes.launches.span[4]!;
  const [arrow] = arrowsOf(lanes, kernel);
  assert.equal(arrow!.kernel, kernel);
  const launch = spanAt(lanes, lanes.lanes[arrow!.row]!, arrow!.time, 0);
  assert.equal(lanes.level[launch], 'library');
  assert.deepEqual(arrowsOf(lanes, launch).map((item) => item.kernel), [kernel]);
  assert.deepEqual(arrowsOf(lanes, -1), []);
});

/** Counts what is drawn; text has six pixels a letter. */
function pen(): Pen & { calls: number } {
  const made = {
    calls: 0, fillStyle: '', strokeStyle: '', globalAlpha: 1, lineWidth: 1,
    measureText: (text: string) => ({ width: text.length * 6 }),
  } as unknown as Pen & { calls: number };
  for (const name of ['fillRect', 'strokeRect', 'fillText', 'beginPath', 'moveTo', 'lineTo', 'bezierCurveTo', 'stroke', 'fill'] as const)
    Object.assign(made, { [name]: () => { made.calls += 1; } });
  return made;
}

function scene(lanes: Lanes): Scene {
  return {
    lanes, tops: lanes.lanes.map((_, row) => row * 22), selected: -1, found: new Set(), colourOf: () => '#0072b2',
    colours: { ink: '#000000', muted: '#000000', line: '#000000', ground: '#ffffff', neutral: '#cccccc', accent: '#0072b2' },
  };
}

/** The same lanes; each look at a span's end is counted. */
function watched(lanes: Lanes): { lanes: Lanes; looks: () => number } {
  let looks = 0;
  const end = new Proxy(lanes.end, {
    get(target, key, receiver): unknown {
      if (typeof key === 'string' && /^\d/.test(key)) looks += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  return { lanes: { ...lanes, end }, looks: () => looks };
}

test('a picture costs what its pixels cost: 60,000 rows as 6,000', () => {
  // What is counted is the same on a busy machine. In 200 pixels both are more than can be shown.
  const cost = (rows: number): { looks: number; calls: number } => {
    const { lanes, looks } = watched(makeRunLanes(runTimeline({ rows }), kAll));
    const counted = pen();
    // All of it, and a tenth of it from many places.
    for (let place = 0; place < 10; place += 1) {
      const length = place === 0 ? lanes.total : lanes.total / 10;
      const from = ((lanes.total - length) * place) / 10;
      drawSpans(counted, scene(lanes), { from, to: from + length, left: 0, right: 200 });
    }
    return { looks: looks() / 10, calls: counted.calls / 10 };
  };
  const [small, large] = [cost(6000), cost(60000)];
  console.log(`6,000 rows: ${small.looks} looks at spans and ${small.calls} calls a picture; 60,000 rows: ${large.looks} and ${large.calls}`);
  // Every lane has 200 pixels, and a span at most three calls (two boxes and a name).
  assert.ok(large.calls < 3 * 200 * 4, `${large.calls} calls`);
  assert.ok(large.looks < 3 * small.looks, `${large.looks} looks against ${small.looks}`);
});

test('a host that waits for the device is hatched, a launch is not', () => {
  const names = ['cudaStreamSynchronize', 'cudaMemcpyAsync', 'cudaMemcpyAsync', 'cudaLaunchKernel', 'void cudaDeviceSynchronize_kernel()'];
  const host = ['library', 'library', 'library', 'library', 'kernel'];
  const lanes = { level: host, name: names, duration: [10, 60_000, 4_000, 60_000, 60_000], firstBlock: 5 };
  assert.deepEqual(names.map((_, index) => isWaiting(lanes, index)), [true, true, false, false, false]);
  const whole = makeRunLanes(runTimeline({ rows: 200 }), kAll);
  const solid = pen();
  const view = { from: 0, to: whole.total, left: 0, right: 800 };
  drawSpans(solid, scene(whole), view);
  const hatched = pen();
  drawSpans(hatched, scene({ ...whole, level: whole.level.map(() => 'library'), name: whole.name.map(() => 'cudaStreamSynchronize') }), view);
  assert.ok(hatched.calls > 2 * solid.calls, `${hatched.calls} calls against ${solid.calls}`);
});

test('what is out of sight is not drawn', () => {
  const lanes = makeRunLanes(runTimeline({ rows: 6000 }), kAll);
  const counted = pen();
  drawSpans(counted, scene(lanes), { from: lanes.total + 10, to: lanes.total + 20, left: 0, right: 800 });
  assert.equal(counted.calls, 0);
});

test('activities are told by type and by the names that communicate', () => {
  const communicating = new Set(['ncclDevKernel_AllReduce_Sum_f32']);
  assert.equal(activityOf('kernel', 'ncclDevKernel_AllReduce_Sum_f32', communicating), 'communication');
  assert.equal(activityOf('memset', 'Memset (Device)', communicating), 'copy');
  assert.equal(activityOf('kernel', 'triton_poi_fused_add_0', communicating), 'compute');
});

test('the sentence on ranks names the one that computes longest and the one that ends last', () => {
  const data = ranks(3);
  assert.match(summary(data), /rank 2 computes longest .* rank 0 shortest .* Rank 2 ends last, 2\.00\u00a0ms after rank 0/);
  assert.equal(rankName(data, data.rows[1]!), 'rank 1');
  data.rows.push({ ...data.rows[1]!, device: 5 });
  assert.equal(rankName(data, data.rows[1]!), 'rank 1, device 0');
  assert.equal(idleOf({ ...data.rows[0]!, first_ns: 0, last_ns: 100, compute_ns: 30, communication_ns: 20, copy_ns: 10 }), 40);
});
