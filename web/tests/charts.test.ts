// The Vega-Lite files of the analyses: each compiles as the page would have it, at both widths.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { compile, type TopLevelSpec } from 'vega-lite';
import { placeLabels } from '../src/chart_labels.ts';
import { fitSpec, fitWidth, hasMarks } from '../src/chart_spec.ts';
import { kHues, kOther, Palette } from '../src/palette.ts';
import { kWeb } from './browser.ts';

const folder = join(kWeb, '..', 'analyses');
const charts = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, 'chart.vl.json')).filter(existsSync) : [];
const palette = new Palette(['conv2d', 'relu_']);

test('there are charts to try', () => {
  assert.ok(charts.length >= 15, `${charts.length} charts`);
});

test('every chart says that it is written for the library that is packed', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(kWeb, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> };
  const schema = `https://vega.github.io/schema/vega-lite/v${devDependencies['vega-lite']!.split('.')[0]}.json`;
  for (const file of charts)
    assert.equal((JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)['$schema'], schema, file);
  assert.match(readFileSync(join(kWeb, '..', 'src', 'answer', 'suite', 'answer_json.cc'), 'utf8'), new RegExp(`"${schema}"`));
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

test('of many values in an order of the chart the first have hues and a legend, the others one grey', () => {
  const domain = Array.from({ length: 12 }, (_, index) => `kind-${index}`);
  const spec = fitSpec({ mark: 'bar', encoding: { color: { field: 'kind', type: 'nominal', title: 'kind', scale: { domain } } } }, [], 600, palette, 'x');
  const colour = (spec['encoding'] as Record<string, Record<string, unknown>>)['color']!;
  assert.deepEqual(colour['scale'], { domain, range: [...kHues, ...Array<string>(5).fill(kOther)] });
  assert.deepEqual(colour['legend'], { values: domain.slice(0, 7) });
  assert.equal(colour['title'], 'kind (others grey)');
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

test('parts of a picture stand in as many columns as there is room for', () => {
  const facet = { facet: { field: 'job' }, columns: 3, spec: { width: 220, mark: 'line' } };
  const columns = (width: number): unknown => fitWidth(facet, width)['columns'];
  const inner = (width: number): number => (fitWidth(facet, width)['spec'] as { width: number }).width;
  assert.deepEqual([1200, 600, 360].map(columns), [3, 2, 1]);
  for (const width of [1200, 600, 360]) {
    const across = columns(width) as number;
    assert.ok(inner(width) * across + 20 * (across - 1) <= width, String(width));
    assert.ok(inner(width) >= 220, String(width));
  }
  assert.equal((fitWidth({ facet: { row: { field: 'a' } }, spec: { width: 260 } }, 900)['spec'] as { width: number }).width, 830);
  assert.equal(fitWidth({ mark: 'bar', encoding: { row: { field: 'a' } } }, 900)['width'], 830);
});

test('names beside points get places of the layer that they name, in the order of their channel', () => {
  const at = { x: { field: 'a', type: 'quantitative' }, y: { field: 'b', type: 'quantitative' } };
  const compiled = compile({
    data: { values: [{ a: 1, b: 2, n: 'x', p: 3 }] },
    layer: [
      { name: 'dots', mark: 'point', encoding: at },
      { name: 'others', mark: 'point', encoding: at },
      { mark: { type: 'text', style: ['beside', 'of-dots'], dy: 3 }, encoding: { ...at, text: { field: 'n' }, order: { field: 'p', sort: 'descending' } } },
    ],
  } as unknown as TopLevelSpec).spec;
  placeLabels(compiled);
  const [, , text] = compiled.marks as unknown as Record<string, unknown>[];
  assert.deepEqual(text!['from'], { data: 'dots_marks' });
  const update = (text!['encode'] as { update: Record<string, { signal: string }> }).update;
  assert.match(update['text']!.signal, /datum\.datum\["n"\]/);
  for (const channel of ['x', 'y', 'dy', 'align', 'baseline']) assert.equal(update[channel], undefined, channel);
  const [label] = text!['transform'] as Record<string, unknown>[];
  assert.equal(label!['type'], 'label');
  assert.deepEqual(label!['avoidMarks'], ['others_marks']);
  assert.deepEqual(label!['sort'], { field: ['datum.datum["p"]'], order: ['descending'] });
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
