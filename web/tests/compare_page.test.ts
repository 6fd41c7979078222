// The page of `xsp compare` in a real Chromium.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Browser, chromiumPath } from './browser.ts';
import { comparison, kNoSums, kRows, pairOf, several } from './make_compare.ts';

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function parts(page: Page): Promise<string[]> {
  return page.evaluate(() => [...document.querySelectorAll('main > *')].map((element) => element.id));
}

async function drawn(page: Page): Promise<void> {
  await page.waitForFunction(() => [...document.querySelectorAll('.vega')].every((host) => /drawn|failed/.test((host as HTMLElement).dataset['state'] ?? '')), undefined, { timeout: 30_000 });
  assert.equal(await page.locator('.vega[data-state="failed"]').count(), 0);
}

describe('the page of a comparison', { skip: chromiumPath() !== null ? false : 'no Chromium here: install it, or set CHROMIUM to its path' }, () => {
  const browser = new Browser();
  before(() => browser.start());
  after(() => browser.close());

  for (const width of [360, 1600])
    for (const dark of [false, true])
      test(`has the verdict first, then what differs, then the evidence, at ${width} pixels, ${dark ? 'dark' : 'light'}, without an error, a request or an overflow`, async () => {
        const { page, problems, requests } = await browser.open(comparison(), { width, dark });
        await drawn(page);
        assert.deepEqual(await parts(page), ['title', 'differences', 'waterfall', 'tree', 'only', 'device', 'timelines', 'rooflines', 'method']);
        assert.equal(await page.locator('h1').innerText(), 'h100 and mi300');
        assert.match(await page.locator('.verdict').innerText(), /mi300 takes 1\.56 times the device time of h100; whether that is noise is not known/);
        assert.match(await page.locator('.totals').innerText(), /device work per call; wall time 3\.60.µs and 5\.60.µs/);
        assert.match(await page.locator('#differences tr.marked').innerText(), /gpu\s+H100\s+MI300X/);
        assert.equal(await page.locator('.vega[data-state="drawn"]').count(), 2);
        assert.equal(await overflow(page), 0);
        assert.deepEqual(problems, []);
        assert.deepEqual(requests, []);
        await page.close();
      });

  for (const width of [400, 1280])
    test(`names every roof where no other name is, on a background, at ${width} pixels`, async () => {
      const { page, problems } = await browser.open(comparison(), { width });
      await drawn(page);
      const names = page.locator('#rooflines .vega [class*="roof_names"] text');
      assert.equal(await names.count(), 4);
      const boxes = (await Promise.all((await names.all()).map((name) => name.boundingBox()))).map((box) => box!);
      const [bandwidths, peaks] = [boxes.slice(0, 2), boxes.slice(2)];
      assert.ok(Math.abs(peaks[0]!.y - peaks[1]!.y) > 13, JSON.stringify(peaks));
      for (const line of bandwidths) for (const peak of peaks) assert.ok(line.x + line.width < peak.x || line.y > peak.y + peak.height || peak.y > line.y + line.height, JSON.stringify(boxes));
      assert.equal(await names.first().evaluate((name) => getComputedStyle(name).paintOrder), 'stroke');
      assert.deepEqual(problems, []);
      await page.close();
    });

  test('leaves out what it has nothing to say about', async () => {
    const data = comparison();
    for (const side of data.sides) side.details = null;
    for (const side of data.pairs[0]!.sides) side.device_time = null;
    data.pairs[0]!.rows = pairOf([]).rows;
    data.pairs[0]!.sums = kNoSums;
    const { page, problems } = await browser.open(data);
    assert.deepEqual(await parts(page), ['title', 'differences', 'method']);
    assert.deepEqual(await page.locator('nav.side a').allInnerTexts(), ['What differs', 'How this was made']);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the tree has both sides in one row, names what only one has, and opens by mouse and keyboard', async () => {
    const { page } = await browser.open(comparison());
    const row = (name: string) => page.locator('.tree-row', { hasText: name });
    assert.match(await row('Layer_0').innerText(), /500\s+900\s+\+400/);
    assert.match(await row('nv_gemm').first().innerText(), /nv_gemm\s*\u2194\s*amd_gemm/);
    assert.match(await row('cast').innerText(), /only in mi300/);
    assert.match(await row('memset').innerText(), /only in h100/);
    await row('Encoder').click();
    assert.equal(await page.locator('.tree-row[aria-level="2"]').count(), 0);
    assert.equal(await row('Encoder').getAttribute('aria-expanded'), 'false');
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.locator('.tree-row[aria-level="2"]').count(), 2);
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('aria-level')), '2');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /^.?Encoder/);
    await page.close();
  });

  test('work of one side and counterparts of another name are listed by name', async () => {
    const { page } = await browser.open(comparison());
    assert.match(await page.locator('#only').innerText(), /Only in h100\s+1.name, 50\.0.ns: 5\.56.% of its time\./);
    assert.match(await page.locator('#only .table').nth(1).innerText(), /cast\s+1\s+100\s+Encoder \/ Layer_1 \/ aten::softmax/);
    await page.locator('#only summary').click();
    // The table is made once its part is open.
    assert.match(await page.locator('#only .table', { hasText: 'nv_gemm' }).innerText(), /nv_gemm\s+amd_gemm\s+aten::linear\s+2\s+750\s+1,150\s+400/);
    await page.close();
  });

  test('under the pointer a row has its full name, its times, and its ratio with the interval where that is known', async () => {
    const { page } = await browser.open(comparison({ pairs: [pairOf(kRows.map((row) => (row.name === 'Layer_0' ? { ...row, ratio: 1.8, low: 1.7, high: 1.9 } : row)))] }));
    await page.locator('.tree-row', { hasText: 'Layer_0' }).hover();
    assert.match(await page.locator('.tip').innerText(), /Layer_0[^]*Encoder[^]*h100\s+500.ns\s+mi300\s+900.ns\s+ratio\s+1\.80 \(95.% interval 1\.70 to 1\.90\)/);
    await page.locator('.tree-row', { hasText: 'Encoder' }).hover();
    assert.doesNotMatch(await page.locator('.tip').innerText(), /ratio/);
    await page.close();
  });

  test('gates are listed below the verdict, those that were not met first', async () => {
    const gates = [{ gate: 'latency=3%', outcome: 'pass', value: 1.01, low: 0.99, high: 1.02, reason: null }, { gate: 'device=2%', outcome: 'regression', value: 1.56, low: null, high: null, reason: 'the noise is not known' }] as const;
    const { page } = await browser.open(comparison({ pairs: [pairOf(kRows, { gates: [...gates] })] }));
    assert.deepEqual(await page.locator('.doubts li').allInnerTexts(), ['device=2%: regression, ratio 1.56. The noise is not known.', 'latency=3%: met, ratio 1.01 (0.990 to 1.02)']);
    await page.close();
  });

  test('rows that the page lacks are counted where they are missing', async () => {
    const rows = kRows.map((row) => (row.name === 'Layer_1' ? { ...row, left_out: 7 } : row));
    const pair = pairOf(rows);
    pair.rows.rows_left_out = 7;
    const { page } = await browser.open(comparison({ pairs: [pair] }));
    assert.match(await page.locator('.tree-more').innerText(), /7.rows with smaller differences not on this page/);
    assert.match(await page.locator('#tree').innerText(), /7.others are left out/);
    await page.close();
  });

  test('zoom of one timeline moves the other', async () => {
    const { page, problems } = await browser.open(comparison());
    const canvases = page.locator('#timelines canvas');
    assert.equal(await canvases.count(), 2);
    const picture = (): Promise<string> => canvases.nth(1).evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
    await canvases.first().scrollIntoViewIfNeeded();
    await canvases.first().focus();
    const first = await picture();
    await page.keyboard.press('w');
    await page.waitForFunction((old) => document.querySelectorAll<HTMLCanvasElement>('#timelines canvas')[1]!.toDataURL() !== old, first);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a side without layers is named', async () => {
    const comparable = { verdict: 'partly' as const, without_layers: 'mi300 has no layers: xsp run --depth layer', differences: [] };
    const { page, problems } = await browser.open(comparison({ pairs: [pairOf(kRows, { comparable })] }), { width: 1280 });
    await drawn(page);
    assert.match(await page.locator('.doubts').innerText(), /mi300 has no layers: xsp run --depth layer\./);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('of several sides all come first, with ranks in which ties are ties, and the pair can be chosen', async () => {
    const { page, problems } = await browser.open(several(), { width: 1280 });
    await drawn(page);
    assert.deepEqual((await parts(page)).slice(0, 3), ['title', 'batches', 'differences']);
    const ranks = page.locator('#batches .table').last().locator('tbody tr');
    assert.deepEqual(await ranks.locator('td:nth-child(2)').allInnerTexts(), ['1 (tie)', '1 (tie)', '\u2013']);
    assert.match(await page.locator('#batches').innerText(), /1.point of one process has no rank/);
    assert.match(await page.locator('.verdict').innerText(), /after is slower than base \(ratio of latencies 1\.56, 95.% interval 1\.40 to 1\.70\)/);
    assert.equal(await page.locator('.doubts').count(), 0);
    await page.locator('.switch select').selectOption('1');
    await drawn(page);
    assert.match(await page.locator('.verdict').innerText(), /other takes/);
    assert.match(await page.locator('.doubts').innerText(), /Other programs used the machine while other was measured/);
    assert.deepEqual(problems, []);
    assert.equal(await overflow(page), 0);
    await page.close();
  });

  test('no name of a trace becomes markup, and nothing is fetched', async () => {
    const evil = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\'});alert(3)//';
    const data = comparison({ notes: [evil], command: evil });
    const rows = kRows.map((row) => ({ ...row, name: row.name + evil, ...(row.b_name ? { b_name: row.b_name + evil } : {}), ...(row.shape ? { shape: evil } : {}) }));
    data.pairs = [pairOf(rows, { reason: evil, comparable: { verdict: 'partly', differences: [{ what: evil, a: evil, b: evil, matters: true }] } })];
    const { sums } = data.pairs[0]!;
    data.pairs[0]!.sums = JSON.parse(JSON.stringify(sums).replaceAll('aten::', JSON.stringify(evil).slice(1, -1))) as typeof sums;
    for (const side of data.sides) {
      side.name += evil;
      side.facts = [{ name: evil, value: evil }];
      side.details!.timeline!.spans.name = ['a', 'b', 'c', 'd'].map((name) => name + evil);
      side.details!.kernels.rows.name = [evil, evil];
    }
    const { page, problems, requests } = await browser.open(data);
    await drawn(page);
    for (const summary of await page.locator('main summary').all()) await summary.click();
    await page.locator('.tree-row').first().hover();
    assert.deepEqual(problems, []);
    assert.deepEqual(requests, []);
    assert.equal(await page.locator('main img, main script').count(), 0);
    await page.close();
  });

  test('prints on A4', async () => {
    const { page, problems } = await browser.open(comparison(), { dark: true });
    await drawn(page);
    const pdf = await page.pdf({ format: 'A4', printBackground: true });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a document of another version or without a pair is refused with a message', async () => {
    for (const data of [comparison({ format_version: 99 }), comparison({ pairs: [] })]) {
      const { page } = await browser.open(data);
      assert.match(await page.locator('[role="alert"]').innerText(), /format 99|no comparison/);
      await page.close();
    }
  });
});
