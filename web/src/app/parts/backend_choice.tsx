// The second step of a measurement: with which backends.
import type { VNode } from 'preact';
import { allBackends, backendsOf, chosenBackends, withBackend, type ZooModel } from '../measure_form.ts';
import type { FormValues } from '../request_form.ts';
import { EmptyState } from './empty_state.tsx';

export function BackendChoice({ models, values, onChange }: { models: readonly ZooModel[]; values: FormValues; onChange: (values: FormValues) => void }): VNode {
  const model = String(values['model'] ?? '');
  const backends = backendsOf(models, model) ?? allBackends(models);
  const chosen = chosenBackends(values);
  const shown = [...new Set([...backends, ...chosen])];
  return (
    <fieldset class="step">
      <legend>2. Backends</legend>
      {shown.length === 0
        ? <EmptyState command="xsp doctor">{models.length === 0 ? 'Which backends are installed is not known.' : <>No installed backend can run {model === '' ? 'a model' : <bdi>{model}</bdi>}.</>} This lists what can be installed:</EmptyState>
        : <>
            <div class="checks">{shown.map((name) => (
              <label class="check"><input type="checkbox" name="backend" value={name} checked={chosen.includes(name)} onChange={(event) => onChange(withBackend(values, name, event.currentTarget.checked))} /><bdi>{name}</bdi></label>
            ))}</div>
            <p class="note">{chosen.length === 0 ? 'None chosen: the one that the model selects.' : chosen.length === 1 ? 'One backend.' : 'Measured alternately; results of the others are compared with those of the first.'}</p>
          </>}
    </fieldset>
  );
}
