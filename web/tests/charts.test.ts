// The Vega-Lite files of the analyses: each compiles as the page would have it, at both widths.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compile, type TopLevelSpec } from 'vega-lite';
import { fitSpec, fitWidth, hasMarks } from '../src/chart_spec.ts';
import { kHues, Palette } from '../src/palette.ts';
import { kWeb } from './browser.ts';

const folder = join(kWeb, '..', 'analyses');
const charts = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, 'chart.vl.json')).filter(existsSync) : [];
const palette = new Palette(['conv2d', 'relu_']);

test('there are charts to try', () => {
  assert.ok(charts.length >= 15, `${charts.length} charts`);
});

for (const file of charts) {
  const name = file.split('/').at(-2)!;
  test(`the chart of ${name} compiles without a warning at 332 and 1194 pixels`, () => {
    for (const width of [332, 1194]) {
      const said: string[] = [];
      const spec = fitSpec(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>, [{ type: 'conv2d' }], width, palette, 'sans-serif');
      const note = (...parts: unknown[]) => {
        said.push(parts.join(' '));
        return logger;
      };
      const logger = { level: () => logger, error: note, warn: note, info: () => logger, debug: () => logger };
      const options = { logger } as unknown as NonNullable<Parameters<typeof compile>[1]>;
      assert.ok(compile(spec as unknown as TopLevelSpec, options).spec.marks);
      assert.deepEqual(said.filter((text) => !/fit|width|height/i.test(text)), []);
    }
  });
  test(`the chart of ${name} reads the rows it is given and nothing else`, () => {
    const text = readFileSync(file, 'utf8');
    assert.doesNotMatch(text.replace(/"\$schema": "[^"]*"/, ''), /"url"|https?:/);
    assert.match(text, /"name":\s*"rows"/);
  });
}

test('layer types get the colours of the page', () => {
  const spec = fitSpec({ mark: 'bar', encoding: { color: { field: 'type', type: 'nominal' } } }, [{ type: 'relu_' }, { type: 'conv2d' }], 600, palette, 'x');
  const scale = ((spec['encoding'] as Record<string, Record<string, unknown>>)['color']!['scale']) as { domain: string[]; range: string[] };
  assert.deepEqual(scale, { domain: ['conv2d', 'relu_'], range: [kHues[0]!, kHues[1]!] });
});

test('a range that a chart sets itself is kept', () => {
  const spec = fitSpec({ mark: 'bar', encoding: { color: { field: 'type', type: 'nominal', scale: { range: ['red'] } } } }, [{ type: 'a' }], 600, palette, 'x');
  assert.deepEqual((spec['encoding'] as Record<string, Record<string, unknown>>)['color']!['scale'], { range: ['red'] });
});

test('the file of the analysis is not changed', () => {
  const chart = Object.freeze({ mark: 'bar', $schema: 'x', encoding: Object.freeze({}) });
  fitSpec(chart, [], 600, palette, 'x');
  assert.equal(chart.$schema, 'x');
});

test('charts side by side stand one below the other where it is narrow', () => {
  const spec = { hconcat: [{ mark: 'bar' }, { mark: 'line' }] };
  assert.ok('hconcat' in fitWidth(spec, 1000));
  assert.ok('vconcat' in fitWidth(spec, 360));
});

test('a chart whose every mark needs a field that no row knows is not drawn', () => {
  const bar = { mark: 'bar', encoding: { x: { field: 'allocated', type: 'quantitative' }, y: { field: 'type' } } };
  assert.equal(hasMarks(bar, new Set(['allocated'])), false);
  assert.equal(hasMarks(bar, new Set(['peak'])), true);
  assert.equal(hasMarks({ vconcat: [bar, { mark: 'bar', encoding: { x: { field: 'count' } } }] }, new Set(['allocated'])), true);
  assert.equal(hasMarks({ mark: 'bar', encoding: { x: { aggregate: 'count' } } }, new Set(['allocated'])), true);
  const layered = { encoding: { x: { field: 'batch' } }, layer: [{ mark: 'line', encoding: { y: { field: 'throughput' } } }] };
  assert.equal(hasMarks(layered, new Set(['batch'])), false);
  assert.equal(hasMarks(layered, new Set(['throughput'])), false);
  assert.equal(hasMarks(layered, new Set(['peak'])), true);
});
