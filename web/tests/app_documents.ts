// Documents of operations for the tests of the application, as `xsp serve` answers them. Nothing here is measured.
import type { RunPlan } from '../src/app/run_plan.ts';
import type { Job, Operation } from '../src/app/data_source.ts';
import type { ExperimentRow } from '../src/app/experiment_filter.ts';
import type { StoredPoint } from '../src/app/point_list.ts';
import type { StoreFindings } from '../src/app/store_findings.ts';
import type { Schema } from '../src/app/schema.ts';
import type { Finding } from '../src/report_data.ts';
import { findings } from './make_findings.ts';

export function experimentRow(part: Partial<ExperimentRow> = {}): ExperimentRow {
  return { name: 'resnet50-1', created: '2026-11-20T10:00:00Z', model: 'resnet50', backend: 'torch 2.9.0', runs: 3, status: 'done', tags: '', ...part };
}

export function experimentRows(): ExperimentRow[] {
  return [
    experimentRow(),
    experimentRow({ name: 'resnet50-2', created: '2026-11-21T10:00:00Z', tags: 'purpose=baseline' }),
    experimentRow({ name: 'bert-1', created: '2026-11-22T10:00:00Z', model: 'bert', backend: 'onnxruntime 1.27', status: 'partial' }),
  ];
}

/** As api/request_schema.cc writes them; some of the fields of `run`. */
export const kRunRequest: Schema = {
  type: 'object',
  required: ['model'],
  properties: {
    model: { type: 'string', description: 'A model file, or a name of the zoo (built on first use)', positional: true },
    backend: { type: 'array', items: { type: 'string' }, description: 'Frameworks, or all' },
    batch: { type: 'array', items: { type: 'integer', exclusiveMinimum: 0 }, description: 'Batch sizes', default_description: '1' },
    precision: { type: 'string', default: 'default', description: 'Data type of the arithmetic, if the backend can choose it' },
    depth: { type: 'string', enum: ['model', 'layer', 'kernel'], description: 'Deepest rung' },
    iterations: { type: 'integer', exclusiveMinimum: 0, description: 'Exact number of model calls per rung' },
    precision_target: { type: 'string', default: '5%', description: 'Sample each rung until the interval is that narrow' },
    time_limit: { type: 'number', exclusiveMinimum: 0, default: 15, unit: 's', description: 'Limit of seconds per rung' },
    dataset: { type: 'string', description: 'A data set to run through the model instead of the rungs' },
    samples: { type: 'integer', exclusiveMinimum: 0, description: 'Number of samples' },
    scenario: { type: 'string', enum: ['single-stream', 'offline'], description: 'A load instead of the rungs' },
    executor: { type: 'string', enum: ['local', 'slurm'], default: 'local', description: 'Where this is measured' },
    partition: { type: 'string', description: 'Of Slurm: partition of the jobs' },
    option: { type: 'array', items: { type: 'string' }, description: 'An option of the framework' },
    name: { type: 'string', description: 'Name of the experiment in the store' },
    report: { type: 'boolean', default: false, description: 'Also write the HTML report' },
    plan: { type: 'boolean', default: false, description: 'Measure nothing: show what would be measured' },
  },
  not: { anyOf: [{ required: ['iterations', 'precision_target'] }] },
};

/** As `xsp run --plan` writes it, of the batch sizes of a request; batch size 1 is in the store. */
export function runPlan(request: Record<string, unknown>): RunPlan {
  const batches = request['batch'] as number[] | undefined ?? [1];
  const stored = [{ experiment: 'resnet50-1', created: '2026-11-20T10:00:00Z', latency_ns: 45e6 }];
  return {
    model: String(request['model']),
    points: batches.map((batch) => ({
      backend: 'torch', framework: 'PyTorch 2.15.0', device: 'cpu', precision: 'default', batch, refused: null,
      rungs: [{ rung: 'model', processes: 1, seconds: 4 * batch }, { rung: 'layer', processes: 3, seconds: batch > 4 ? null : 12 * batch }],
      stored: batch === 1 ? stored : [],
    })),
    processes: 4 * batches.length,
    estimate: batches.some((batch) => batch > 4) ? { seconds: null, low_s: null, high_s: null, limit_s: 300 } : { seconds: 16 * batches.reduce((sum, batch) => sum + batch, 0), low_s: 14, high_s: 20, limit_s: 300 },
    sentences: ['It rests on runs with the same settings on this machine: resnet50-1.'],
  };
}

export const kImportRequest: Schema = {
  type: 'object',
  required: ['file'],
  properties: {
    file: { type: 'array', items: { type: 'string' }, description: 'Files of one execution', positional: true },
    name: { type: 'string', description: 'Name of the experiment in the store' },
    model: { type: 'string', description: 'Name of the model' },
    device: { type: 'string', description: 'Take the roofs from the data sheet of this GPU or CPU' },
  },
};

function operation(part: Partial<Operation> & { name: string }): Operation {
  return { summary: '', example: `xsp ${part.name}`, effect: 'reads', job: false, page: false, role: 'view', request: {}, result: {}, ...part };
}

export const kOperations: Operation[] = [
  operation({ name: 'list' }),
  operation({ name: 'show' }),
  operation({ name: 'compare', page: true }),
  operation({ name: 'run', effect: 'measures', job: true, role: 'measure', request: kRunRequest }),
  operation({ name: 'import', effect: 'changes', job: true, role: 'measure', request: kImportRequest }),
];

const kSuiteRequest: Schema = {
  type: 'object',
  properties: {
    source: { type: 'array', items: { type: 'string' }, description: 'Experiments, or a data set of tables', positional: true },
    clusters: { type: 'integer', exclusiveMinimum: 0, description: 'Number of clusters' },
    share: { type: 'boolean', default: false, description: 'Show shares' },
    batch: { type: 'array', items: { type: 'integer' }, description: 'Batch sizes' },
  },
};

export const kSuiteOperations: Operation[] = [
  operation({ name: 'suite/similarity', summary: 'Finds similar workloads', page: true, request: kSuiteRequest }),
  operation({ name: 'suite/scaling', summary: 'Computes speed-up', effect: 'measures', job: true, role: 'measure', request: kSuiteRequest }),
];
kOperations.push(...kSuiteOperations);

/** What `xsp suite similarity` answers. */
export const kSuiteAnswer = { answer: 'similarity', title: 'Similarity', sentences: ['Two workloads stand for all.'], method: [], tables: [] };

export const kZoo = [
  { name: 'resnet50', title: 'ResNet-50 v1.5', task: 'image classification', backends: 'torch, onnxruntime', parameters: 25557032, flops: 8.2e9, formats: 'torchscript', made: '', readers: {} },
  { name: 'bert', title: 'BERT base', task: 'question answering', backends: 'onnxruntime', parameters: 109e6, flops: null, formats: 'onnx', made: '', readers: {} },
  { name: 'lonely', title: 'A model without a backend', task: 'none', backends: '', parameters: null, flops: null, formats: 'caffe', made: '', readers: {} },
];

export function shown(row: ExperimentRow): unknown {
  const tags = Object.fromEntries(row.tags.split(' ').filter((tag) => tag !== '').map((tag) => tag.split('=')));
  return {
    path: `/store/${row.name}`,
    run: { stack: { cpu: { model: 'Test CPU', threads: '4' }, hidden: { 'gpu.models': 'no GPU' } } },
    experiment: { created: row.created, status: row.status, tags, command: `xsp run ${row.model} --batch 1,8` },
    points: [1, 8].map((batch) => ({ point_id: batch, model: row.model, backend: row.backend, device: 'cpu', precision: 'float32', batch, latency_ns: 3.96e7 * batch, latency_low_ns: 3.9e7 * batch, latency_high_ns: 4.1e7 * batch, peak_bytes: 2.1e8 })),
    runs: Array.from({ length: row.runs }, (_, index) => ({ run_id: index + 1, rung: 'layer' })),
    diagnostics: [],
  };
}

export function comparison(sides: string[]): unknown {
  return {
    sides: sides.map((name, index) => ({ name, total_ns: 3e7 + index * 1e7 })), verdict: 'slower', ratio: 1.33, low: 1.3, high: 1.36, ratio_of: 'latency', basis: 'host', reason: null,
    comparable: { verdict: 'partly', without_layers: null, differences: [{ what: 'threads', a: '8', b: '4', matters: true }, { what: 'date', a: 'x', b: 'y', matters: false }] },
  };
}

export function found(run: string): unknown {
  return { run, findings: findings(), abstained: [] };
}

/** As `xsp store known` answers: each experiment whose findings are `known` has all of findings(). */
export function storeFindings(rows: ExperimentRow[], known: ReadonlySet<string>, fields: URLSearchParams, other: Finding['gain_ns'] = null): StoreFindings {
  const wanted = rows.filter(({ model }) => ['', model].includes(fields.get('model') ?? '')).toReversed();
  const having = wanted.filter(({ name }) => known.has(name));
  const [ids, severities] = [fields.getAll('rule'), fields.getAll('severity')];
  const [limit, offset] = [Number(fields.get('rows') ?? 0), Number(fields.get('offset') ?? 0)];
  const rules = findings().filter(({ id, severity }) => having.length > 0 && (ids.length === 0 || ids.includes(id)) && (severities.length === 0 || severities.includes(severity)));
  return {
    experiments: wanted.length,
    known: having.length,
    not_known: wanted.length - having.length,
    unreadable: [],
    rules: rules.map((rule) => ({ ...rule, gain_ns: rule.gain_ns && (other ?? rule.gain_ns) })).map(({ id, title, severity, sentence, gain, gain_ns }) => ({
      id, title, severity, experiments: having.length, abstained: 0, models: [...new Set(having.map(({ model }) => model))].sort(),
      gain: gain && gain_ns && { experiments: having.length, largest_share: gain_ns[1] / gain.whole_ns, largest_experiment: having[0]!.name, median_share: gain_ns[1] / gain.whole_ns, total_ns: having.length * gain_ns[1], total_once_ns: 0 },
      rows: having.slice(offset, offset + limit).map(({ name, created, model, backend }) => ({ experiment: name, created, model, backend, point: `${backend}, cpu, float32, batch 8`, sentence, gain_ns, gain: gain && { whole: gain.whole, whole_ns: gain.whole_ns } })),
    })),
  };
}

/** As `xsp points` lists them: two of each experiment, the newest experiment first. */
export function storedPoints(rows: ExperimentRow[]): StoredPoint[] {
  return rows.toReversed().flatMap(({ name, created, model, backend }) => [1, 8].map((batch, index): StoredPoint => ({
    experiment: name, created, point_id: index + 1, model, backend, device: 'cpu', precision: 'float32', batch, latency_ns: 3.96e7 * batch,
    latency_low_ns: 3.9e7 * batch, latency_high_ns: 4.1e7 * batch, throughput: 25.25, peak_bytes: 2.1e8, status: 'done',
    machine: 'Test CPU, 4 threads', worker: backend.split(' ')[0]!, run: `b${batch}-model`,
  })));
}

export function history(rows: ExperimentRow[]): unknown {
  return { unit: 'ns', series: rows.length === 0 ? [] : [{ title: `${rows[0]!.model}, batch 1`, entries: rows.map(({ name, created }) => ({ experiment: name, created, value: 3.96e7 })) }] };
}

const kSchemaRows = [
  { table_name: 'layer', column_name: 'type', data_type: 'VARCHAR', comment: 'Operator type' },
  { table_name: 'layer', column_name: 'latency_ns', data_type: 'DOUBLE', comment: 'ns per model call' },
  { table_name: 'kernel', column_name: 'name', data_type: 'VARCHAR', comment: null },
];

/** Rows of a query: what the SQL asks for by a word in it. */
export function queried(sql: string): Record<string, unknown>[] {
  if (sql.includes('duckdb_columns')) return kSchemaRows;
  if (sql.includes('FROM roof')) return [{ name: 'float32 vector', kind: 'flops', cores: 2, value: 1.2e11, provenance: 'measured:loop' }];
  if (sql.includes('many')) return Array.from({ length: 5000 }, (_, index) => ({ id: index, half: index / 2 }));
  if (sql.includes('nothing')) return [];
  return [{ type: 'conv2d', layers: 53, latency_ns: 12345678.9 }, { type: 'add', layers: 16, latency_ns: null }];
}

export function job(part: Partial<Job> & { id: string }): Job {
  return {
    operation: 'run', command: 'xsp run resnet50', user: 'ada', state: 'queued', created: '2026-11-26T10:00:00Z', started: null, ended: null,
    position: 1, progress: null, exit_status: null, error: null, experiment: null, ...part,
  };
}
