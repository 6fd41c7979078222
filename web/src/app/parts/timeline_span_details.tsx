// One span of a timeline: its facts, what it lies in, what it launched or what launched it.
import type { VNode } from 'preact';
import { digits, duration } from '../../format.ts';
import type { SpanDetails, TimelineSpan } from '../timeline_tiles.ts';

/** Attributes and metrics that are shown at first. */
const kFirst = 12;

function Spans({ title, spans, show }: { title: string; spans: TimelineSpan[]; show: (id: number) => void }): VNode | null {
  if (spans.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {spans.map(({ id, level, name, duration_ns }) => <li key={id}><button type="button" onClick={() => show(id)}><bdi>{name}</bdi></button> {level}, {duration_ns === null ? 'never ended' : duration(duration_ns)}</li>)}
      </ul>
    </>
  );
}

export function TimelineSpanDetails({ span, show }: { span: SpanDetails; show: (id: number) => void }): VNode {
  const facts = [...span.metrics.map(({ name, value, unit }) => ({ name, value: `${digits(value)}${unit === '1' ? '' : ` ${unit}`}` })),
    ...span.attributes.map(({ key, value }) => ({ name: key, value }))];
  return (
    <section class="span-facts" aria-labelledby="span-title">
      <h2 id="span-title"><bdi>{span.name}</bdi></h2>
      <dl class="facts">
        <div><dt>Level</dt><dd>{span.level}</dd></div>
        <div><dt>Type</dt><dd><bdi>{span.type}</bdi></dd></div>
        <div><dt>Duration</dt><dd>{span.duration_ns === null ? 'never ended' : duration(span.duration_ns)}</dd></div>
        <div><dt>Start</dt><dd>{duration(span.start_ns)}</dd></div>
        <div><dt>Id</dt><dd>{span.id}</dd></div>
        {facts.slice(0, kFirst).map(({ name, value }) => <div><dt><bdi>{name}</bdi></dt><dd><bdi>{value}</bdi></dd></div>)}
      </dl>
      {facts.length > kFirst && <details><summary>{facts.length - kFirst} more</summary><dl class="facts">{facts.slice(kFirst).map(({ name, value }) => <div><dt><bdi>{name}</bdi></dt><dd><bdi>{value}</bdi></dd></div>)}</dl></details>}
      <Spans title="Launched by or linked from" spans={span.flows.filter((flow) => !flow.is_outgoing)} show={show} />
      <Spans title="Launched or linked to" spans={span.flows.filter((flow) => flow.is_outgoing)} show={show} />
      <Spans title="Within" spans={span.parents} show={show} />
    </section>
  );
}
