// The models of the store.
import type { VNode } from 'preact';
import { date, plural } from '../../format.ts';
import { modelAddress } from '../addresses.ts';
import { EmptyState } from '../parts/empty_state.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { groupsOf, valuesOf, type PointGroup } from '../point_list.ts';
import { usePoints } from '../use_points.ts';

function Line({ group: { name, points, experiments } }: { group: PointGroup }): VNode {
  return (
    <li class="group">
      <a href={modelAddress(name)}><bdi>{name}</bdi></a>
      <span class="note">{plural(experiments, 'experiment')}, {plural(points.length, 'point')}, newest {date(points[0]!.created)}</span>
      <span class="note"><bdi>{valuesOf(points, 'backend').join(', ')}</bdi></span>
    </li>
  );
}

export function ModelsPage(): VNode {
  const used = usePoints({});
  return (
    <>
      <Heading title="Models" />
      <Loading what="the models" used={used}>
        {({ points }) => {
          const groups = groupsOf(points, 'model');
          if (groups.length === 0) return <EmptyState command="xsp run resnet50">The store has no model yet. Measure one:</EmptyState>;
          return <ul class="groups">{groups.map((group) => <Line key={group.name} group={group} />)}</ul>;
        }}
      </Loading>
    </>
  );
}
