// The documents of the operation `timeline` for the tests of the application: a step of 1 ms that holds 1000 operators of
// 800 ns, one each microsecond, with a launch each; a kernel for each on a stream.
import type { TimelineSpan } from '../src/app/timeline_tiles.ts';

const kDuration = 1e6;
const kOperators = 1000;

function spanOf(id: number): TimelineSpan {
  if (id === 1) return { id, level: 'application', type: 'step', name: 'Step <b>1</b>', track: 1, lane: 0, start_ns: 0, duration_ns: kDuration };
  const [number, kind] = [Math.floor((id - 2) / 3), (id - 2) % 3];
  const start = number * 1000;
  if (kind === 0) return { id, level: 'layer', type: 'conv', name: `aten::conv_${number}`, track: 1, lane: 1, start_ns: start, duration_ns: 800 };
  if (kind === 1) return { id, level: 'library', type: 'cuda_runtime', name: 'cudaLaunchKernel', track: 1, lane: 2, start_ns: start + 100, duration_ns: 200 };
  return { id, level: 'kernel', type: 'kernel', name: `gemm_${number}`, track: 2, lane: 0, start_ns: start + 300, duration_ns: 600 };
}

export const kTimelineSpans: readonly TimelineSpan[] = Array.from({ length: 1 + 3 * kOperators }, (_, index) => spanOf(index + 1));

function merged(from: number, to: number, bucket: number): Record<string, unknown> {
  const blocks = new Map<string, { span: TimelineSpan; end: number; spans: number; busy: number }>();
  for (const span of kTimelineSpans) {
    const end = span.start_ns + span.duration_ns!;
    if (span.start_ns >= to || end < from) continue;
    const key = span.duration_ns! >= bucket ? `${span.id}` : `${span.track}/${span.lane}/${Math.floor(span.start_ns / bucket)}`;
    const block = blocks.get(key);
    if (block) Object.assign(block, { end, spans: block.spans + 1, busy: block.busy + span.duration_ns! });
    else blocks.set(key, { span, end, spans: 1, busy: span.duration_ns! });
  }
  const rows = [...blocks.values()].sort((a, b) => a.span.start_ns - b.span.start_ns);
  return {
    bucket_ns: bucket,
    names: rows.map(({ span: { level, name } }) => ({ level, name })),
    blocks: {
      track: rows.map(({ span }) => span.track), lane: rows.map(({ span }) => span.lane),
      start_ns: rows.map(({ span }) => span.start_ns - from), duration_ns: rows.map(({ span, end }) => end - span.start_ns),
      spans: rows.map(({ spans }) => spans), busy_ns: rows.map(({ busy }) => busy),
      span: rows.map(({ span }) => span.id), name: rows.map((_, index) => index),
    },
  };
}

function details(id: number): unknown {
  const span = kTimelineSpans[id - 1]!;
  const kind = id === 1 ? -1 : (id - 2) % 3;
  const flows = kind === 1 ? [{ ...kTimelineSpans[id]!, kind: 'launch', is_outgoing: true }]
    : kind === 2 ? [{ ...kTimelineSpans[id - 2]!, kind: 'launch', is_outgoing: false }] : [];
  return { ...span, parents: id === 1 ? [] : [kTimelineSpans[0]], metrics: [{ name: 'flops', value: 12, unit: 'flop', provenance: 'analytic' }], attributes: [], flows };
}

export function timelineDocument(fields: URLSearchParams): unknown {
  const number = (name: string): number => Number(fields.get(name) ?? 0);
  const from = number('from_ns');
  const to = number('to_ns') || kDuration;
  const wants = (part: string): boolean => fields.getAll('parts').includes(part);
  const inside = kTimelineSpans.filter((span) => span.start_ns < to && span.start_ns + span.duration_ns! >= from);
  const search = (fields.get('search') ?? '').toLowerCase();
  const hits = kTimelineSpans.filter(({ name }) => name.toLowerCase().includes(search));
  return {
    run: 'kernel-1', runs: [{ name: 'kernel-1', spans: kTimelineSpans.length }, { name: 'layer-1', spans: 5 }],
    origin_ns: 5, duration_ns: kDuration, spans: kTimelineSpans.length, from_ns: from, to_ns: to,
    ...wants('tracks') && { tracks: [{ id: 1, kind: 'thread', name: 'main', rank: null, lanes: 3, spans: 2001 }, { id: 2, kind: 'stream', name: 'stream 7', rank: null, lanes: 1, spans: 1000 }] },
    ...wants('blocks') && merged(from, to, Math.max(1, Math.floor((to - from) / number('width')))),
    ...wants('sums') && { sums: { spans: inside.length, names: 1, rows: [{ level: 'layer', name: 'aten::conv', spans: inside.length, duration_ns: to - from, longest_ns: 800 }] } },
    ...search !== '' && { hits: { spans: hits.length, before: hits.filter(({ start_ns }) => start_ns < from).length, rows: hits.filter(({ start_ns }) => start_ns >= from).slice(0, number('hits')) } },
    ...number('span') > 0 && { span: details(number('span')) },
  };
}
