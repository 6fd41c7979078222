// Importing what another profiler wrote: files from this computer become an experiment.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../app_state.ts';
import type { Operation } from '../data_source.ts';
import { EmptyState } from '../parts/empty_state.tsx';
import { ErrorMessage } from '../parts/error_message.tsx';
import { FieldInput } from '../parts/field_input.tsx';
import { FileDrop } from '../parts/file_drop.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { UploadProgress } from '../parts/upload_progress.tsx';
import { buildRequest, fieldsOf, type FormField, type FormValues } from '../request_form.ts';
import { useDeclaration } from '../use_declaration.ts';
import { useImport } from '../use_import.ts';

/** Shown without opening "More options". */
const kFirstFields = ['name', 'model'];

function Form({ operation }: { operation: Operation }): VNode {
  const [files, setFiles] = useState<File[]>([]);
  const [values, setValues] = useState<FormValues>({});
  const { progress, isBusy, error, start, stop } = useImport();
  const fields = fieldsOf(operation.request).filter(({ name }) => name !== 'file');
  // The names of the uploads are known only later.
  const { request, errors } = buildRequest(operation.request, { ...values, file: files.map(({ name }) => name).join('\n') });
  const input = (field: FormField): VNode =>
    <FieldInput key={field.name} field={field} value={values[field.name]} error={errors[field.name]} onChange={(value) => setValues({ ...values, [field.name]: value })} />;
  const isReady = files.length > 0 && Object.keys(errors).length === 0 && !isBusy;
  return (
    <form onSubmit={(event) => { event.preventDefault(); if (isReady) void start(files, request); }}>
      <FileDrop files={files} isDisabled={isBusy} onChange={setFiles} />
      <div class="fields">{fields.filter(({ name }) => kFirstFields.includes(name)).map(input)}</div>
      <details class="more-options"><summary>More options</summary><div class="fields">{fields.filter(({ name }) => !kFirstFields.includes(name)).map(input)}</div></details>
      {progress && <UploadProgress progress={progress} onStop={stop} />}
      {error && <ErrorMessage error={error} />}
      <button type="submit" class="primary" disabled={!isReady}>{isBusy ? 'Importing…' : 'Import'}</button>
    </form>
  );
}

export function ImportPage(): VNode {
  const app = useApp();
  const declaration = useDeclaration('import');
  return (
    <>
      <Heading title="Import" />
      {!app.mayMeasure ? <EmptyState>You have the role view: it reads results. Importing needs the role measure, which whoever runs this server gives.</EmptyState>
        : (
          <>
            <p>Several files of one execution (a trace and counters, or the traces of all ranks) become one experiment. Large files are imported faster on the machine of the server: <code>xsp import FILE ...</code></p>
            <Loading what="the options" used={declaration}>{(operation) => <Form operation={operation} />}</Loading>
          </>
        )}
    </>
  );
}
