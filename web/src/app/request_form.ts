// Forms made from the JSON Schema of a request: their fields, and the request that they state.
import type { Request } from './data_source.ts';
import type { Schema } from './schema.ts';

export interface FormField {
  name: string;
  label: string;
  /** `numbers` and `lines` are lists: of numbers in one line, of texts one a line. */
  kind: 'text' | 'number' | 'numbers' | 'switch' | 'choice' | 'lines';
  help: string;
  unit: string;
  /** Of a choice. */
  choices: string[];
  /** What applies without a value, in words; empty: nothing. */
  fallback: string;
  isRequired: boolean;
}

/** What a form holds: the text of a field, or the state of a switch. */
export type FormValues = Record<string, string | boolean>;

export interface BuiltRequest {
  request: Request;
  /** By field. */
  errors: Record<string, string>;
}

/** "latency_bound" is "Latency bound". */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function typeOf(schema: Schema): string {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? 'string'];
  return types.find((type) => type !== 'null') ?? 'string';
}

function fallbackOf(schema: Schema): string {
  if (schema.default_description !== undefined) return schema.default_description;
  if (schema.default === undefined || schema.default === null || schema.default === false) return '';
  return Array.isArray(schema.default) ? schema.default.join(', ') : String(schema.default);
}

function isNumbers(items: Schema | undefined): boolean {
  return items !== undefined && ['integer', 'number'].includes(typeOf(items));
}

function kindOf(schema: Schema): FormField['kind'] {
  if (schema.enum) return 'choice';
  switch (typeOf(schema)) {
    case 'boolean': return 'switch';
    case 'integer':
    case 'number': return 'number';
    case 'array': return isNumbers(schema.items) ? 'numbers' : 'lines';
    default: return 'text';
  }
}

/** The fields of a request, those that are required first. */
export function fieldsOf(schema: Schema): FormField[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .map(([name, field]): FormField => ({
      name, label: labelOf(name), kind: kindOf(field), help: field.description ?? '', unit: field.unit ?? '',
      choices: (field.enum ?? []).map(String), fallback: fallbackOf(field), isRequired: required.has(name),
    }))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

/** A number within the range of `schema`; else what is wrong with it. */
function numberOf(text: string, schema: Schema): number | string {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return `not a number: ${text}`;
  if (typeOf(schema) === 'integer' && !Number.isInteger(value)) return `not a whole number: ${text}`;
  if (schema.minimum !== undefined && value < schema.minimum) return `must be at least ${schema.minimum}`;
  if (schema.exclusiveMinimum !== undefined && value <= schema.exclusiveMinimum) return `must be above ${schema.exclusiveMinimum}`;
  if (schema.maximum !== undefined && value > schema.maximum) return `must be at most ${schema.maximum}`;
  if (schema.exclusiveMaximum !== undefined && value >= schema.exclusiveMaximum) return `must be below ${schema.exclusiveMaximum}`;
  return value;
}

/** The elements of a list: one a line; of numbers, also separated by commas or blanks. */
function listOf(text: string, schema: Schema): unknown[] | string {
  const items = schema.items ?? { type: 'string' };
  const areNumbers = isNumbers(items);
  const words = text.split(areNumbers ? /[\s,;]+/ : /\n/).map((word) => word.trim()).filter((word) => word !== '');
  const values: unknown[] = areNumbers ? words.map((word) => numberOf(word, items)) : words;
  const wrong = areNumbers ? values.find((value) => typeof value === 'string') : undefined;
  if (wrong !== undefined) return wrong as string;
  if (schema.maxItems !== undefined && values.length > schema.maxItems) return `must have at most ${schema.maxItems} values`;
  return values;
}

/** What was read, where a text is the error. */
function readValue(read: unknown): { value: unknown } | { error: string } {
  return typeof read === 'string' ? { error: read } : { value: read };
}

function valueOf(text: string, schema: Schema): { value: unknown } | { error: string } {
  switch (typeOf(schema)) {
    case 'integer':
    case 'number': return readValue(numberOf(text, schema));
    case 'array': return readValue(listOf(text, schema));
    default: return { value: text };
  }
}

/** The request of what a form holds: fields without a value are left out. */
export function buildRequest(schema: Schema, values: FormValues): BuiltRequest {
  const request: Request = {};
  const errors: Record<string, string> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = values[name];
    if (value === true) request[name] = true;
    if (typeof value !== 'string' || value.trim() === '') continue;
    const read = valueOf(value, field);
    if ('error' in read) errors[name] = read.error;
    else if (!Array.isArray(read.value) || read.value.length > 0) request[name] = read.value;
  }
  const has = (name: string): boolean => request[name] !== undefined || errors[name] !== undefined;
  for (const name of schema.required ?? []) if (!has(name)) errors[name] = 'is required';
  for (const [name, needed] of Object.entries(schema.dependentRequired ?? {}))
    for (const other of needed) if (has(name) && !has(other)) errors[name] ??= `needs ${labelOf(other)}`;
  for (const { required: [first = '', second = ''] } of schema.not?.anyOf ?? [])
    if (has(first) && has(second)) errors[first] ??= `cannot be combined with ${labelOf(second)}`;
  return { request, errors };
}
