// What can be done with an experiment: compare, tag, rename, remove.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { compareAddress, experimentAddress } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import { errorDocument, type ErrorDocument, type Request } from '../data_source.ts';
import { tagChanges } from '../experiment_facts.ts';
import { ConfirmDialog } from './confirm_dialog.tsx';
import { ErrorMessage } from './error_message.tsx';

interface Properties {
  name: string;
  tags: string[];
  onChanged: () => void;
}

type Open = 'tag' | 'rename' | 'remove' | null;

interface FormProperties {
  id: string;
  label: string;
  initial: string;
  action: string;
  /** Several lines, which may be none. */
  isList?: boolean;
  apply: (text: string) => void;
}

/** One text and the button that applies it. */
function TextForm({ id, label, initial, action, isList, apply }: FormProperties): VNode {
  const [text, setText] = useState(initial);
  const onInput = (event: Event): void => setText((event.currentTarget as HTMLInputElement).value);
  return (
    <form class="field" onSubmit={(event) => { event.preventDefault(); apply(text.trim()); }}>
      <label for={id}>{label}</label>
      {isList ? <textarea id={id} rows={3} value={text} onInput={onInput} /> : <input id={id} type="text" value={text} autocomplete="off" required onInput={onInput} />}
      <button type="submit" class="primary">{action}</button>
    </form>
  );
}

export function ExperimentActions({ name, tags, onChanged }: Properties): VNode {
  const app = useApp();
  const [open, setOpen] = useState<Open>(null);
  const [error, setError] = useState<ErrorDocument | null>(null);

  async function change(operation: string, request: Request, then: () => void): Promise<void> {
    setError(null);
    try {
      await app.source.perform(operation, request);
      setOpen(null);
      then();
    } catch (reason) {
      setError(errorDocument(reason));
    }
  }

  /** Without a change there is nothing to set: the operation would only show the tags. */
  function setTags(text: string): void {
    const changes = tagChanges(tags, text);
    if (changes.length === 0) setOpen(null);
    else void change('tag', { name, tags: changes }, onChanged);
  }

  const toggle = (part: Open, label: string): VNode =>
    <button type="button" aria-expanded={open === part} onClick={() => { setError(null); setOpen(open === part ? null : part); }}>{label}</button>;
  return (
    <div class="actions">
      <div class="controls">
        <a class="button" href={compareAddress([name])}>Compare with…</a>
        {app.mayMeasure && toggle('tag', 'Set tags')}
        {app.mayMeasure && toggle('rename', 'Rename')}
        {app.mayMeasure && <button type="button" class="dangerous" onClick={() => { setError(null); setOpen('remove'); }}>Remove</button>}
      </div>
      {open === 'tag' && <TextForm id="tags" label="Tags, one KEY=VALUE a line" initial={tags.join('\n')} action="Set" isList apply={setTags} />}
      {open === 'rename' && <TextForm id="new-name" label="New name" initial={name} action="Rename" apply={(text) => { void change('rename', { name, new_name: text }, () => app.go(experimentAddress(text))); }} />}
      {open === 'remove' && (
        <ConfirmDialog title="Remove this experiment?" action="Remove" onClose={() => setOpen(null)} onConfirm={() => { void change('remove', { name: [name] }, () => app.go('/')); }}>
          <p><bdi>{name}</bdi> and all its runs are removed from the store. This cannot be undone.</p>
          {error && <ErrorMessage error={error} />}
        </ConfirmDialog>
      )}
      {error && open !== 'remove' && <ErrorMessage error={error} />}
    </div>
  );
}
