// What the page that starts a measurement asks for itself, and what of the request is left for "More options".
import { partsOf } from './experiment_filter.ts';
import type { FormField, FormValues } from './request_form.ts';

/** A row of `xsp zoo list`. */
export interface ZooModel {
  name: string;
  title: string;
  task: string;
  /** Installed backends that can run it, separated by commas. */
  backends: string;
  parameters: number | null;
  flops: number | null;
}

/** Fields of `run` that have a step of their own. */
export const kStepFields = ['model', 'backend', 'batch', 'precision', 'dataset', 'samples', 'scenario', 'latency_bound', 'queries', 'executor', 'partition', 'account'];

/** What replaces the rungs: a data set, or a load. */
export const kDatasetFields = ['dataset', 'samples'];
export const kScenarioFields = ['scenario', 'latency_bound', 'queries'];

/** Where it is measured: on the server's machine, or on a node of a cluster. */
export const kMachineFields = ['executor', 'partition', 'account'];

/** Those of kMachineFields that the executor `slurm` alone takes. */
const kClusterFields = ['partition', 'account'];

/** What there is to choose about the machine. */
export function machineFieldsOf(values: FormValues): string[] {
  return kMachineFields.filter((name) => values['executor'] === 'slurm' || !kClusterFields.includes(name));
}

/** Another executor: what it does not take is no longer there. */
export function withExecutor(values: FormValues, executor: string): FormValues {
  const changed: FormValues = { ...values, executor };
  for (const name of kClusterFields) if (executor !== 'slurm') delete changed[name];
  return changed;
}

/** Lists that a command line joins by commas. */
export const kCommaFields = ['backend', 'batch'];

/** Data types of the backends; others can be typed. */
export const kPrecisions = ['float32', 'bfloat16', 'float16', 'int8'];

/** What the form begins with: fields of the address, where lists are separated by commas. */
export function initialValues(search: string): FormValues {
  const fields = new URLSearchParams(search);
  const text = (name: string): string => fields.get(name) ?? '';
  return { model: text('model'), backend: text('backend').split(',').filter((name) => name !== '').join('\n'), batch: text('batch') || '1', ...(text('precision') ? { precision: text('precision') } : {}) };
}

/** Whether the request has any field of these names: servers of earlier versions may not. */
export function hasFields(fields: readonly FormField[], names: readonly string[]): boolean {
  return fields.some(({ name }) => names.includes(name));
}

/** Has the server plan the run instead of measuring. */
export const kPlanField = 'plan';

export function otherFields(fields: readonly FormField[]): FormField[] {
  return fields.filter(({ name }) => !kStepFields.includes(name) && name !== kPlanField);
}

/** Every task once, in order of the alphabet. */
export function tasksOf(models: readonly ZooModel[]): string[] {
  return [...new Set(models.map(({ task }) => task).filter((task) => task !== ''))].sort((a, b) => a.localeCompare(b, 'en'));
}

/** Those of a task (empty: of any) that have all words of `text`. */
export function modelsWith(models: readonly ZooModel[], text: string, task = ''): ZooModel[] {
  const words = text.toLowerCase().split(/\s+/).filter((word) => word !== '');
  return models.filter((model) => (task === '' || model.task === task) && words.every((word) => `${model.name} ${model.title} ${model.task}`.toLowerCase().includes(word)));
}

/** Those that can run the model; null: it is a file, of which only the server knows. */
export function backendsOf(models: readonly ZooModel[], name: string): string[] | null {
  const model = models.find((item) => item.name === name);
  return model ? partsOf(model.backends) : null;
}

export function allBackends(models: readonly ZooModel[]): string[] {
  return [...new Set(models.flatMap(({ backends }) => partsOf(backends)))].sort();
}

/** The chosen backends, as the lines of the form's field. */
export function chosenBackends(values: FormValues): string[] {
  return String(values['backend'] ?? '').split('\n').filter((name) => name !== '');
}

export function withBackend(values: FormValues, name: string, isChosen: boolean): FormValues {
  const others = chosenBackends(values).filter((other) => other !== name);
  return { ...values, backend: (isChosen ? [...others, name] : others).join('\n') };
}

/** Another model: backends that cannot run it are no longer chosen. */
export function withModel(values: FormValues, models: readonly ZooModel[], name: string): FormValues {
  const possible = backendsOf(models, name);
  const backend = possible === null ? values['backend'] ?? '' : chosenBackends(values).filter((item) => possible.includes(item)).join('\n');
  return { ...values, model: name, backend };
}
