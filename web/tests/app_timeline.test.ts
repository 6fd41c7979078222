// The timeline of the application: what tiles a view needs, and the page in a real Chromium.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { routeOf, timelineAddress } from '../src/app/addresses.ts';
import type { DataSource } from '../src/app/data_source.ts';
import { rulerText } from '../src/app/tile_canvas.ts';
import { firstAfter, kTileBuckets, laneKey, tileLength, tileOf, tilesOf, TileStore, type TimelineDocument } from '../src/app/timeline_tiles.ts';
import { jumpOf } from '../src/timeline_jump.ts';
import { AppServer, kToken } from './app_server.ts';
import { timelineDocument } from './app_timeline_document.ts';
import { Browser, chromiumPath, type OpenOptions } from './browser.ts';

const kSkip = chromiumPath() !== null ? false : 'no Chromium here: install it, or set CHROMIUM to its path';

function documentOf(request: Record<string, unknown>): TimelineDocument {
  return timelineDocument(new URLSearchParams(Object.entries(request).map(([name, value]): [string, string] => [name, String(value)]))) as TimelineDocument;
}

describe('tiles', () => {
  test('cover the view with buckets no wider than a pixel', () => {
    for (const [from, to, width] of [[0, 1e6, 1000], [123_456, 123_999, 360], [7.4e10, 7.5e10, 1600], [0, 50, 1280]] as const) {
      const perPixel = (to - from) / width;
      const { exponent, first, last } = tilesOf(from, to, perPixel);
      assert.ok(2 ** exponent <= Math.max(1, perPixel) && 2 ** exponent > perPixel / 2);
      assert.ok(first * tileLength(exponent) <= from && (last + 1) * tileLength(exponent) >= to);
      assert.ok(last - first + 1 <= 2 + (2 * width) / kTileBuckets);
    }
  });

  test('hold the blocks of each lane by start, in time of the run', () => {
    const tile = tileOf(documentOf({ from_ns: 1024, to_ns: 2048, width: 1024, parts: 'blocks' }), 0, 1);
    assert.deepEqual([...tile.lanes.keys()].sort(), ['1/0', '1/1', '1/2', '2/0']);
    const layers = tile.lanes.get(laneKey(1, 1))!;
    assert.deepEqual(layers.name, ['aten::conv_1', 'aten::conv_2']);
    assert.deepEqual(layers.start, [1000, 2000]);
    assert.equal(firstAfter(layers, 1799), 0);
    assert.equal(firstAfter(layers, 1800), 1);
    assert.equal(firstAfter(layers, 2800), 2);
  });

  test('a coarser one stands in until the fine one has arrived', async () => {
    const waiting: (() => void)[] = [];
    const source = { read: (_: string, request: Record<string, unknown>) => new Promise((resolve) => { waiting.push(() => resolve(documentOf(request))); }) } as unknown as DataSource;
    const store = new TileStore(source, 'run');
    let arrived = 0;
    store.onTile = () => { arrived += 1; };
    const answer = async (): Promise<void> => {
      waiting.splice(0).forEach((resolve) => resolve());
      await new Promise((resolve) => { setImmediate(resolve); });
    };
    assert.ok(store.partsOf(0, 1e6, 1000).every(({ tile }) => tile === null));
    await answer();
    assert.ok(arrived > 0);
    assert.equal(store.partsOf(0, 1e6, 1000)[0]!.tile!.exponent, 9);
    assert.equal(store.partsOf(0, 1000, 1)[0]!.tile!.exponent, 9);
    await answer();
    assert.equal(store.partsOf(0, 1000, 1)[0]!.tile!.exponent, 0);
    assert.equal(store.isLoading, false);
  });

  test('are not fetched twice, nor once the page is closed', async () => {
    let requests = 0;
    const source = { read: (_: string, request: Record<string, unknown>) => { requests += 1; return Promise.resolve(documentOf(request)); } } as unknown as DataSource;
    const store = new TileStore(source, 'run');
    store.partsOf(0, 1024, 1);
    store.partsOf(0, 1024, 1);
    await new Promise((resolve) => { setImmediate(resolve); });
    store.partsOf(0, 1024, 1);
    assert.equal(requests, 1);
    store.close();
    store.partsOf(5000, 6000, 1);
    assert.equal(requests, 1);
  });
});

test('the ruler tells neighbouring ticks apart deep in a long run', () => {
  assert.equal(rulerText(37_500_150, 50), '37,500,150');
  assert.equal(rulerText(37.5, 2.5), '37.5');
  assert.equal(rulerText(1234.0025, 0.0005), '1,234.0025');
  assert.equal(rulerText(20, 10), '20');
});

test('the address of a timeline leads back to its view', () => {
  const view = { run: 'layer 1', from: 12, to: 50, span: 7, search: 'conv', nth: 3 };
  const [path, search = ''] = timelineAddress('a/b', view).split('?');
  assert.deepEqual(routeOf(path!, `?${search}`), { page: 'timeline', name: 'a/b', view });
  assert.deepEqual(routeOf('/experiments/timeline', ''), { page: 'experiment', name: 'timeline' });
  const { view: wrong } = routeOf('/experiments/a/timeline', '?from=x&to=-1&span=y') as { view: unknown };
  assert.deepEqual(wrong, { run: null, from: null, to: null, span: null, search: '', nth: 1 });
});

describe('messages of a report in a frame', () => {
  const frame = { contentWindow: {} } as HTMLIFrameElement;
  const asked = (data: unknown, source: unknown = frame.contentWindow): unknown => jumpOf({ source, data } as MessageEvent<unknown>, frame);
  const jump = { type: 'xsp-timeline-jump', search: 'conv', nth: 2, run: 'b1-kernel' };

  test('lead to a place', () => {
    assert.deepEqual(asked(jump), { search: 'conv', nth: 2, run: 'b1-kernel' });
    assert.deepEqual(asked({ ...jump, run: null }), { search: 'conv', nth: 2, run: null });
  });

  test('of others, or otherwise than they should be, lead nowhere', () => {
    assert.equal(asked(jump, {}), null);
    for (const wrong of [null, 'text', 7, {}, { ...jump, type: 'x' }, { ...jump, search: '' }, { ...jump, search: 7 }, { ...jump, search: 'x'.repeat(1001) }, { ...jump, nth: 0 }, { ...jump, nth: 1.5 }, { ...jump, nth: '1' }]) assert.equal(asked(wrong), null);
    assert.deepEqual(asked({ ...jump, run: { toString: () => 'x' } }), { search: 'conv', nth: 2, run: null });
  });
});

describe('the page of a timeline', { skip: kSkip }, () => {
  const browser = new Browser();
  let server: AppServer;
  let page: Page;
  let problems: string[];

  before(() => browser.start());
  after(() => browser.close());
  beforeEach(async () => {
    server = new AppServer();
    await server.start();
  });
  afterEach(async () => {
    await page.close();
    await server.close();
  });

  async function open(search = '', options: OpenOptions = {}): Promise<void> {
    ({ page, problems } = await browser.openAddress(`${server.origin}/?token=${kToken}`, options));
    await page.locator('h1').waitFor();
    await page.goto(`${server.origin}/experiments/resnet50-1/timeline${search}`, { waitUntil: 'load' });
    await isDrawn();
  }

  async function isDrawn(): Promise<void> {
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.tile-box canvas');
      return canvas !== null && canvas.width > 300 && canvas.getAttribute('aria-busy') === 'false';
    });
  }

  /** Colours in a row of pixels of a lane, as many as differ. */
  async function coloursAt(y: number): Promise<number> {
    return page.evaluate((row) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.tile-box canvas')!;
      const { data } = canvas.getContext('2d')!.getImageData(0, row * devicePixelRatio, canvas.width, 1);
      return new Set(Array.from({ length: canvas.width }, (_, at) => data.slice(at * 4, at * 4 + 3).join())).size;
    }, y);
  }

  /** The middle of lane `row` of the first track. */
  const laneY = (row: number): number => 24 + 20 + row * 22 + 10;

  async function click(x: number, row: number): Promise<void> {
    const box = (await page.locator('.tile-box canvas').boundingBox())!;
    await page.mouse.click(box.x + x, box.y + laneY(row));
  }

  test('shows one of several spans that are called alike, as the address says', async () => {
    await open('?search=cudaLaunchKernel&nth=3');
    await page.getByText('3 of 1,000\u00a0spans').waitFor();
    await page.waitForURL(/span=9\b/);
    await open('?search=aten%3A%3Aconv_1&nth=7');
    await page.getByText(/^1 of/).waitFor();
    await page.waitForURL(/span=5\b/);
    assert.deepEqual(problems, []);
  });

  test('is reached from a finding and from the report of an experiment', async () => {
    await open();
    await page.goto(`${server.origin}/experiments/resnet50-1`, { waitUntil: 'load' });
    const link = page.getByRole('link', { name: 'Show reorder jit:uni on the timeline' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'Timeline of resnet50-1' }).waitFor();
    assert.equal(await page.getByLabel('Find spans by name').inputValue(), 'reorder jit:uni');
    await page.getByText('No span has this in its name.').waitFor();
    await page.goBack();
    const jump = page.frameLocator('iframe').getByRole('button', { name: 'jump' });
    await jump.focus();
    await jump.press('Enter');
    await page.getByText('3 of 1,000\u00a0spans').waitFor();
    await page.waitForURL(/run=kernel-1.*span=9\b/);
    assert.deepEqual(problems, []);
  });

  test('is not offered where an experiment has none', async () => {
    await open();
    server.hasTimelines = false;
    await page.goto(`${server.origin}/experiments/resnet50-1`, { waitUntil: 'load' });
    await page.frameLocator('iframe').locator('#page').waitFor();
    await page.locator('.findings li').first().waitFor();
    assert.equal(await page.locator('.timeline-jump').count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Timeline', exact: true }).count(), 0);
    assert.equal(await page.frameLocator('iframe').getByRole('button', { name: 'jump' }).count(), 0);
  });

  test('draws lanes, zooms by keys, keeps the view in the address and comes back to it', async () => {
    await open();
    assert.ok(await coloursAt(laneY(1)) > 3);
    await page.locator('.tile-box canvas').focus();
    for (let step = 0; step < 12; step += 1) await page.keyboard.press('w');
    await page.waitForURL(/from=\d+&to=\d+/);
    const address = page.url();
    await page.goto(address);
    await isDrawn();
    await page.locator('.tile-box canvas').focus();
    await page.keyboard.press('0');
    await page.waitForURL((url) => url.search === '');
    assert.deepEqual(problems, []);
  });

  test('a launch leads to its kernel, and names are text', async () => {
    await open('?from=0&to=2000');
    const width = (await page.locator('.tile-box canvas').boundingBox())!.width;
    await click((1200 / 2000) * width, 2);
    await page.locator('h2', { hasText: 'cudaLaunchKernel' }).waitFor();
    assert.match(await page.locator('.span-facts').innerText(), /flops\s+12\.0.flop/);
    assert.equal(await page.locator('.span-facts b').count(), 0);
    await page.getByRole('button', { name: 'gemm_1', exact: true }).click();
    await page.locator('h2', { hasText: 'gemm_1' }).waitFor();
    await page.getByRole('button', { name: 'Step <b>1</b>' }).waitFor();
    await page.waitForURL(/span=7(&|$)/);
    assert.deepEqual(problems, []);
  });

  test('search goes from hit to hit and moves the view there', async () => {
    await open();
    await page.getByLabel('Find spans by name').fill('GEMM_99');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 11 spans').waitFor();
    await page.locator('h2', { hasText: /^gemm_99$/ }).waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.locator('h2', { hasText: 'gemm_990' }).waitFor();
    await page.waitForURL(/from=98\d{4}&/);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.locator('h2', { hasText: /^gemm_99$/ }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('search goes on behind the hits that come at once, and back from there', async () => {
    await open();
    await page.getByLabel('Find spans by name').fill('gemm_');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: /^1 of/ }).waitFor();
    const total = Number((await page.getByRole('status').filter({ hasText: /^1 of/ }).innerText()).match(/of ([\d,]+)/)![1]!.replace(',', ''));
    assert.ok(total > 210);
    // Each of them in the page: a click from outside takes a tenth of a second.
    const stepTo = (label: string, numbers: number[]): Promise<void> => page.evaluate(async ({ label, numbers }) => {
      for (const number of numbers) {
        [...document.querySelectorAll('button')].find((button) => button.textContent === label)!.click();
        const isShown = (): boolean => [...document.querySelectorAll('[role="status"]')].some((status) => status.textContent!.startsWith(`${number} of`));
        for (let frames = 0; !isShown(); frames += 1) {
          if (frames > 600) throw new Error(`hit ${number} is not shown`);
          await new Promise(requestAnimationFrame);
        }
      }
    }, { label, numbers });
    await stepTo('Next', Array.from({ length: 202 }, (_, index) => index + 2));
    await stepTo('Previous', [202, 201, 200, 199, 198]);
    assert.deepEqual(problems, []);
  });

  test('an interval is summed by dragging with Shift, and what is seen by a button', async () => {
    await open('?from=0&to=10000');
    const box = (await page.locator('.tile-box canvas').boundingBox())!;
    await page.keyboard.down('Shift');
    await page.mouse.move(box.x + box.width * 0.2, box.y + laneY(1));
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + laneY(1), { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await page.getByRole('cell', { name: 'aten::conv' }).waitFor();
    const asked = server.timelines.find((fields) => fields.get('parts') === 'sums')!;
    assert.ok(Math.abs(Number(asked.get('from_ns')) - 2000) < 30 && Math.abs(Number(asked.get('to_ns')) - 5000) < 30);
    await page.getByRole('button', { name: 'Sum what is seen' }).click();
    await page.locator('h2', { hasText: /^10\.0.µs from 0/ }).waitFor();
    await page.getByRole('button', { name: 'Clear the interval' }).click();
    assert.equal(await page.getByRole('cell').count(), 0);
    assert.deepEqual(problems, []);
  });

  test('panning takes less than 8 ms of scripting for a frame', async () => {
    await open('?from=200000&to=400000');
    const box = (await page.locator('.tile-box canvas').boundingBox())!;
    await page.evaluate(() => performance.clearMeasures('timeline-frame'));
    await page.mouse.move(box.x + 600, box.y + laneY(1));
    await page.mouse.down();
    for (let step = 1; step <= 60; step += 1) await page.mouse.move(box.x + 600 - step * 5, box.y + laneY(1));
    await page.mouse.up();
    const frames = await page.evaluate(() => performance.getEntriesByName('timeline-frame').map(({ duration }) => duration).sort((a, b) => a - b));
    assert.ok(frames.length >= 5);
    assert.ok(frames[Math.floor(frames.length / 2)]! < 8, `${frames[Math.floor(frames.length / 2)]} ms`);
    assert.deepEqual(problems, []);
  });

  test('another run is chosen, and the experiment links to its timeline', async () => {
    await open();
    // The page that is left would take back what it has not asked yet.
    const answered = page.waitForResponse((response) => new URL(response.url()).searchParams.get('run') === 'resnet50-1/layer-1');
    await page.getByLabel('Run', { exact: false }).selectOption('layer-1');
    await page.waitForURL(/run=layer-1/);
    await answered;
    await page.goto(`${server.origin}/experiments/resnet50-1`);
    await page.getByRole('link', { name: 'Timeline', exact: true }).click();
    await page.locator('h1', { hasText: 'Timeline of resnet50-1' }).waitFor();
    assert.deepEqual(problems, []);
  });
});
