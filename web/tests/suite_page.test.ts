// The page of `xsp suite` in a real Chromium.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Browser, chartsDrawn, chromiumPath } from './browser.ts';
import { crowd, similarity, suite, summary } from './make_suite.ts';

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

async function parts(page: Page): Promise<string[]> {
  return page.evaluate(() => [...document.querySelectorAll('main > *')].map((element) => element.id));
}

describe('the page of a suite', { skip: chromiumPath() !== null ? false : 'no Chromium here: install it, or set CHROMIUM to its path' }, () => {
  const browser = new Browser();
  before(() => browser.start());
  after(() => browser.close());

  for (const width of [360, 1600])
    for (const dark of [false, true])
      test(`shows findings, then charts, then method, at ${width} pixels, ${dark ? 'dark' : 'light'}, without an error, a request or an overflow`, async () => {
        const { page, problems, requests } = await browser.open(suite(), { width, dark });
        await chartsDrawn(page);
        assert.deepEqual(await parts(page), ['title', 'words', 'answer-similarity', 'method']);
        assert.match(await page.locator('#words li').first().innerText(), /Res50_TF and SSD_Py lie nearest/);
        assert.match(await page.locator('#method').innerText(), /lacks nvlink_mbps and is left out/);
        assert.equal(await page.locator('.vega[data-state="drawn"]').count(), 2);
        assert.equal(await overflow(page), 0);
        assert.deepEqual(problems, []);
        assert.deepEqual(requests, []);
        await page.close();
      });

  test('a picture has its table behind it, one that has none stands open', async () => {
    const { page } = await browser.open(suite());
    await chartsDrawn(page);
    const behind = page.locator('details.behind');
    assert.deepEqual(await behind.locator('summary').allInnerTexts().then((texts) => texts.map((text) => text.replace('\u00a0', ' '))), ['Table: Principal components (6 rows)', 'Table: Clusters (2 rows)']);
    assert.equal(await behind.first().locator('tbody tr').first().isVisible(), false);
    await behind.first().locator('summary').click();
    assert.match(await behind.first().locator('thead').innerText(), /memory GB\s+measured:nvml/);
    assert.equal(await behind.first().locator('tbody tr').nth(3).locator('td').nth(3).innerText(), '\u2013');
    await page.close();
    const bare = await browser.open(suite([{ ...similarity(), charts: [] }]));
    assert.equal(await bare.page.locator('#answer-similarity tbody tr').first().isVisible(), true);
    assert.match(await bare.page.locator('#answer-similarity tbody').nth(1).innerText(), /A\s+yes\s+B\s+no/);
    await bare.page.close();
  });

  test('tables without rows are named in one line, without a heading, and what is blank in every row is no column', async () => {
    const answer = similarity();
    answer.tables.push({ ...answer.tables[1]!, id: 'links', title: 'Links', rows: [] });
    answer.tables[1] = { ...answer.tables[1]!, rows: answer.tables[1]!.rows.map((row) => ({ ...row, is_representative: '' })) };
    const { page } = await browser.open(suite([{ ...answer, charts: [] }]));
    assert.deepEqual(await page.locator('#answer-similarity h3').allInnerTexts(), ['Principal components', 'Clusters']);
    assert.match(await page.locator('#answer-similarity').innerText(), /Without rows here: Links\./);
    assert.equal(await page.locator('#answer-similarity .table').nth(1).locator('th').count(), 1);
    await page.close();
  });

  test('a column sorts by its numbers, those not known last', async () => {
    const { page } = await browser.open(suite([{ ...similarity(), charts: [] }]));
    const column = (): Promise<string[]> => page.locator('#answer-similarity .table').first().locator('tbody td:nth-child(4)').allInnerTexts();
    const button = page.locator('#answer-similarity th:nth-child(4) button');
    await button.first().click();
    assert.deepEqual(await column(), ['500', '400', '200', '100', '0', '\u2013']);
    await button.first().click();
    assert.deepEqual(await column(), ['0', '100', '200', '400', '500', '\u2013']);
    await page.close();
  });

  test('hands a table out in the units of the data', async () => {
    const { page } = await browser.open(suite([{ ...similarity(), charts: [] }]));
    const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#answer-similarity .downloads button', { hasText: 'CSV' }).first().click()]);
    assert.equal(download.suggestedFilename(), 'similarity-components.csv');
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    const lines = Buffer.concat(chunks).toString().trim().split('\r\n');
    assert.equal(lines[0], 'workload,pc1,memory_bytes,nvlink_mbps,variance_share');
    assert.equal(lines[1], 'Res50_TF,-2.5,2000000000,0,1');
    assert.equal(lines[4]!.split(',')[3], '');
    await page.close();
  });

  test('many answers have a heading each, after the findings', async () => {
    const second = { ...similarity(), answer: 'scaling', title: 'What more devices bring' };
    const { page, problems } = await browser.open(suite([summary(), similarity(), second]), { width: 360 });
    await chartsDrawn(page);
    assert.deepEqual(await parts(page), ['title', 'words', 'answer-similarity', 'answer-scaling', 'method']);
    assert.deepEqual(await page.locator('#words h3').allInnerTexts(), ['The suite in short', 'Which workloads are alike', 'What more devices bring']);
    const broken = await page.evaluate(() => [...document.querySelectorAll('a[href^="#"]')].map((link) => link.getAttribute('href')!.slice(1)).filter((id) => !document.getElementById(id)));
    assert.deepEqual(broken, []);
    const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map((element) => element.id));
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(await overflow(page), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  for (const width of [420, 1400])
    test(`no name of a crowd of points lies on another at ${width} pixels, and the first in order is there`, async () => {
      const { page, problems } = await browser.open(suite([crowd()]), { width });
      await chartsDrawn(page);
      const names = await page.evaluate(() => [...document.querySelectorAll('.vega .mark-text text')]
        .filter((text) => text.getAttribute('opacity') !== '0' && /^workload/.test(text.textContent ?? ''))
        .map((text) => ({ text: text.textContent!, ...JSON.parse(JSON.stringify(text.getBoundingClientRect())) as { left: number; right: number; top: number; bottom: number } })));
      assert.ok(width === 420 ? names.length > 5 && names.length < 40 : names.length === 40, `${names.length} names`);
      assert.ok(names.some(({ text }) => text === 'workload-17'), 'the one of the greatest weight');
      for (const a of names)
        for (const b of names)
          // Boxes of text are some pixels higher than its letters.
          assert.ok(a === b || a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 5 || b.bottom <= a.top + 5, `${a.text} ${b.text}`);
      assert.deepEqual(problems, []);
      await page.close();
    });

  test('under the pointer a value has its unit, and no field that only the picture needs', async () => {
    const { page } = await browser.open(suite([crowd()]));
    await chartsDrawn(page);
    await page.locator('.vega .mark-symbol path').nth(17).hover();
    const said = await page.locator('.tip').innerText();
    assert.match(said, /workload-17/);
    assert.match(said, /weight\s+39\.0\sms/);
    assert.doesNotMatch(said, /unseen/);
    await page.close();
  });

  test('prints on A4, light, with the tables behind the pictures', async () => {
    const { page } = await browser.open(suite(), { dark: true });
    await chartsDrawn(page);
    const pdf = await page.pdf({ format: 'A4', printBackground: true });
    assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
    assert.equal(await page.locator('details.behind:not([open])').count(), 0);
    await page.close();
  });

  test('no name of a workload becomes markup, no picture fetches', async () => {
    const evil = '</script><script>alert(1)</script><img src=x onerror=alert(2)>';
    const answer = similarity((name) => name + evil);
    answer.sentences.push(evil);
    answer.method.push(evil);
    answer.charts[1]!.spec = { data: { url: 'https://example.com/x.json' }, mark: 'bar' };
    const { page, problems, requests } = await browser.open(suite([answer]));
    await chartsDrawn(page);
    assert.deepEqual(problems.filter((text) => text.startsWith('dialog')), []);
    assert.deepEqual(requests, []);
    assert.equal(await page.locator('main img, main script').count(), 0);
    await page.close();
  });

  test('a document without an answer is refused with a message', async () => {
    const { page } = await browser.open({ title: 'nothing', answers: [] });
    assert.match(await page.locator('[role="alert"]').innerText(), /holds no answer/);
    await page.close();
  });
});
