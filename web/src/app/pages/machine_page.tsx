// One machine: the stack and the roofs of its newest experiment, and all that ran on it.
import type { VNode } from 'preact';
import { date, quantity } from '../../format.ts';
import { experimentAddress, withFields } from '../addresses.ts';
import { EmptyState } from '../parts/empty_state.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { PointTable } from '../parts/point_table.tsx';
import { stackFacts, stackParts, type StoredPoint } from '../point_list.ts';
import { useOperation } from '../use_document.ts';
import { usePoints } from '../use_points.ts';

interface RoofRow {
  name: string;
  kind: string;
  cores: number | null;
  value: number;
  provenance: string;
}

const kRoofs = 'SELECT name, kind, cores, value, provenance FROM roof WHERE used ORDER BY kind, value DESC';

function Roofs({ experiment }: { experiment: string }): VNode {
  const used = useOperation<RoofRow[]>('query', { run: experiment, sql: kRoofs });
  return (
    <section aria-labelledby="roofs-title">
      <h2 id="roofs-title">Roofs</h2>
      <Loading what="the roofs" used={used}>
        {(roofs) => (roofs.length === 0 ? <p class="note">The newest experiment has no roofs: it was measured without them, or imported.</p> : (
          <div class="scroll" tabIndex={0} role="region" aria-label="Roofs">
            <table>
              <caption class="hidden-text">Roofs</caption>
              <thead><tr><th scope="col" class="plain-head">Roof</th><th scope="col" class="plain-head number">Value</th><th scope="col" class="plain-head number">Cores</th><th scope="col" class="plain-head">Source</th></tr></thead>
              <tbody>{roofs.map(({ name, kind, cores, value, provenance }) =>
                <tr><td><bdi>{name}</bdi></td><td class="number">{quantity(value, kind === 'flops' ? 'flop/s' : 'byte/s')}</td><td class="number">{cores ?? ''}</td><td><bdi>{provenance}</bdi></td></tr>)}</tbody>
            </table>
          </div>
        ))}
      </Loading>
    </section>
  );
}

function Stack({ point }: { point: StoredPoint }): VNode {
  const used = useOperation<{ run?: { stack?: unknown } }>('show', { run: `${point.experiment}/${point.run ?? ''}` });
  return (
    <section aria-labelledby="stack-title">
      <h2 id="stack-title">Stack</h2>
      <Loading what="the stack" used={used}>
        {({ run }) => {
          const parts = stackParts(stackFacts(run?.stack));
          if (parts.length === 0) return <p class="note">The newest experiment does not contain a stack: it was imported without one.</p>;
          return <>{parts.map(([part, facts]) => (
            <details key={part} open={part === 'cpu' || part === 'gpu'}>
              <summary><bdi>{part}</bdi> <span class="note">{facts.length}</span></summary>
              <dl class="stack-facts">{facts.map(({ name, value }) => <div><dt><bdi>{name}</bdi></dt><dd><bdi>{value}</bdi></dd></div>)}</dl>
            </details>
          ))}</>;
        }}
      </Loading>
    </section>
  );
}

function Content({ machine, points }: { machine: string; points: StoredPoint[] }): VNode {
  const newest = points[0]!;
  return (
    <>
      <p class="controls"><a href={withFields('/findings', { machine })}>Findings on this machine</a></p>
      <section aria-labelledby="points-title">
        <h2 id="points-title">What ran on it</h2>
        <PointTable points={points} without="machine" />
      </section>
      <p class="note">Roofs and stack as of <a href={experimentAddress(newest.experiment)}><bdi>{newest.experiment}</bdi></a>, {date(newest.created)}.</p>
      <Roofs experiment={newest.experiment} />
      {newest.run !== null && <Stack point={newest} />}
    </>
  );
}

export function MachinePage({ machine }: { machine: string }): VNode {
  const used = usePoints({ machine });
  return (
    <>
      <Heading title={machine} />
      <Loading what="what ran on the machine" used={used}>
        {({ points }) => (points.length === 0 ? <EmptyState>No experiment of the store was measured on this machine. <a href="/machines">See the machines</a> that it has.</EmptyState> : <Content machine={machine} points={points} />)}
      </Loading>
    </>
  );
}
