// A field for the name of an experiment, with those of the store as suggestions.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { ExperimentRow } from '../experiment_filter.ts';

interface Properties {
  id: string;
  label: string;
  value: string;
  /** Of the store. */
  experiments: readonly ExperimentRow[];
  placeholder?: string;
  onChange: (value: string) => void;
}

/** More would slow the browser's list; typing a part of the name finds the others. */
const kSuggestions = 100;

export function ExperimentInput({ id, label, value, experiments, placeholder = '', onChange }: Properties): VNode {
  const names = useMemo(() => {
    const part = value.toLowerCase();
    return experiments.filter(({ name }) => name.toLowerCase().includes(part)).slice(0, kSuggestions).map(({ name }) => name);
  }, [experiments, value]);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} type="text" list={`${id}-list`} value={value} placeholder={placeholder} autocomplete="off" onInput={(event) => onChange(event.currentTarget.value)} />
      <datalist id={`${id}-list`}>{names.map((name) => <option value={name} />)}</datalist>
    </div>
  );
}
