// From the layers of a report in a frame to the timeline, in a real Chromium.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { FrameLocator, Page } from 'playwright-core';
import { Browser, chromiumPath, filledPage } from './browser.ts';
import { fixture } from './make_fixture.ts';

describe('the layers of a report', { skip: chromiumPath() !== null ? false : 'no Chromium here: install it, or set CHROMIUM to its path' }, () => {
  const browser = new Browser();
  before(() => browser.start());
  after(() => browser.close());

  /** The report in a frame, as in the application; the title of the page becomes what the report asks for. */
  async function framed(isOffered: boolean): Promise<{ page: Page; report: FrameLocator; problems: string[] }> {
    const { page, problems } = await browser.openAddress('about:blank');
    await page.setContent('<iframe sandbox="allow-scripts" style="width: 1200px; height: 800px"></iframe>');
    await page.evaluate(([html, offers]) => {
      const frame = document.querySelector('iframe')!;
      addEventListener('message', ({ data }) => { document.title = JSON.stringify(data); });
      if (offers) frame.addEventListener('load', () => frame.contentWindow!.postMessage({ type: 'xsp-timeline-offered' }, '*'));
      frame.srcdoc = html;
    }, [filledPage(fixture({ batches: [1] })), isOffered] as const);
    const report = page.frameLocator('iframe');
    await report.locator('.strip svg').waitFor();
    return { page, report, problems };
  }

  const asked = async (page: Page): Promise<unknown> => {
    await page.waitForFunction(() => document.title !== '');
    return JSON.parse(await page.title());
  };

  test('lead to the timeline from the table, by the keyboard', async () => {
    const { page, report, problems } = await framed(true);
    await report.locator('#layers summary', { hasText: 'The layers as a table' }).click();
    const button = report.locator('#layers tbody').getByRole('button', { name: /^Show layer 2, / });
    const name = (await button.getAttribute('aria-label'))!.split(', ')[1]!;
    await button.focus();
    await button.press('Enter');
    const jump = await asked(page) as Record<string, unknown>;
    assert.deepEqual([jump['type'], jump['search'], jump['run']], ['xsp-timeline-jump', name, 'run-3']);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('lead to the timeline from the layer that was chosen', async () => {
    const { page, report, problems } = await framed(true);
    await report.locator('.strip').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await report.locator('.layer-detail').getByRole('button', { name: 'Show layer 0, conv2d_0, on the timeline' }).click();
    const jump = await asked(page) as Record<string, unknown>;
    assert.deepEqual([jump['search'], jump['nth']], ['conv2d_0', 1]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test('lead nowhere where the page around it has no timeline', async () => {
    const { page, report } = await framed(false);
    await report.locator('#layers summary', { hasText: 'The layers as a table' }).click();
    await report.locator('#layers tbody tr').first().waitFor();
    assert.equal(await report.locator('.timeline-jump').count(), 0);
    await page.close();
  });
});
