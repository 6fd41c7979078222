// All experiments of the store: filtered, sorted, and several chosen to be compared.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { count, date, plural } from '../../format.ts';
import { compareAddress, experimentAddress, historyAddress } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import { filterAddress, filtered, filterOf, type ExperimentRow } from '../experiment_filter.ts';
import { EmptyState } from '../parts/empty_state.tsx';
import { ExperimentFilters } from '../parts/experiment_filters.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { VirtualTable, type VirtualColumn } from '../parts/virtual_table.tsx';
import { useExperiments, type ExperimentList } from '../use_experiments.ts';

function columnsOf(chosen: ReadonlySet<string>, toggle: (name: string) => void, hasMachine: boolean): VirtualColumn<ExperimentRow>[] {
  const columns: VirtualColumn<ExperimentRow>[] = [
    { id: 'chosen', title: 'Choose', value: () => null, isUnsorted: true, width: 42, cell: ({ name }) => <input type="checkbox" aria-label={`Choose ${name}`} checked={chosen.has(name)} onChange={() => toggle(name)} /> },
    { id: 'name', title: 'Name', value: ({ name }) => name, cell: ({ name }) => <a href={experimentAddress(name)}><bdi>{name}</bdi></a> },
    { id: 'created', title: 'Created', value: ({ created }) => created, cell: ({ created }) => date(created), width: 170 },
    { id: 'model', title: 'Model', value: ({ model }) => model || null, cell: ({ model }) => model === '' ? '–' : <a href={historyAddress(model)} aria-label={`History of ${model}`}><bdi>{model}</bdi></a>, width: 190, isOptional: true },
    { id: 'backend', title: 'Backend', value: ({ backend }) => backend || null, width: 150, isOptional: true },
    { id: 'machine', title: 'Machine', value: ({ machine }) => machine ?? null, width: 160, isOptional: true },
    { id: 'runs', title: 'Runs', value: ({ runs }) => runs, isNumber: true, width: 76, isOptional: true },
    { id: 'status', title: 'Status', value: ({ status }) => status, width: 108, isOptional: true },
    { id: 'tags', title: 'Tags', value: ({ tags }) => tags || null, width: 140, isOptional: true },
  ];
  return columns.filter(({ id }) => id !== 'machine' || hasMachine);
}

function ChosenBar({ chosen, clear }: { chosen: ReadonlySet<string>; clear: () => void }): VNode {
  const names = [...chosen];
  return (
    <div class="chosen">
      <span role="status">{names.length === 0 ? 'Tick two or more experiments to compare them.' : `${plural(names.length, 'experiment')} chosen.`}</span>
      {names.length >= 2 && <a class="button primary" href={compareAddress(names)}>Compare</a>}
      {names.length === 1 && <span class="note">Tick another one to compare.</span>}
      {names.length > 0 && <button type="button" onClick={clear}>Clear the choice</button>}
    </div>
  );
}

function List({ list: { rows, total } }: { list: ExperimentList }): VNode {
  const app = useApp();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const filter = filterOf(app.address.value.search);
  const key = JSON.stringify(filter);
  const shown = useMemo(() => filtered(rows, filter), [rows, key]);
  const hasMachine = useMemo(() => rows.some(({ machine }) => machine), [rows]);
  const columns = useMemo(() => columnsOf(chosen, (name) => {
    const next = new Set(chosen);
    if (!next.delete(name)) next.add(name);
    setChosen(next);
  }, hasMachine), [chosen, hasMachine]);

  if (rows.length === 0) return <EmptyState command="xsp run resnet50">The store has no experiments yet. Measure a model {app.mayMeasure && <><a href="/measure">here</a> or </>}on the command line with this store:</EmptyState>;
  const progress = total !== null && total > rows.length ? ` (loading, ${count(rows.length)} of ${count(total)})` : '';
  return (
    <>
      <ExperimentFilters rows={rows} filter={filter} onChange={(next) => app.replace(filterAddress(app.address.value.path, next))} />
      <ChosenBar chosen={chosen} clear={() => setChosen(new Set())} />
      <p class="note" aria-live="polite">{shown.length === rows.length ? plural(rows.length, 'experiment') : `${count(shown.length)} of ${plural(rows.length, 'experiment')}`}{progress}</p>
      {shown.length === 0 ? <EmptyState>No experiment has all of this. Clear a filter to see more.</EmptyState>
        : <VirtualTable label="Experiments" columns={columns} rows={shown} sort={{ id: 'created', desc: true }} isMarked={({ name }) => chosen.has(name)} />}
    </>
  );
}

export function ExperimentsPage(): VNode {
  const used = useExperiments();
  return (
    <>
      <Heading title="Experiments" />
      <Loading what="the experiments" used={used}>{(list) => <List list={list} />}</Loading>
    </>
  );
}
