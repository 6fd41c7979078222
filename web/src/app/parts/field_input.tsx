// One field of a form made from a schema.
import type { VNode } from 'preact';
import type { FormField } from '../request_form.ts';

interface Properties {
  field: FormField;
  value: string | boolean | undefined;
  error: string | undefined;
  /** Values to choose from; others can be typed. */
  suggestions?: readonly string[];
  onChange: (value: string | boolean) => void;
}

export function FieldInput({ field, value, error, suggestions, onChange }: Properties): VNode {
  const id = `field-${field.name}`;
  const described = { 'aria-describedby': `${id}-help ${id}-error`, 'aria-invalid': error !== undefined };
  const text = typeof value === 'string' ? value : '';
  const placeholder = field.fallback === '' || field.fallback === 'default' ? field.fallback : `default: ${field.fallback}`;
  const onInput = (event: Event): void => onChange((event.currentTarget as HTMLInputElement).value);
  const control = (): VNode => {
    switch (field.kind) {
      case 'switch':
        return <input id={id} type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} {...described} />;
      case 'choice':
        return (
          <select id={id} value={text} onChange={onInput} {...described}>
            <option value="">{placeholder || 'default'}</option>
            {field.choices.map((choice) => <option value={choice}>{choice}</option>)}
          </select>
        );
      case 'lines':
        return <textarea id={id} rows={2} value={text} placeholder={placeholder === '' ? 'one a line' : placeholder} onInput={onInput} {...described} />;
      default:
        return (
          <input id={id} type="text" inputMode={field.kind === 'number' ? 'decimal' : undefined} value={text} placeholder={placeholder} autocomplete="off"
            list={suggestions ? `${id}-list` : undefined} onInput={onInput} {...described} />
        );
    }
  };
  return (
    <div class="field">
      <label for={id}>{field.label}{field.unit !== '' && <span class="unit"> {field.unit}</span>}</label>
      {control()}
      {suggestions && <datalist id={`${id}-list`}>{suggestions.map((choice) => <option value={choice} />)}</datalist>}
      <p class="note" id={`${id}-help`}>{field.help}</p>
      <p class="field-error" id={`${id}-error`} aria-live="polite">{error}</p>
    </div>
  );
}
