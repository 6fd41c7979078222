// What the application computes without a browser: addresses, filters, requests, sentences.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compareAddress, experimentAddress, localAddress, routeOf, withFields } from '../src/app/addresses.ts';
import { commandLine, quoted } from '../src/app/command_line.ts';
import { comparisonSentences, type Comparison } from '../src/app/compare_sentence.ts';
import type { Job } from '../src/app/data_source.ts';
import { choicesOf, filterAddress, filtered, filterOf, kNoFilter, partsOf, tagsOf } from '../src/app/experiment_filter.ts';
import { factsOf, tagChanges, type ExperimentDocument } from '../src/app/experiment_facts.ts';
import { errorOf, nextPart } from '../src/app/http_data_source.ts';
import { progressText, stateText, withJob } from '../src/app/job_text.ts';
import { backendsOf, hasFields, kMachineFields, kScenarioFields, machineFieldsOf, modelsWith, otherFields, tasksOf, withBackend, withExecutor, withModel } from '../src/app/measure_form.ts';
import { queryResult, tablesOf } from '../src/app/query_result.ts';
import { buildRequest, fieldsOf } from '../src/app/request_form.ts';
import { compareValues } from '../src/table_order.ts';
import { totalProgress } from '../src/app/upload_list.ts';
import { comparison, experimentRow, experimentRows, job, kRunRequest, kZoo, shown } from './app_documents.ts';

const kHostile = 'a/b?c=d&e#f%<img src=x onerror=alert(1)>\u202e';

describe('addresses', () => {
  test('lead back to what they name, whatever the name', () => {
    assert.deepEqual(routeOf(experimentAddress(kHostile), ''), { page: 'experiment', name: kHostile });
    const compared = new URL(compareAddress([kHostile, 'b']), 'http://x');
    assert.deepEqual(routeOf(compared.pathname, compared.search), { page: 'compare', sides: [kHostile, 'b'] });
    assert.deepEqual(routeOf('/experiments/100%', ''), { page: 'experiment', name: '100%' });
    assert.deepEqual(routeOf('/nowhere', ''), { page: 'none' });
    assert.deepEqual(routeOf('/jobs/', ''), { page: 'jobs' });
  });

  test('after a login lead to this site only', () => {
    for (const foreign of ['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/login?next=/', null]) assert.equal(localAddress(foreign), '/');
    assert.equal(localAddress('/compare?side=a&side=b'), '/compare?side=a&side=b');
  });

  test('repeat the field of a list and leave out what has no value', () => {
    assert.equal(withFields('/p', { a: ['x', 'y'], b: null, c: false, d: '', e: true, f: 0 }), '/p?a=x&a=y&e=true&f=0');
    assert.equal(withFields('/p', {}), '/p');
  });
});

describe('filters of experiments', () => {
  const rows = experimentRows();
  const names = (part: Partial<typeof kNoFilter>): string[] => filtered(rows, { ...kNoFilter, ...part }).map(({ name }) => name);

  test('have to match all', () => {
    assert.deepEqual(names({}), ['resnet50-1', 'resnet50-2', 'bert-1']);
    assert.deepEqual(names({ model: 'resnet50', tag: 'purpose' }), ['resnet50-2']);
    assert.deepEqual(names({ tag: 'purpose=base' }), []);
    assert.deepEqual(names({ text: 'BERT onnx' }), ['bert-1']);
    assert.deepEqual(names({ since: '2026-11-21', until: '2026-11-21' }), ['resnet50-2']);
  });

  test('find one of several backends', () => {
    assert.equal(filtered([experimentRow({ backend: 'torch, onnxruntime' })], { ...kNoFilter, backend: 'onnxruntime' }).length, 1);
    assert.deepEqual(partsOf('torch, onnxruntime'), ['torch', 'onnxruntime']);
    assert.deepEqual(choicesOf(rows, ({ model }) => [model]), ['bert', 'resnet50']);
  });

  test('are in the address', () => {
    const filter = { ...kNoFilter, text: 'a b', tag: 'x=1' };
    assert.deepEqual(filterOf(new URL(filterAddress('/', filter), 'http://x').search), filter);
  });
});

describe('forms made from a schema', () => {
  test('have the required fields first, with units and defaults', () => {
    const fields = fieldsOf(kRunRequest);
    assert.equal(fields[0]!.name, 'model');
    const limit = fields.find(({ name }) => name === 'time_limit')!;
    assert.deepEqual([limit.label, limit.kind, limit.unit, limit.fallback], ['Time limit', 'number', 's', '15']);
    assert.deepEqual(['backend', 'batch', 'option', 'depth', 'report'].map((name) => fields.find((field) => field.name === name)!.kind), ['lines', 'numbers', 'lines', 'choice', 'switch']);
  });

  test('leave out what has no value, and read lists', () => {
    const { request, errors } = buildRequest(kRunRequest, { model: 'resnet50', batch: '1, 2 8', option: 'a=1,2\n\n b=3', report: true, name: ' ', depth: 'layer' });
    assert.deepEqual(request, { model: 'resnet50', batch: [1, 2, 8], option: ['a=1,2', 'b=3'], report: true, depth: 'layer' });
    assert.deepEqual(errors, {});
  });

  test('name what is wrong with which field', () => {
    const { errors } = buildRequest(kRunRequest, { batch: '1, 0', time_limit: 'soon', iterations: '1.5', precision_target: '1%' });
    assert.equal(errors['model'], 'is required');
    assert.equal(errors['batch'], 'must be above 0');
    assert.equal(errors['time_limit'], 'not a number: soon');
    assert.equal(errors['iterations'], 'not a whole number: 1.5');
    assert.equal(buildRequest(kRunRequest, { model: 'm', iterations: '5', precision_target: '1%' }).errors['iterations'], 'cannot be combined with Precision target');
  });

  test('a field that needs another is an error without it', () => {
    const schema = { properties: { a: { type: 'string' }, b: { type: 'string' } }, dependentRequired: { a: ['b'] } };
    assert.deepEqual(buildRequest(schema, { a: 'x' }).errors, { a: 'needs B' });
    assert.deepEqual(buildRequest(schema, { a: 'x', b: 'y' }).errors, {});
  });

  test('become a command line that a shell reads as it was meant', () => {
    const request = { model: 'my model.onnx', backend: ['torch', 'onnxruntime'], batch: [1, 8], option: ['a=1', 'b=$x'], report: true, precision_target: '5%' };
    assert.equal(commandLine('run', kRunRequest, request, ['backend', 'batch']), "xsp run 'my model.onnx' --backend torch,onnxruntime --batch 1,8 --precision-target 5% --option a=1 --option 'b=$x' --report");
    assert.equal(commandLine('suite/similarity', {}, {}), 'xsp suite similarity');
    assert.equal(quoted("it's"), "'it'\\''s'");
    assert.equal(quoted(''), "''");
  });
});

describe('the measurement', () => {
  test('offers the backends of the model, and drops those that cannot run it', () => {
    assert.deepEqual(backendsOf(kZoo, 'lonely'), []);
    assert.equal(backendsOf(kZoo, 'file.onnx'), null);
    const values = withBackend(withBackend({ model: 'resnet50' }, 'torch', true), 'onnxruntime', true);
    assert.equal(withModel(values, kZoo, 'bert')['backend'], 'onnxruntime');
    assert.equal(withModel(values, kZoo, 'file.onnx')['backend'], 'torch\nonnxruntime');
  });

  test('finds models by their task', () => {
    assert.deepEqual(modelsWith(kZoo, 'question').map(({ name }) => name), ['bert']);
    assert.deepEqual(tasksOf(kZoo), ['image classification', 'none', 'question answering']);
    assert.deepEqual(modelsWith(kZoo, '', 'question answering').map(({ name }) => name), ['bert']);
    assert.deepEqual(modelsWith(kZoo, 'resnet', 'question answering'), []);
  });

  test('shows each field once: in its step, or among the other options', () => {
    const fields = fieldsOf(kRunRequest);
    assert.equal(hasFields(fields, kScenarioFields), true);
    assert.equal(hasFields(fields, kMachineFields), true);
    assert.equal(hasFields(fields, ['unknown']), false);
    assert.equal(otherFields(fields).some(({ name }) => ['scenario', 'dataset', 'model', 'executor', 'partition'].includes(name)), false);
  });
});

describe('jobs', () => {
  test('in words', () => {
    assert.equal(stateText(job({ id: '1', position: 2 })), 'Queued, number 2 in the queue');
    assert.equal(stateText(job({ id: '1', state: 'new' as Job['state'] })), 'new');
    assert.equal(progressText(job({ id: '1', progress: { step: 'layer', fraction: 0.429, remaining_s: 30 } })), 'layer, 42\u00a0%, about 30\u00a0s left');
    assert.equal(progressText(job({ id: '1', progress: { step: 'layer', fraction: null, remaining_s: 600 } })), 'layer, about 10\u00a0min left');
  });

  test('a changed one keeps its place, a new one goes by its time', () => {
    const [old, newer] = [job({ id: 'old', created: '2026-01-01T00:00:00Z' }), job({ id: 'newer', created: '2026-01-02T00:00:00Z' })];
    const ids = (jobs: Job[]): string => jobs.map(({ id }) => id).join();
    assert.equal(ids(withJob([newer, old], { ...old, state: 'running' })), 'newer,old');
    assert.equal(ids(withJob([old], newer)), 'newer,old');
    assert.equal(ids(withJob([newer], old)), 'newer,old');
  });

  test('what a cluster asks for is there while it is chosen', () => {
    assert.deepEqual(machineFieldsOf({}), ['executor']);
    const chosen = { ...withExecutor({ model: 'm' }, 'slurm'), partition: 'gpu' };
    assert.deepEqual(machineFieldsOf(chosen), ['executor', 'partition', 'account']);
    assert.deepEqual(withExecutor(chosen, ''), { model: 'm', executor: '' });
  });

  test('the progress of several uploads is one', () => {
    assert.deepEqual(totalProgress([100, 50], 1, { sent: 30, bytes: 50 }), { sent: 130, bytes: 150 });
    assert.deepEqual(totalProgress([100, 50], 1, { sent: 70, bytes: 50 }), { sent: 150, bytes: 150 });
  });
});

describe('documents', () => {
  test('a comparison is sentences, the verdict first', () => {
    assert.deepEqual(comparisonSentences(comparison(['a', 'b']) as Comparison), [
      'b is slower than a (ratio of latencies 1.33, 95\u00a0% interval 1.30 to 1.36).', 'Mean time per model call: 30.0\u00a0ms and 40.0\u00a0ms.', 'The sides differ in threads: 8 and 4.']);
    assert.deepEqual(comparisonSentences({ verdict: 'inconclusive', reason: 'one side has no layers', sides: [{ name: 'a', total_ns: 1e6 }, { name: 'b', total_ns: 1e6 }] })[0], 'One side has no layers.');
    assert.deepEqual(comparisonSentences({}), []);
    const sides = [{ name: 'a', total_ns: 177e3 }, { name: 'b', total_ns: 198e3 }];
    assert.deepEqual(comparisonSentences({ verdict: 'unknown_noise', ratio: 1.03, ratio_of: 'latency', sides }), [
      'A typical call of b takes 1.03 times as long as one of a; whether that is noise is not known.', 'Mean time per model call: 177\u00a0\u00b5s and 198\u00a0\u00b5s.']);
    assert.equal(comparisonSentences({ verdict: 'unknown_noise', ratio: 2, ratio_of: 'total', basis: 'host', sides })[0], 'b takes 2.00 times as long as a; whether that is noise is not known.');
  });

  test('a comparison of device times does not call them times of calls', () => {
    const sides = [{ name: 'a', total_ns: 1e6, wall_ns: 4e6 }, { name: 'b', total_ns: 792e3, wall_ns: 4.4e6 }];
    const pair = { ratio: 0.792, ratio_of: 'total', basis: 'device', sides };
    const times = 'Device work per model call: 1.00\u00a0ms and 792\u00a0\u00b5s; wall time 4.00\u00a0ms and 4.40\u00a0ms.';
    assert.deepEqual(comparisonSentences({ ...pair, verdict: 'unknown_noise' }), ['b takes 0.792 times the device time of a; whether that is noise is not known.', times]);
    assert.deepEqual(comparisonSentences({ ...pair, verdict: 'faster' }), ['b takes less device time than a (ratio of device times 0.792).', times]);
  });

  test('facts that are not known are left out', () => {
    const facts = factsOf(shown(experimentRow()) as ExperimentDocument);
    assert.equal(facts.find(({ name }) => name === 'Batch sizes')!.value, '1, 8');
    assert.deepEqual(factsOf({ path: '', points: [], runs: [], diagnostics: [] }), []);
  });

  test('a tag whose value has blanks is one tag', () => {
    assert.deepEqual(tagsOf(experimentRow({ tags: 'note=fast run purpose=base line git-hash=a1' })), ['note=fast run', 'purpose=base line', 'git-hash=a1']);
    assert.deepEqual(tagsOf(experimentRow({ tags: '' })), []);
  });

  test('tags are set and removed by what changed', () => {
    assert.deepEqual(tagChanges(['a=1', 'b=2', 'c=3'], 'a=1\nb=5\nd=6 7'), ['b=5', 'd=6 7', 'c=']);
  });

  test('rows of a query that lack a member, or hold lists', () => {
    const result = queryResult([{ a: 1, b: [1] }, { a: null, c: 'x' }]);
    assert.deepEqual(result, { columns: ['a', 'b', 'c'], rows: [[1, '[1]', null], [null, null, 'x']], isNumber: [true, false, false] });
    assert.deepEqual(tablesOf([{ table_name: 't', column_name: 'a', data_type: 'X', comment: null }]).map(({ name, columns }) => [name, columns.length]), [['t', 1]]);
  });

  test('errors without a document keep the status, and parts follow their links', () => {
    assert.equal(errorOf(502, '<html>').document.what, 'The server answered with status 502');
    assert.equal(errorOf(401, '').document.kind, 'unauthorized');
    assert.equal(errorOf(401, '', 'Bearer').document.login, 'token');
    assert.equal(errorOf(401, '', 'Bearer, Password realm="x"').document.login, 'users');
    assert.deepEqual(errorOf(400, '{"error": {"kind": "usage", "what": "no", "hint": "do"}}').document, { kind: 'usage', what: 'no', hint: 'do' });
    assert.equal(nextPart('</a?cursor=1>; rel="prev", </a?cursor=2>; rel="next"'), '/a?cursor=2');
    assert.equal(nextPart(null), null);
  });

  test('values of a column are in order of size', () => {
    assert.deepEqual(['b10', 'b9', 'a'].sort(compareValues), ['a', 'b9', 'b10']);
    assert.deepEqual([10, 9].sort(compareValues), [9, 10]);
  });
});
