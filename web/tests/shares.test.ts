// What layers are shares of: the call of their own run, and where a device did the work its time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengthOf, rows, values } from '../src/columns.ts';
import { stackTree } from '../src/icicle_tree.ts';
import { Model } from '../src/model.ts';
import type { AnalysisView, ReportData } from '../src/report_data.ts';
import { empty } from './make_fixture.ts';

function analysis(id: string, names: string[], table: (number | string | null)[][]): AnalysisView {
  return {
    id, title: id, question: 'Why?', text: '', sql: '', chart: null, missing: [],
    columns: names.map((name) => ({ name, unit: '', help: '', provenance: '' })),
    table: names.map((_, column) => table.map((row) => row[column]!)),
  };
}

/** A point of two layers: `matmul`, and `to`, in which the host waits. */
function twoLayers(options: { hasDevice: boolean; kernelRun: (number | null)[] }): ReportData {
  const data = empty();
  data.points = { point_id: [1], model: ['m'], latency_ns: [1000], status: ['done'] };
  data.runs = { run_id: [1, 2], point_id: [1, 1], rung: ['layer', 'kernel'], latency_ns: [1000, 3000], status: ['done', 'done'] };
  data.layers = {
    point_id: [1, 1], layer_index: [0, 1], name: ['matmul', 'to'], type: ['aten::matmul', 'aten::to'], latency_ns: [100, 800],
    device_ns: [270, 30], source_run: [1, 1], kernel_run_ns: options.kernelRun,
  };
  data.kernels = { point_id: [1, 1], kernel_index: [0, 1], layer_index: [0, 1], name: ['gemm', 'copy'], type: ['kernel', 'memcpy'], duration_ns: [270, 30] };
  data.point_times = { point_id: [1], has_device: [options.hasDevice], runs_agree: [true] };
  return data;
}

test('a column of one value reads as that many', () => {
  assert.deepEqual(values({ value: 7, count: 3 }), [7, 7, 7]);
  assert.equal(lengthOf({ value: null, count: 3 }), 3);
  assert.deepEqual(rows<{ a: number | null; b: number }>({ a: { value: null, count: 2 }, b: [1, 2] }, ['a', 'b']), [{ a: null, b: 1 }, { a: null, b: 2 }]);
});

test('texts that end in a number read with it', () => {
  assert.deepEqual(values({ dict: ['add', 'x'], codes: [0, 0, 1, -1], numbers: [7, 0, -1, -1] }), ['add #7', 'add #0', 'x', null]);
});

test('kernels of a slower run are drawn as the part that they are of the layer there', () => {
  const view = new Model(twoLayers({ hasDevice: false, kernelRun: [300, 2400] })).view(1);
  assert.deepEqual(view.layers.map((layer) => layer.inKernels), [90, 10]);
  assert.equal(view.whole, 1000);
  const root = stackTree(view)!;
  assert.deepEqual(root.children.map((type) => [type.label, type.value]), [['aten::to', 800], ['aten::matmul', 100], ['between layers', 100]]);
  const layer = root.children[1]!.children[0]!;
  assert.deepEqual(layer.children.map((part) => [part.label, Math.round(part.value)]), [['gemm', 90], ['not in kernels', 10]]);
  assert.equal(layer.note, '');
});

test('without the latency in the kernel run it is scaled by the calls of the two runs', () => {
  const data = twoLayers({ hasDevice: false, kernelRun: [null, null] });
  data.point_times = { ...data.point_times, layer_call_ns: [1000], kernel_call_ns: [3000] };
  assert.deepEqual(new Model(data).view(1).layers.map((layer) => layer.inKernels), [90, 10]);
});

test('where a device did the work it decides order and width, and its idle time is drawn', () => {
  const data = twoLayers({ hasDevice: true, kernelRun: [100, 800] });
  data.analyses = [
    analysis('device_breakdown', ['point_id', 'step', 'total_ns', 'idle_ns'], [[1, null, 1000, 470], [1, 3, 500, 500]]),
    analysis('idle_causes', ['point_id', 'stream', 'cause', 'idle_ns', 'launched_ns'], [[1, null, 'host', 470, 70], [1, 7, 'host', 900, 0]]),
  ];
  const model = new Model(data);
  const view = model.view(1);
  assert.deepEqual(model.typesByTime(), ['aten::matmul', 'aten::to']);
  assert.equal(view.whole, 300);
  assert.deepEqual(view.layers.map((layer) => layer.shown), [270, 30]);
  const root = stackTree(view)!;
  const shares = root.children.map((part) => [part.label, Number((part.value / root.value).toFixed(3))]);
  assert.deepEqual(shares, [['aten::matmul', 0.477], ['aten::to', 0.053], ['idle: the host launched too late', 0.4], ['idle: launched work waited for something else', 0.07]]);
});

test('where there are steps the idle time is that of steps, by its causes there', () => {
  const data = twoLayers({ hasDevice: true, kernelRun: [100, 800] });
  data.analyses = [
    analysis('device_breakdown', ['point_id', 'step', 'total_ns', 'idle_ns', 'call_idle_share'],
      [[1, null, 9000, 8470, 0.5], [1, 3, 1000, 470, null]]),
    analysis('idle_causes', ['point_id', 'stream', 'cause', 'idle_ns', 'launched_ns', 'step_idle_ns', 'step_launched_ns'],
      [[1, null, 'host', 8400, 70, 300, 0], [1, null, 'kernel', 170, 70, 100, 50], [1, null, 'unknown', 90, 0, null, null]]),
  ];
  const idle = new Model(data).view(1).idle!;
  assert.equal(idle.share, 0.5);
  assert.deepEqual(idle.causes, [{ text: 'the host launched too late', share: 0.375 }, { text: 'between kernels', share: 0.125 }]);
});

test('a device without known idle time is drawn by its work alone', () => {
  const view = new Model(twoLayers({ hasDevice: true, kernelRun: [null, null] })).view(1);
  assert.equal(view.idle, null);
  assert.equal(stackTree(view)!.value, 300);
});
