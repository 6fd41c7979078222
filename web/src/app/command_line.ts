// The command line of a request, to be pasted into a shell.
import type { Request } from './data_source.ts';
import type { Schema } from './schema.ts';

/** `word` as a shell reads it as one. */
export function quoted(word: string): string {
  return /^[^\s'"\\$&|;<>()*?[\]{}~#`!]+$/.test(word) ? word : `'${word.replaceAll('\'', '\'\\\'\'')}'`;
}

/**
 * `xsp NAME ARGUMENT --option VALUE ...`. A list repeats its option, which every operation reads,
 * but for those of `commas`, whose values are joined.
 */
export function commandLine(operation: string, schema: Schema, request: Request, commas: readonly string[] = []): string {
  const [positional, options, program]: [string[], string[], string[]] = [[], [], []];
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const value = request[name];
    if (value === undefined || value === null || value === false) continue;
    const words = (Array.isArray(value) ? value : [value]).map(String);
    const option = `--${name.replaceAll('_', '-')}`;
    if (field.program) program.push('--', ...words.map(quoted));
    else if (field.positional) positional.push(...words.map(quoted));
    else if (value === true) options.push(option);
    else if (commas.includes(name) && words.length > 0) options.push(option, quoted(words.join(',')));
    else for (const word of words) options.push(option, quoted(word));
  }
  return ['xsp', ...operation.split('/'), ...positional, ...options, ...program].join(' ');
}
