// The commands of `xsp suite` as forms whose values are in the address.
import { withFields } from './addresses.ts';
import type { Operation, Request } from './data_source.ts';
import { fieldsOf, type FormField, type FormValues } from './request_form.ts';
import type { Schema } from './schema.ts';

const kGroup = 'suite/';
/** That the form was sent: a request may have no field. */
const kAsked = 'asked';

export interface SuiteCommand {
  name: string;
  operation: Operation;
}

export function suiteCommands(operations: readonly Operation[]): SuiteCommand[] {
  return operations.filter(({ name }) => name.startsWith(kGroup)).map((operation) => ({ name: operation.name.slice(kGroup.length), operation }));
}

export function commandAddress(name: string): string {
  return `/suite/${encodeURIComponent(name)}`;
}

/** The address of the answer to a request. */
export function answerAddress(name: string, request: Request): string {
  return withFields(commandAddress(name), { [kAsked]: '1', ...request });
}

export function isAsked(search: string): boolean {
  return new URLSearchParams(search).has(kAsked);
}

/** What a form holds for the request of an address; fields that the request does not have are left out. */
export function formOf(schema: Schema, search: string): FormValues {
  const fields = new URLSearchParams(search);
  const values: FormValues = {};
  for (const { name, kind } of fieldsOf(schema)) {
    const given = fields.getAll(name);
    if (given.length > 0) values[name] = kind === 'switch' ? given[0] === 'true' : given.join(kind === 'numbers' ? ', ' : '\n');
  }
  return values;
}

export interface SuiteFields {
  /** What the answer is about. */
  first: FormField[];
  options: FormField[];
}

/** Arguments and required fields before options. */
export function suiteFields(schema: Schema): SuiteFields {
  const isFirst = ({ name, isRequired }: FormField): boolean => isRequired || schema.properties?.[name]?.positional === true;
  const fields = fieldsOf(schema);
  return { first: fields.filter(isFirst), options: fields.filter((field) => !isFirst(field)) };
}
