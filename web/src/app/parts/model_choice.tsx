// The first step of a measurement: which model.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { plural, quantity } from '../../format.ts';
import type { Upload } from '../data_source.ts';
import { modelsWith, tasksOf, type ZooModel } from '../measure_form.ts';
import { ModelUpload } from './model_upload.tsx';

interface Properties {
  models: readonly ZooModel[];
  value: string;
  error: string | undefined;
  onChange: (name: string) => void;
  /** The last that was uploaded; null: none. */
  uploaded: Upload | null;
  /** Called with a model that was uploaded; without it, none can be. */
  onUpload?: ((upload: Upload) => void) | undefined;
}

function factsOf({ task, parameters, flops }: ZooModel): string {
  return [task, parameters === null ? '' : plural(parameters, 'parameter'), flops === null ? '' : quantity(flops, 'flop')].filter((part) => part !== '').join(' \u00b7 ');
}

export function ModelChoice({ models, value, error, onChange, uploaded, onUpload }: Properties): VNode {
  const [text, setText] = useState('');
  const [task, setTask] = useState('');
  const shown = modelsWith(models, text, task);
  const isUpload = value !== '' && value === uploaded?.upload;
  const isFile = value !== '' && !isUpload && !models.some(({ name }) => name === value);
  return (
    <fieldset class="step">
      <legend>1. Model</legend>
      <div class="controls">
        <label class="filter">Task
          <select value={task} onChange={(event) => setTask(event.currentTarget.value)}>
            <option value="">all</option>
            {tasksOf(models).map((name) => <option value={name}>{name}</option>)}
          </select>
        </label>
        <label class="filter">Words<input type="search" aria-label="Search the models" placeholder="search the models" value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
      </div>
      <div class="choices" role="radiogroup" aria-label="Models">
        {shown.map((model) => (
          <label class="choice">
            <input type="radio" name="model" value={model.name} checked={value === model.name} onChange={() => onChange(model.name)} />
            <span><strong><bdi>{model.name}</bdi></strong> <bdi>{model.title}</bdi><span class="note">{factsOf(model)}</span></span>
          </label>
        ))}
        {shown.length === 0 && <p class="note">{models.length === 0 ? 'This server has no list of models.' : 'No model has these words.'}</p>}
      </div>
      <div class="field">
        <label for="field-model">Or a model file on the server</label>
        <input id="field-model" type="text" value={isFile ? value : ''} placeholder="path/model.onnx" autocomplete="off" onInput={(event) => onChange(event.currentTarget.value)} />
      </div>
      {onUpload && <ModelUpload uploaded={isUpload ? uploaded : null} onUpload={onUpload} />}
      <p class="field-error" aria-live="polite">{error && `The model ${error}`}</p>
    </fieldset>
  );
}
