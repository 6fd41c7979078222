// What the pages of a published site compute, without a browser.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batchesOf, frameworkOf, leaderboard, measuredPoints } from '../src/site/leaderboard.ts';
import { siteAddress, siteRouteOf } from '../src/site/site_addresses.ts';
import { layerPairs, pairOf, pairsOf, stackDifferences } from '../src/site/site_comparison.ts';
import type { ExperimentEntry, SiteExperiment, SitePoint } from '../src/site/site_data.ts';

function point(latency: number | null, change: Partial<SitePoint> = {}): SitePoint {
  return { point_id: 1, model: 'net', backend: 'PyTorch 2.15.0', device: 'cpu', precision: 'float32', batch: 1, settings: '{}', latency_ns: latency, latency_low_ns: latency && latency * 0.9, latency_high_ns: latency && latency * 1.1, peak_bytes: null, status: 'done', ...change };
}

function entry(name: string, points: SitePoint[]): ExperimentEntry {
  return { name, created: '2026-01-01T00:00:00Z', model: 'net', backend: 'PyTorch', status: 'done', kind: 'run', tags: {}, runs: 1, machine: 'm', points, folder: name, report: false, findings: null };
}

function experiment(change: Partial<SiteExperiment>): SiteExperiment {
  return { name: 'e', command: '', conditions: [], imported_from: [], run_rows: [], layers: { total: 0, columns: {} }, roofs: [], stack: [], files: [], ...change };
}

describe('leaderboard', () => {
  test('pointsWhoseIntervalsOverlapShareARank', () => {
    const rows = leaderboard(measuredPoints([entry('a', [point(100)]), entry('b', [point(110, { backend: 'ONNX Runtime 1.2' })]), entry('c', [point(300, { backend: 'JAX 1' })])]));
    assert.deepEqual(rows.map(({ entry: { name }, rank, isTied }) => [name, rank, isTied]), [['a', 1, true], ['b', 1, true], ['c', 3, false]]);
  });
  test('aPointWithoutAnIntervalHasNoRank', () => {
    const rows = leaderboard(measuredPoints([entry('a', [point(100, { latency_low_ns: null, latency_high_ns: null })])]));
    assert.equal(rows[0]!.rank, null);
  });
  test('ofAConfigurationTheNewestIsShown', () => {
    const rows = leaderboard(measuredPoints([entry('new', [point(200)]), entry('old', [point(100)])]));
    assert.deepEqual(rows.map(({ entry: { name }, experiments }) => [name, experiments]), [['new', 2]]);
  });
  test('pointsWithoutALatencyAreLeftOut', () => {
    assert.deepEqual(measuredPoints([entry('a', [point(null)])]), []);
  });
  test('batchesAscendWithTheUnknownLast', () => {
    assert.deepEqual(batchesOf(measuredPoints([entry('a', [point(1, { batch: null }), point(1, { batch: 8 }), point(1, { batch: 2 })])])), [2, 8, null]);
  });
  test('aFrameworkIsABackendWithoutItsVersion', () => {
    assert.deepEqual(['PyTorch 2.15.0', 'ONNX Runtime 1.2', 'chrome', 'B 1.0+cpu', ''].map(frameworkOf), ['PyTorch', 'ONNX Runtime', 'chrome', 'B', '']);
  });
});

describe('comparison', () => {
  test('aDifferenceIsShownOnlyWhereIntervalsAreApart', () => {
    assert.equal(pairOf(point(100), point(110)).verdict, 'no_difference');
    assert.equal(pairOf(point(100), point(200)).verdict, 'slower');
    assert.equal(pairOf(point(200), point(100)).verdict, 'faster');
    assert.equal(pairOf(point(200), point(100, { latency_low_ns: null })).verdict, 'not_known');
  });
  test('boundsHoldTheRatioOfEveryPairWithinTheIntervals', () => {
    const { low, high } = pairOf(point(100), point(130));
    for (let a = 90; a <= 110; a += 1) for (let b = 117; b <= 143; b += 1) assert.ok(b / a >= low! - 1e-12 && b / a <= high! + 1e-12);
  });
  test('pointsOfOneBatchSizeArePairedByFramework', () => {
    const [a, b] = [[point(1), point(2, { batch: 2 })], [point(5, { backend: 'JAX 1' }), point(6, { backend: 'PyTorch 2.16.0' })]];
    assert.deepEqual(pairsOf(a, b).map((pair) => pair.ratio), [6]);
  });
  test('layersAreAlignedByPathThenByNameAndOrder', () => {
    const columns = (times: number[], paths: (string | null)[], names: string[]) => ({ total: times.length, columns: { point_id: times.map(() => 1), path: paths, name: names, type: times.map(() => 't'), latency_ns: times } });
    const a = experiment({ layers: columns([10, 20, 30], ['x.y', null, null], ['1', 'add', 'add']) });
    const b = experiment({ layers: columns([50, 21], ['x.y', null], ['2', 'add']) });
    assert.deepEqual(layerPairs(a, b, pairOf(point(1), point(1))).map(({ path, a: x, b: y }) => [path, x, y]), [['x.y', 10, 50], ['add (2)', 30, null], ['add', 20, 21]]);
  });
  test('aLayerThatMayHaveBeenCutIsNoDifference', () => {
    const layers = (paths: string[], total: number) => ({ total, columns: { point_id: paths.map(() => 1), path: paths, name: paths, type: paths.map(() => 't'), latency_ns: paths.map(() => 10) } });
    const paths = (a: number, b: number): string[] => layerPairs(experiment({ layers: layers(['x', 'y'], a) }), experiment({ layers: layers(['x', 'z'], b) }), pairOf(point(1), point(1))).map(({ path }) => path).sort();
    assert.deepEqual(paths(2, 2), ['x', 'y', 'z']);
    assert.deepEqual(paths(3, 2), ['x', 'y']);
    assert.deepEqual(paths(2, 3), ['x', 'z']);
    assert.deepEqual(paths(3, 3), ['x']);
  });
  test('factsThatDifferAreListed', () => {
    const stack = (version: string) => [{ name: 'framework', facts: [{ name: 'version', value: version }, { name: 'name', value: 'torch' }] }];
    assert.deepEqual(stackDifferences(experiment({ stack: stack('1') }), experiment({ stack: [...stack('2'), { name: 'gpu', facts: [{ name: 'n', value: '1' }] }] })),
      [{ name: 'framework: version', a: '1', b: '2' }, { name: 'gpu: n', a: null, b: '1' }]);
  });
});

describe('addresses', () => {
  test('everyNameComesBackFromItsAddress', () => {
    for (const name of ['a/b', '..', '<i>', '%', '#?&', 'ä']) assert.deepEqual(siteRouteOf(siteAddress('models', name).slice(1), ''), { page: 'model', name });
  });
  test('anAddressOfNoPageIsNone', () => {
    for (const path of ['/x', '/constructor', '/__proto__/a']) assert.deepEqual(siteRouteOf(path, ''), { page: 'none' });
  });
});
