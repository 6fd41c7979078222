// Why something failed, and what to do about it.
import type { VNode } from 'preact';
import { labelOf } from '../request_form.ts';
import type { ErrorDocument } from '../data_source.ts';
import { Prose } from './prose.tsx';

export function ErrorMessage({ error, again }: { error: ErrorDocument; again?: (() => void) | undefined }): VNode {
  return (
    <div class="gap failure" role="alert">
      <p><strong>{error.field ? `${labelOf(error.field)}: ` : ''}<Prose text={error.what} /></strong></p>
      {error.hint && <p><Prose text={error.hint} /></p>}
      {again && <button type="button" onClick={again}>Try again</button>}
    </div>
  );
}
