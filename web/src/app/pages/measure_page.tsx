// Starting a measurement: the model, backends, batch sizes, the precision, and all other options of `xsp run`.
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useApp } from '../app_state.ts';
import { commandLine } from '../command_line.ts';
import { errorDocument, type ErrorDocument, type Operation, type Upload } from '../data_source.ts';
import { hasFields, initialValues, kCommaFields, kDatasetFields, kMachineFields, kPlanField, kPrecisions, kScenarioFields, machineFieldsOf, otherFields, withExecutor, withModel, type ZooModel } from '../measure_form.ts';
import { BackendChoice } from '../parts/backend_choice.tsx';
import { Command } from '../parts/command.tsx';
import { EmptyState } from '../parts/empty_state.tsx';
import { ErrorMessage } from '../parts/error_message.tsx';
import { FieldErrors } from '../parts/field_errors.tsx';
import { FieldInput } from '../parts/field_input.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { ModelChoice } from '../parts/model_choice.tsx';
import { RunEstimate } from '../parts/run_estimate.tsx';
import { buildRequest, fieldsOf, type FormValues } from '../request_form.ts';
import { useDeclaration } from '../use_declaration.ts';
import { useOperation } from '../use_document.ts';

const kBatchSets = ['1', '1, 2, 4, 8', '1, 2, 4, 8, 16, 32, 64'];

function Form({ operation, models, search }: { operation: Operation; models: ZooModel[]; search: string }): VNode {
  const app = useApp();
  const [values, setValues] = useState<FormValues>(() => initialValues(search));
  const [error, setError] = useState<ErrorDocument | null>(null);
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [uploaded, setUploaded] = useState<Upload | null>(null);
  const fields = useMemo(() => fieldsOf(operation.request), [operation]);
  const { request, errors } = buildRequest(operation.request, values);
  // Where the file comes from, it has its own name.
  const requestOfUser = uploaded && request['model'] === uploaded.upload ? { ...request, model: uploaded.name } : request;
  const isValid = Object.keys(errors).length === 0;
  const set = (name: string) => (value: string | boolean): void => setValues(name === 'executor' ? withExecutor(values, String(value)) : { ...values, [name]: value });
  // That a required value is missing is news only once it was tried; what was typed is checked at once.
  const errorOf = (name: string): string | undefined => {
    const field = error?.field === name ? error.what : errors[name];
    return field === 'is required' && !isTried ? undefined : field;
  };
  const input = (name: string, suggestions?: readonly string[]): VNode | null => {
    const field = fields.find((item) => item.name === name);
    return field ? <FieldInput key={name} field={field} value={values[name]} error={errorOf(name)} {...(suggestions ? { suggestions } : {})} onChange={set(name)} /> : null;
  };

  const choose = (name: string): void => setValues((before) => withModel(before, models, name));
  const onUpload = (upload: Upload): void => {
    setUploaded(upload);
    choose(upload.upload);
  };

  async function start(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    if (!isValid) return;
    setBusy(true);
    setError(null);
    try {
      app.openJob(await app.startJob('run', request));
    } catch (reason) {
      setError(errorDocument(reason));
      setBusy(false);
    }
  }

  return (
    <form class="measure" onSubmit={(event) => { void start(event); }}>
      <ModelChoice models={models} value={String(values['model'] ?? '')} error={errorOf('model')} onChange={choose} uploaded={uploaded} onUpload={app.mayUploadModels ? onUpload : undefined} />
      <BackendChoice models={models} values={values} onChange={setValues} />
      <fieldset class="step">
        <legend>3. Batch sizes</legend>
        {input('batch')}
        <div class="controls">{kBatchSets.map((text) => <button type="button" aria-label={`Batch sizes ${text}`} onClick={() => set('batch')(text)}>{text}</button>)}</div>
      </fieldset>
      <fieldset class="step">
        <legend>4. Precision</legend>
        {input('precision', kPrecisions)}
      </fieldset>
      {hasFields(fields, kDatasetFields) && (
        <fieldset class="step">
          <legend>5. Data set</legend>
          <p class="note">Without one, the model is measured with inputs of its manifest, level by level.</p>
          <div class="fields">{kDatasetFields.map((name) => input(name))}</div>
        </fieldset>
      )}
      {hasFields(fields, kScenarioFields) && (
        <fieldset class="step">
          <legend>6. Scenario</legend>
          <p class="note">Without one, each call begins when the one before it has ended.</p>
          <div class="fields">{kScenarioFields.map((name) => input(name))}</div>
        </fieldset>
      )}
      {hasFields(fields, kMachineFields) && (
        <fieldset class="step">
          <legend>7. Machine</legend>
          <p class="note">The machine of this server, or a node of its cluster that Slurm chooses.</p>
          <div class="fields">{machineFieldsOf(values).map((name) => input(name))}</div>
        </fieldset>
      )}
      <details class="step more-options">
        <summary>More options</summary>
        <div class="fields">{otherFields(fields).map(({ name }) => input(name))}</div>
      </details>
      <section aria-labelledby="command-title">
        <h2 id="command-title">The same on the command line</h2>
        <Command text={commandLine('run', operation.request, requestOfUser, kCommaFields)} />
      </section>
      {/* Above what arrives later: it must not move from under a click. */}
      <button type="submit" class="primary" disabled={isBusy}>{isBusy ? 'Starting…' : 'Start the measurement'}</button>
      {app.measuring.value && <p class="note">Another job is running: yours waits in the queue, because measurements do not run side by side.</p>}
      {hasFields(fields, [kPlanField]) && <RunEstimate request={isValid && String(values['model'] ?? '') !== '' ? request : null} />}
      {error && <ErrorMessage error={error} />}
      {isTried && <FieldErrors fields={fields} errors={errors} />}
    </form>
  );
}

export function MeasurePage({ search }: { search: string }): VNode {
  const app = useApp();
  const declaration = useDeclaration('run');
  const models = useOperation<ZooModel[]>('zoo/list', {});
  // The page is useful without the list: a model can be typed.
  const [isListFailed, setListFailed] = useState(false);
  useEffect(() => { if (models.loaded.state === 'failed') setListFailed(true); }, [models.loaded.state]);
  return (
    <>
      <Heading title="Measure" />
      {!app.mayMeasure ? <EmptyState>You have the role view: it reads results. Measuring needs the role measure, which whoever runs this server gives.</EmptyState>
        : (
          <>
            {models.loaded.state === 'failed' && <ErrorMessage error={models.loaded.error} again={models.again} />}
            <Loading what="the options" used={declaration}>
              {(operation) => models.loaded.state === 'loading' && !isListFailed ? <p class="note" role="status">Loading the models…</p>
                : <Form operation={operation} models={models.loaded.state === 'ready' ? models.loaded.document : []} search={search} />}
            </Loading>
          </>
        )}
    </>
  );
}
