// What is wrong in a form, beside its button: a field may be out of sight.
import type { VNode } from 'preact';
import type { FormField } from '../request_form.ts';

export function FieldErrors({ fields, errors }: { fields: readonly FormField[]; errors: Readonly<Record<string, string>> }): VNode | null {
  const names = Object.keys(errors);
  if (names.length === 0) return null;
  return <p class="field-error" role="alert">{names.map((name) => `${fields.find((field) => field.name === name)?.label ?? name} ${errors[name]!}`).join('; ')}.</p>;
}
