// One model: its points on all machines, its findings, its history.
import type { VNode } from 'preact';
import { historyAddress, machineAddress, withFields } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import { quoted } from '../command_line.ts';
import { DocumentFrame } from '../parts/document_frame.tsx';
import { EmptyState } from '../parts/empty_state.tsx';
import { Findings } from '../parts/findings.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { PointTable } from '../parts/point_table.tsx';
import { againFields, areMeasured, valuesOf, type StoredPoint } from '../point_list.ts';
import { usePoints } from '../use_points.ts';

function Content({ model, points }: { model: string; points: StoredPoint[] }): VNode {
  const app = useApp();
  const newest = points[0]!;
  return (
    <>
      <dl class="facts">
        <div><dt>Backends</dt><dd><bdi>{valuesOf(points, 'backend').join(', ')}</bdi></dd></div>
        <div><dt>Batch sizes</dt><dd>{valuesOf(points, 'batch').sort((a, b) => Number(a) - Number(b)).join(', ')}</dd></div>
        <div><dt>Machines</dt><dd>{valuesOf(points, 'machine').map((name) => <a class="tag" href={machineAddress(name)}><bdi>{name}</bdi></a>)}</dd></div>
      </dl>
      <p class="controls">
        {app.mayMeasure && areMeasured(points) && <a class="button primary" href={withFields('/measure', againFields(points))}>Measure again</a>}
        <a href={historyAddress(model)}>History of other metrics</a>
        <a href={withFields('/', { model })}>Its experiments</a>
        <a href={withFields('/findings', { model })}>Findings of all of them</a>
      </p>
      <section aria-labelledby="points-title">
        <h2 id="points-title">Points</h2>
        <PointTable points={points} without="model" />
      </section>
      <p class="note">The findings below are of the newest experiment, <bdi>{newest.experiment}</bdi>.</p>
      <Findings name={newest.experiment} />
      {points.some(({ latency_ns }) => latency_ns !== null) && <DocumentFrame title="History" address={app.source.pageAddress('history', { model })} />}
    </>
  );
}

export function ModelPage({ model }: { model: string }): VNode {
  const used = usePoints({ model });
  return (
    <>
      <Heading title={model} />
      <Loading what="the points of the model" used={used}>
        {({ points }) => (points.length === 0
          ? <EmptyState command={`xsp run ${quoted(model)}`}>The store has no experiment of this model. <a href="/models">See the models</a> that it has, or measure this one:</EmptyState>
          : <Content model={model} points={points} />)}
      </Loading>
    </>
  );
}
