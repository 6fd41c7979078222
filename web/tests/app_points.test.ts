// Points of a store by model and machine, the fastest of them, and the stack of a machine.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { machineAddress, modelAddress, routeOf, withFields } from '../src/app/addresses.ts';
import { initialValues } from '../src/app/measure_form.ts';
import { againFields, areMeasured, groupsOf, marksOf, stackFacts, stackParts, type StoredPoint } from '../src/app/point_list.ts';
import { experimentRows, storedPoints } from './app_documents.ts';

const kPoints = storedPoints(experimentRows());

function point(part: Partial<StoredPoint>): StoredPoint {
  return { ...kPoints[0]!, ...part };
}

/** A point with the interval of 10 % around its latency. */
function timed(latency_ns: number, part: Partial<StoredPoint> = {}): StoredPoint {
  return point({ latency_ns, latency_low_ns: 0.9 * latency_ns, latency_high_ns: 1.1 * latency_ns, ...part });
}

describe('points', () => {
  test('are grouped by model and machine, with the number of their experiments', () => {
    assert.deepEqual(groupsOf(kPoints, 'model').map(({ name, points, experiments }) => [name, points.length, experiments]), [['bert', 2, 1], ['resnet50', 4, 2]]);
    assert.deepEqual(groupsOf([...kPoints, point({ machine: null })], 'machine').map(({ points }) => points.length), [6]);
  });

  test('the fastest is marked, and those whose interval overlaps its interval', () => {
    const [fast, near, slow] = [timed(100), timed(115), timed(200)];
    const marks = marksOf([slow, near, fast]);
    assert.equal(marks.get(fast), 'best');
    assert.equal(marks.get(near), 'tie');
    assert.equal(marks.has(slow), false);
  });

  test('without an interval only an equal latency is a tie', () => {
    const bare = { latency_low_ns: null, latency_high_ns: null };
    const [fast, equal, near] = [timed(100, bare), timed(100, bare), timed(101, bare)];
    const marks = marksOf([fast, equal, near]);
    assert.deepEqual([fast, equal, near].map((item) => marks.get(item)), ['best', 'tie', undefined]);
  });

  test('of other batch sizes, machines or models are not compared', () => {
    const others = [timed(100), timed(200, { batch: 8 }), timed(300, { machine: 'other' }), timed(400, { model: 'other' }), timed(50, { latency_ns: null }), timed(50, { machine: null })];
    assert.equal(marksOf(others).size, 0);
  });

  test('are measured again with the backends and batch sizes of the newest measured experiment', () => {
    assert.deepEqual(againFields(storedPoints(experimentRows().slice(0, 2))), { model: 'resnet50', backend: 'torch', batch: '1,8' });
    assert.deepEqual(againFields([point({ worker: null, batch: null })]), { model: 'bert', backend: '', batch: '' });
    assert.deepEqual(againFields([]), {});
    assert.deepEqual([areMeasured([]), areMeasured([point({ worker: null })]), areMeasured([point({ worker: null }), point({})])], [false, false, true]);
    assert.equal(againFields([point({ precision: 'bfloat16' })])['precision'], 'bfloat16');
    assert.equal(againFields([point({ precision: 'bfloat16' }), point({ precision: 'int8' })])['precision'], undefined);
    const imported = point({ worker: null, experiment: 'imported' });
    assert.equal(againFields([imported, ...kPoints])['backend'], 'onnxruntime');
  });

  test('fill the form that measures', () => {
    const { search } = new URL(withFields('/measure', againFields(kPoints)), 'http://x');
    assert.deepEqual(initialValues(search), { model: 'bert', backend: 'onnxruntime', batch: '1,8' });
    assert.deepEqual(initialValues('?backend=a,b'), { model: '', backend: 'a\nb', batch: '1' });
  });
});

describe('addresses of models and machines', () => {
  test('lead back to what they name, whatever the name', () => {
    const name = 'a/b?c#d, 4 threads%<img>';
    assert.deepEqual(routeOf(modelAddress(name), ''), { page: 'model', model: name });
    assert.deepEqual(routeOf(machineAddress(name), ''), { page: 'machine', machine: name });
    assert.deepEqual(routeOf('/models', ''), { page: 'models' });
    assert.deepEqual(routeOf('/machines/', ''), { page: 'machines' });
  });
});

describe('the stack of a machine', () => {
  test('is one line for each known fact, by part', () => {
    const stack = { cpu: { model: 'EPYC', caches: { l1: '32' }, turbo: null }, hidden: { 'gpu.models': 'no GPU' }, system: { kernel: '6.1' } };
    assert.deepEqual(stackParts(stackFacts(stack)), [['cpu', [{ name: 'model', value: 'EPYC' }, { name: 'caches.l1', value: '32' }]], ['system', [{ name: 'kernel', value: '6.1' }]]]);
    assert.deepEqual(stackFacts(undefined), []);
    assert.deepEqual(stackFacts('text'), []);
  });
});
