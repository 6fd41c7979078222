// The filters above the list of experiments.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { choicesOf, kNoFilter, partsOf, tagsOf, type ExperimentFilter, type ExperimentRow } from '../experiment_filter.ts';

interface Properties {
  rows: readonly ExperimentRow[];
  filter: ExperimentFilter;
  onChange: (filter: ExperimentFilter) => void;
}

interface ChoiceProperties {
  label: string;
  value: string;
  choices: string[];
  onChange: (value: string) => void;
}

function Choice({ label, value, choices, onChange }: ChoiceProperties): VNode | null {
  if (choices.length === 0 && value === '') return null;
  // An address may name a value that no row has.
  const all = value === '' || choices.includes(value) ? choices : [value, ...choices];
  return (
    <label class="filter">{label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">all</option>
        {all.map((choice) => <option value={choice}>{choice}</option>)}
      </select>
    </label>
  );
}

export function ExperimentFilters({ rows, filter, onChange }: Properties): VNode {
  const choices = useMemo(() => ({
    model: choicesOf(rows, (row) => [row.model]),
    backend: choicesOf(rows, (row) => partsOf(row.backend)),
    machine: choicesOf(rows, (row) => [row.machine ?? '']),
    tag: choicesOf(rows, tagsOf),
  }), [rows]);
  const set = (name: keyof ExperimentFilter) => (value: string): void => onChange({ ...filter, [name]: value });
  const day = (label: string, name: 'since' | 'until'): VNode =>
    <label class="filter">{label}<input type="date" value={filter[name]} onChange={(event) => set(name)(event.currentTarget.value)} /></label>;
  const isFiltered = Object.values(filter).some((value) => value !== '');
  return (
    <form class="filters" role="search" aria-label="Filter the experiments" onSubmit={(event) => event.preventDefault()}>
      <label class="filter text-filter">Text<input type="search" value={filter.text} placeholder="name, model, tag" onInput={(event) => set('text')(event.currentTarget.value)} /></label>
      <Choice label="Model" value={filter.model} choices={choices.model} onChange={set('model')} />
      <Choice label="Backend" value={filter.backend} choices={choices.backend} onChange={set('backend')} />
      <Choice label="Machine" value={filter.machine} choices={choices.machine} onChange={set('machine')} />
      <Choice label="Tag" value={filter.tag} choices={choices.tag} onChange={set('tag')} />
      {day('From', 'since')}
      {day('To', 'until')}
      {isFiltered && <button type="button" onClick={() => onChange(kNoFilter)}>Clear the filters</button>}
    </form>
  );
}
