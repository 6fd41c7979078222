// The machines on which the experiments of the store were measured.
import type { VNode } from 'preact';
import { date, plural } from '../../format.ts';
import { machineAddress } from '../addresses.ts';
import { EmptyState } from '../parts/empty_state.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { groupsOf, valuesOf } from '../point_list.ts';
import { usePoints } from '../use_points.ts';

export function MachinesPage(): VNode {
  const used = usePoints({});
  return (
    <>
      <Heading title="Machines" />
      <Loading what="the machines" used={used}>
        {({ points }) => {
          const groups = groupsOf(points, 'machine');
          if (groups.length === 0) return <EmptyState command="xsp run resnet50">The store has no experiment yet. Measure a model on this machine:</EmptyState>;
          return (
            <ul class="groups">{groups.map((group) => (
              <li key={group.name} class="group">
                <a href={machineAddress(group.name)}><bdi>{group.name}</bdi></a>
                <span class="note">{plural(group.experiments, 'experiment')} of {plural(valuesOf(group.points, 'model').length, 'model')}, newest {date(group.points[0]!.created)}</span>
              </li>
            ))}</ul>
          );
        }}
      </Loading>
    </>
  );
}
