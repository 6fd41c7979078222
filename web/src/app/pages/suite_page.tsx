// The commands of `xsp suite`: a form made from the declaration of each, and the answer.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useApp } from '../app_state.ts';
import { commandLine } from '../command_line.ts';
import { errorDocument, type ErrorDocument, type Operation, type Request } from '../data_source.ts';
import { Command } from '../parts/command.tsx';
import { DocumentFrame } from '../parts/document_frame.tsx';
import { EmptyState } from '../parts/empty_state.tsx';
import { ErrorMessage } from '../parts/error_message.tsx';
import { FieldErrors } from '../parts/field_errors.tsx';
import { FieldInput } from '../parts/field_input.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { Prose } from '../parts/prose.tsx';
import { buildRequest, type FormField, type FormValues } from '../request_form.ts';
import { answerAddress, commandAddress, formOf, isAsked, suiteCommands, suiteFields, type SuiteCommand } from '../suite_form.ts';
import { useDocument, useOperation } from '../use_document.ts';

interface AnswerDocument {
  title: string;
  sentences: string[];
}

function Commands({ commands }: { commands: SuiteCommand[] }): VNode {
  const app = useApp();
  const shown = commands.filter(({ operation }) => operation.role === 'view' || app.mayMeasure);
  if (shown.length === 0) return <EmptyState command="xsp suite --help">This server does not offer the commands of the suite.</EmptyState>;
  return (
    <ul class="groups">{shown.map(({ name, operation }) => (
      <li key={name} class="group"><a href={commandAddress(name)}>{name}</a> <span>{operation.summary}</span>{operation.job && <span class="note">measures, as a job</span>}</li>
    ))}</ul>
  );
}

function Answer({ operation, request }: { operation: Operation; request: Request }): VNode {
  const app = useApp();
  const used = useOperation<AnswerDocument>(operation.name, request);
  return (
    <section aria-labelledby="answer-title">
      <h2 id="answer-title">Answer</h2>
      <Loading what="the answer" used={used}>
        {({ sentences }) => (
          <>
            <ul class="sentences">{sentences.map((text) => <li><Prose text={text} /></li>)}</ul>
            {operation.page && <DocumentFrame title="Answer" address={app.source.pageAddress(operation.name, request)} />}
          </>
        )}
      </Loading>
    </section>
  );
}

function Form({ name, operation, search }: { name: string; operation: Operation; search: string }): VNode {
  const app = useApp();
  const [values, setValues] = useState<FormValues>(() => formOf(operation.request, search));
  const [error, setError] = useState<ErrorDocument | null>(null);
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { first, options } = useMemo(() => suiteFields(operation.request), [operation]);
  const { request, errors } = buildRequest(operation.request, values);
  const isValid = Object.keys(errors).length === 0;

  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    setTried(true);
    setError(null);
    if (!isValid) return;
    if (!operation.job) return app.go(answerAddress(name, request));
    setBusy(true);
    try {
      app.openJob(await app.startJob(operation.name, request));
    } catch (reason) {
      setError(errorDocument(reason));
      setBusy(false);
    }
  }

  const input = (field: FormField): VNode => {
    const wrong = error?.field === field.name ? error.what : errors[field.name];
    return <FieldInput key={field.name} field={field} value={values[field.name]} error={wrong === 'is required' && !isTried ? undefined : wrong} onChange={(value) => setValues({ ...values, [field.name]: value })} />;
  };
  return (
    <form class="suite" onSubmit={(event) => { void send(event); }}>
      <div class="fields">{first.map(input)}</div>
      {options.length > 0 && <details><summary>Options</summary><div class="fields">{options.map(input)}</div></details>}
      {isTried && <FieldErrors fields={[...first, ...options]} errors={errors} />}
      <button type="submit" class="primary" disabled={isBusy}>{isBusy ? 'Starting…' : operation.job ? 'Start the job' : 'Show the answer'}</button>
      {error && <ErrorMessage error={error} />}
      <details><summary>The same on the command line</summary><Command text={commandLine(operation.name, operation.request, request)} /></details>
    </form>
  );
}

function CommandPage({ name, operation, search }: SuiteCommand & { search: string }): VNode {
  const app = useApp();
  const { request, errors } = buildRequest(operation.request, formOf(operation.request, search));
  if (operation.role === 'measure' && !app.mayMeasure) return <EmptyState>You have the role view: it reads results. This command measures.</EmptyState>;
  return (
    <>
      <Form name={name} operation={operation} search={search} />
      {isAsked(search) && Object.keys(errors).length === 0 && !operation.job && <Answer operation={operation} request={request} />}
    </>
  );
}

export function SuitePage({ command, search }: { command: string | null; search: string }): VNode {
  const app = useApp();
  const used = useDocument<SuiteCommand[]>('suite', async (_, report) => report(suiteCommands(await app.operations())));
  const chosen = used.loaded.state === 'ready' ? used.loaded.document.find(({ name }) => name === command) : undefined;
  return (
    <>
      <Heading title={command === null ? 'Suite' : `Suite: ${command}`}>
        <p>{command === null ? 'Questions about many workloads at once.' : chosen && <>{chosen.operation.summary}. <a href="/suite">All commands</a></>}</p>
      </Heading>
      <Loading what="the commands" used={used}>
        {(commands) => (command === null ? <Commands commands={commands} />
          : chosen ? <CommandPage {...chosen} search={search} />
            : <EmptyState>The suite has no command <bdi>{command}</bdi>. <a href="/suite">See its commands</a>.</EmptyState>)}
      </Loading>
    </>
  );
}
