// A published site, opened from its folder in a real Chromium: the program publishes experiments that it imported from the
// samples of its importers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { Browser, chromiumPath, kWeb } from './browser.ts';

const kRoot = join(kWeb, '..');
const kXsp = join(process.env['XSP_BUILD'] ?? join(kRoot, 'build', 'release'), 'bin', 'xsp');
const kSkip = chromiumPath() === null ? 'no Chromium here: install it, or set CHROMIUM to its path' : existsSync(kXsp) ? false : `no xsp here: build it, or set XSP_BUILD (${kXsp})`;
const kHostile = '<img src=x onerror=alert(1)> "& #?%';
const kSamples = { kineto: 'kineto/sample/two_kernels.json', chrome: 'chrome/sample/two_threads.json', spans: 'span_list/sample/two_layers.csv' };

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

describe('a published site', { skip: kSkip }, () => {
  const browser = new Browser();
  const folder = mkdtempSync(join(tmpdir(), 'xsp-site-'));
  const store = join(folder, 'store');
  const site = join(folder, 'site');
  const xsp = (...words: string[]): void => { execFileSync(kXsp, ['--store', store, ...words], { stdio: 'pipe', timeout: 120_000 }); };

  before(async () => {
    for (const [name, file] of Object.entries(kSamples)) xsp('import', join(kRoot, 'src/ingest/importers', file), '--name', name);
    cpSync(join(store, 'kineto'), join(store, kHostile), { recursive: true });
    xsp('publish', site, '--base-url', 'https://example.org/', '--title', 'A & B');
    await browser.start();
  });
  after(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const address = (hash = ''): string => pathToFileURL(join(site, 'index.html')).href + hash;

  test('everyPageIsReachedByLinksWithoutNetworkAndProblems', { timeout: 100_000 }, async () => {
    const waiting = ['#/', `#/compare?${new URLSearchParams([['side', 'kineto'], ['side', 'spans']])}`];
    const seen = new Set(waiting);
    const files = new Set<string>();
    const { page, problems, requests } = await browser.openAddress(address());
    while (waiting.length > 0) {
      const hash = waiting.shift()!;
      await page.evaluate((next) => { location.hash = next; }, hash);
      await page.waitForFunction((next) => location.hash === next && document.querySelector('h1') !== null && !document.querySelector('main')!.textContent!.includes('Loading'), hash);
      assert.equal(await page.locator('[role=alert]').count(), 0, hash);
      assert.doesNotMatch(await page.locator('h1').innerText(), /No such page/, hash);
      for (const link of await page.locator('a:not(.skip)').evaluateAll((links) => links.map((found) => (found as HTMLAnchorElement).href))) {
        if (link.startsWith(address('#'))) {
          const next = link.slice(address().length);
          if (!seen.has(next)) waiting.push(next);
          seen.add(next);
        } else files.add(link);
      }
    }
    for (const file of files) assert.ok(existsSync(fileURLToPath(file)), file);
    assert.ok(seen.size > 15 && files.size > 20, `${seen.size} pages, ${files.size} files`);
    assert.deepEqual([problems, requests], [[], []]);
    await page.close();
  });

  test('aReportIsTheWholePageOfXspReport', async () => {
    const { page, problems } = await browser.openAddress(address('#/reports/kineto'));
    const frame = page.frameLocator('iframe');
    await frame.locator('#findings').waitFor();
    assert.ok(await frame.locator('section').count() > 5);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /Save the report/ }).click()]);
    assert.equal(download.suggestedFilename(), 'kineto.html');
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('noPageIsWiderThanTheScreen', async () => {
    for (const width of [360, 1600]) {
      for (const hash of ['#/', '#/models', '#/experiments', `#/experiments/${encodeURIComponent(kHostile)}`, '#/compare?side=kineto&side=chrome', '#/downloads', '#/reports/kineto']) {
        const { page, problems } = await browser.openAddress(address(hash), { width, dark: width === 360 });
        await page.locator('h1').waitFor();
        await page.waitForFunction(() => !document.querySelector('main')!.textContent!.includes('Loading'));
        assert.ok(await overflow(page) <= 0, `${hash} at ${width}`);
        assert.deepEqual(problems, []);
        await page.close();
      }
    }
  });

  test('theKeyboardReachesTheContentAndTheFirstLink', async () => {
    const { page } = await browser.openAddress(address());
    await page.locator('h1').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'title');
    await page.close();
  });

  test('aFileThatIsMissingIsReportedWithWhatToDo', async () => {
    const { page } = await browser.openAddress(address());
    await page.locator('h1').waitFor();
    cpSync(join(site, 'experiments'), join(folder, 'backup'), { recursive: true });
    rmSync(join(site, 'experiments'), { recursive: true });
    await page.evaluate(() => { location.hash = '#/experiments/chrome'; });
    await page.locator('[role=alert]').first().waitFor();
    assert.match(await page.locator('[role=alert]').first().innerText(), /reload the page/);
    cpSync(join(folder, 'backup'), join(site, 'experiments'), { recursive: true });
    await page.close();
  });
});
