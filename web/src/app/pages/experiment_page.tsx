// One experiment: its facts, what stands out, its report.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { TimelinePlace } from '../../timeline_jump.ts';
import { historyAddress, modelAddress, timelineAddress, withFields } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import { factsOf, pointTexts, tagTexts, type ExperimentDocument } from '../experiment_facts.ts';
import { Command } from '../parts/command.tsx';
import { DocumentFrame } from '../parts/document_frame.tsx';
import { ExperimentActions } from '../parts/experiment_actions.tsx';
import { Findings } from '../parts/findings.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import type { TimelineDocument } from '../timeline_tiles.ts';
import { useOperation } from '../use_document.ts';

function Points({ document }: { document: ExperimentDocument }): VNode | null {
  const points = pointTexts(document.points);
  if (points.length === 0) return null;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Latencies">
      <table>
        <caption class="hidden-text">Latencies</caption>
        <thead><tr><th scope="col" class="plain-head">Point</th><th scope="col" class="plain-head number">Latency (95 % interval)</th><th scope="col" class="plain-head number">Peak memory</th></tr></thead>
        <tbody>{points.map(({ name, latency, memory }) => <tr><td><bdi>{name}</bdi></td><td class="number">{latency}</td><td class="number">{memory}</td></tr>)}</tbody>
      </table>
    </div>
  );
}

function Facts({ name, document, runs, again }: { name: string; document: ExperimentDocument; runs: readonly string[] | null; again: () => void }): VNode {
  const app = useApp();
  const tags = tagTexts(document);
  const model = document.points[0]?.model;
  return (
    <>
      <dl class="facts">
        {factsOf(document).map((fact) => <div><dt>{fact.name}</dt><dd><bdi>{fact.value}</bdi></dd></div>)}
        {tags.length > 0 && <div><dt>Tags</dt><dd>{tags.map((tag) => <a class="tag" href={withFields('/', { tag })}><bdi>{tag}</bdi></a>)}</dd></div>}
      </dl>
      <ExperimentActions name={name} tags={tags} onChanged={again} />
      <p class="controls">
        {runs !== null && <a href={timelineAddress(name)}>Timeline</a>}
        {model && <a href={modelAddress(model)}>All points of <bdi>{model}</bdi></a>}
        {model && <a href={historyAddress(model)}>History of <bdi>{model}</bdi></a>}
        <a href={withFields('/query', { run: name })}>Query with SQL</a>
        {model && app.mayMeasure && <a href={withFields('/measure', { model })}>Measure <bdi>{model}</bdi> again</a>}
      </p>
      <Points document={document} />
      {document.experiment?.command && <details><summary>The command that made it</summary><Command text={document.experiment.command} /></details>}
    </>
  );
}

export function ExperimentPage({ name }: { name: string }): VNode {
  const app = useApp();
  const used = useOperation<ExperimentDocument>('show', { run: name });
  const timeline = useOperation<TimelineDocument>('timeline', { run: name, parts: ['none'] }).loaded;
  /** Runs with a timeline; null: there is none, or it is not known yet. */
  const runs = useMemo(() => timeline.state === 'ready' ? timeline.document.runs.map((run) => run.name) : null, [timeline]);
  const onJump = useMemo(() => runs === null ? undefined : ({ search, nth, run }: TimelinePlace): void =>
    app.go(timelineAddress(name, { run: run !== null && runs.includes(run) ? run : null, search, nth })), [app, name, runs]);
  return (
    <>
      <Heading title={name}>
        <Loading what="the experiment" used={used}>{(document) => <Facts name={name} document={document} runs={runs} again={used.again} />}</Loading>
      </Heading>
      {used.loaded.state === 'ready' && <Findings name={name} hasTimeline={runs !== null} />}
      {used.loaded.state === 'ready' && <DocumentFrame title="Report" address={app.source.pageAddress('report', { run: name })} onJump={onJump} />}
    </>
  );
}
