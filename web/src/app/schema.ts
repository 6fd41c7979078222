// The part of JSON Schema that requests of operations use.

export interface Schema {
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  default?: unknown;
  /** The default in words. */
  default_description?: string;
  unit?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  items?: Schema;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  dependentRequired?: Record<string, string[]>;
  /** Fields that exclude each other: pairs in `required`. */
  not?: { anyOf?: { required: string[] }[] };
  /** On a command line: an argument without the name of an option. */
  positional?: boolean;
  /** On a command line: a program and its arguments, after `--`. */
  program?: boolean;
}
