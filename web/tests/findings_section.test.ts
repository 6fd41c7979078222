// The list of findings in a real Chromium.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { ReportData } from '../src/report_data.ts';
import { Browser, chromiumPath, filledPage } from './browser.ts';
import { empty } from './make_fixture.ts';
import { abstained, finding, findings } from './make_findings.ts';

function document(part: Partial<ReportData>): ReportData {
  return { ...empty(), findings: findings(), abstained: abstained(), ...part };
}

/** Opens the evidence of the finding `id` and returns it. */
async function openEvidence(page: Page, id: string) {
  const item = page.locator(`[id="finding-${id}"]`);
  await item.locator('summary').first().click();
  const evidence = item.locator('.finding-evidence');
  await evidence.waitFor();
  return evidence;
}

/** As it reads: spaces that do not break are spaces. */
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('the section of findings', { skip: chromiumPath() !== null ? false : 'no Chromium here: install it, or set CHROMIUM to its path' }, () => {
  const browser = new Browser();
  before(() => browser.start());
  after(() => browser.close());

  test('a severity is a shape and a word, not a colour alone', async () => {
    const { page, problems } = await browser.open(document({}));
    const marks = await page.locator('#findings .severity').evaluateAll((all) => all.map((mark) => ({
      word: mark.textContent!, path: mark.querySelector('path')!.getAttribute('d')!, colour: getComputedStyle(mark).color })));
    assert.deepEqual(marks.slice(0, 3).map((mark) => mark.word), ['Warning: ', 'Notice: ', 'Information: ']);
    assert.equal(new Set(marks.slice(0, 3).map((mark) => mark.path)).size, 3);
    assert.notEqual(marks[0]!.colour, marks[1]!.colour);
    assert.equal(marks[1]!.colour, marks[2]!.colour, 'a notice is not louder than information');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('leads to the timeline where the page around it has one', async () => {
    const alone = await browser.open(document({}));
    assert.equal(await alone.page.locator('.timeline-jump').count(), 0, 'a file has no timeline');
    await alone.page.evaluate(() => postMessage({ type: 'xsp-timeline-offered' }, '*'));
    const { page, problems } = await browser.openAddress('about:blank');
    await page.setContent('<iframe sandbox="allow-scripts" style="width: 1200px; height: 800px"></iframe>');
    await page.evaluate((html) => {
      const frame = window.document.querySelector('iframe')!;
      addEventListener('message', ({ data }) => { window.document.title = JSON.stringify(data); });
      frame.addEventListener('load', () => frame.contentWindow!.postMessage({ type: 'xsp-timeline-offered' }, '*'));
      frame.srcdoc = html;
    }, filledPage(document({})));
    const report = page.frameLocator('iframe');
    const button = report.locator('#finding-reorders').getByRole('button', { name: 'Show reorder jit:uni on the timeline' });
    await button.focus();
    await button.press('Enter');
    await page.waitForFunction(() => window.document.title !== '');
    assert.deepEqual(JSON.parse(await page.title()), { type: 'xsp-timeline-jump', search: 'reorder jit:uni', nth: 1, run: null });
    assert.equal(await report.locator('#finding-interference .timeline-jump').count(), 0, 'its evidence names no span');
    assert.equal(await alone.page.locator('.timeline-jump').count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
    await alone.page.close();
  });

  test('a severity of a later version is shown as information', async () => {
    const { page, problems } = await browser.open(document({ findings: [finding({ severity: 'constructor' as 'info' })] }));
    assert.equal(await page.locator('#findings .severity').textContent(), 'Information: ');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a finding shows its sentence, its gain where it is known, and where more is', async () => {
    const { page } = await browser.open(document({}));
    assert.match(await page.locator('#finding-reorders .finding').innerText(), /9\.4\u00a0% of kernel time/, 'no line breaks before the unit');
    const text = plain(await page.locator('#finding-reorders .finding').innerText());
    assert.match(text, /Reorders between layouts take 9\.4 % .* Saves about 1\.2 ms a call, 3\.1 % of it\. \u2192$/);
    assert.equal(await page.locator('#finding-reorders .finding a').getAttribute('href'), '#kernels');
    assert.equal(await page.locator('#finding-bound .gain').count(), 0);
    assert.equal(await page.locator('#finding-interference code').first().innerText(), '--threads 1');
    await page.close();
  });

  test('a finding has no link to a part that the page does not have', async () => {
    const { page } = await browser.open(document({ absent: ['kernels'], findings: [finding({ see: 'kernels' }), finding({ id: 'other', see: 'analysis-A9' }), finding({ id: 'third', see: 'layers' })] }));
    assert.equal(await page.locator('#findings .finding a').count(), 1);
    await page.close();
  });

  test('evidence is closed, and shows rows with units, thresholds, confidence, refutation and SQL', async () => {
    const { page, problems } = await browser.open(document({}));
    assert.equal(await page.locator('.finding-evidence').count(), 0);
    const evidence = await openEvidence(page, 'reorders');
    assert.equal(await evidence.locator('tbody tr').count(), 20);
    const heads = await evidence.locator('th').evaluateAll((all) => all.map((cell) => cell.textContent!.trim()));
    assert.deepEqual(heads, ['name', 'shape', 'kernels', 'work \u00b5s', 'share %', 'read kB', 'is before convolution']);
    const cells = await evidence.locator('tbody tr').first().locator('td').allInnerTexts();
    assert.deepEqual(cells, ['reorder jit:uni', '[1, 64, 56, 56]', '2', '300', '2.00', '803', 'yes']);
    const text = plain(await evidence.innerText());
    for (const wanted of [
      'Rule reorders: Layouts are converted.', 'Without a value here: cause.', '20 more rows: run the SQL below.', 'much = 5 % \u00b7 Chosen: less', 'times = 1.01', 'calls = 3',
      '1.23 ms (800 \u00b5s to 1.50 ms), 3.12 % of the call; another 100 \u00b5s is counted in that of long_layer.', 'The time of all reorders. A reorder computes nothing.', 'High (0.8 on a scale from 0 to 1)', 'What would refute it', 'A run with channels_last memory', 'xsp query nothing \'SQL\'', 'FROM kernel',
    ]) assert.ok(text.includes(wanted), `${wanted} in ${text}`);
    await evidence.locator('th button').nth(1).focus();
    await page.keyboard.press('Enter');
    assert.equal(await evidence.locator('th').nth(1).getAttribute('aria-sort'), 'ascending');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('a finding without rows and thresholds says so', async () => {
    const { page, problems } = await browser.open(document({ findings: [finding({ threshold: [], evidence: { sql: 'SELECT 1', columns: [], rows: [] } })] }));
    const evidence = await openEvidence(page, 'long_layer');
    assert.equal(await evidence.locator('table').count(), 0);
    assert.match(await evidence.innerText(), /None: no number decides/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('the SQL is copied as it ran', async () => {
    const { page } = await browser.open(document({}));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const evidence = await openEvidence(page, 'reorders');
    await evidence.getByRole('button', { name: 'Copy the SQL' }).click();
    await evidence.getByText('Copied').waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), findings()[1]!.evidence.sql);
    await page.close();
  });

  test('nine findings are shown, the rest are behind a line with their number', async () => {
    const many = Array.from({ length: 12 }, (_, index) => finding({ id: `rule_${index}` }));
    const { page } = await browser.open(document({ findings: many }));
    assert.equal(await page.locator('#findings ol.findings > li:visible').count(), 9);
    const more = page.locator('.more-findings > summary');
    assert.equal(await more.innerText(), '3 more findings');
    await more.focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('#findings ol.findings > li:visible').count(), 12);
    assert.equal(await page.locator('.more-findings ol').getAttribute('start'), '10');
    await page.close();
  });

  test('nine findings have nothing behind them', async () => {
    const { page } = await browser.open(document({ findings: Array.from({ length: 9 }, (_, index) => finding({ id: `rule_${index}` })) }));
    assert.equal(await page.locator('.more-findings').count(), 0);
    await page.close();
  });

  test('a link to a finding behind the line opens it', async () => {
    const { page } = await browser.open(document({ findings: Array.from({ length: 10 }, (_, index) => finding({ id: `rule_${index}` })) }));
    assert.equal(await page.locator('.more-findings > summary').innerText(), '1 more finding');
    await page.goto(`${page.url().split('#')[0]}#finding-rule_9`);
    assert.ok(await page.locator('#finding-rule_9').isVisible());
    await page.close();
  });

  test('rules that could not be evaluated are listed with their reasons', async () => {
    const { page } = await browser.open(document({}));
    assert.equal(await page.locator('.abstained summary').innerText(), 'Not evaluated (2)');
    assert.equal(await page.locator('.abstained li').first().isVisible(), false);
    await page.locator('.abstained summary').click();
    assert.deepEqual(await page.locator('.abstained li').allInnerTexts(), ['idle_device: No device was recorded: xsp run resnet50 --device gpu measures one.', 'stragglers: The experiment has one rank.']);
    await page.close();
  });

  test('where no rule holds, the page says so and still lists what was not evaluated', async () => {
    const { page } = await browser.open(document({ findings: [] }));
    assert.match(await page.locator('#findings .gap').innerText(), /There are no findings/);
    assert.equal(await page.locator('.abstained').count(), 1);
    await page.close();
  });

  test('no text of a rule or of a trace becomes markup', async () => {
    const evil = '</script><img src=x onerror=alert(1)><b>"\'`x`';
    const { page, problems, requests } = await browser.open(document({
      findings: [finding({
        id: evil, title: evil, sentence: evil, refuted_by: evil, see: `"><img src=x onerror=alert(2)>`, severity: evil as 'info',
        evidence: { analysis: evil, sql: evil, columns: [{ name: evil, unit: '', help: evil }, { name: 'n', unit: evil, help: evil }], rows: [{ [evil]: evil, n: 1 }] },
        threshold: [{ name: evil, value: 1, unit: evil, source: evil }],
      })],
      abstained: [{ id: evil, reason: evil }],
    }));
    for (const summary of await page.locator('#findings summary').all()) await summary.click();
    await page.locator('.finding-evidence').waitFor();
    assert.equal(await page.locator('main img, main b, main script').count(), 0);
    assert.match(await page.locator('.finding-evidence pre').innerText(), /<img src=x onerror=alert\(1\)>/);
    assert.deepEqual(problems, []);
    assert.deepEqual(requests, []);
    await page.close();
  });

  test('printing opens nothing, and says how many are not on paper', async () => {
    const { page } = await browser.open(document({ findings: Array.from({ length: 12 }, (_, index) => finding({ id: `rule_${index}` })) }));
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    assert.equal(await page.locator('#findings details[open]').count(), 0);
    assert.deepEqual(await page.locator('#findings summary:visible').allInnerTexts(), ['3 more findings', 'Not evaluated (2)']);
    await page.close();
  });

  test('links by the former anchor still find the section', async () => {
    const { page } = await browser.open(document({}));
    assert.equal(await page.locator('#findings #words').count(), 1);
    await page.close();
  });

  for (const width of [360, 1280])
    for (const dark of [false, true])
      test(`open evidence fits into ${width} pixels, ${dark ? 'dark' : 'light'}`, async () => {
        const { page, problems } = await browser.open(document({}), { width, dark });
        await openEvidence(page, 'reorders');
        assert.equal(await page.evaluate(() => window.document.documentElement.scrollWidth - window.document.documentElement.clientWidth), 0);
        assert.deepEqual(problems, []);
        await page.close();
      });
});
