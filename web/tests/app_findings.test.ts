// Findings across the store: the address, the words, and the page in a real Chromium.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { routeOf } from '../src/app/addresses.ts';
import { kNoFilter } from '../src/app/experiment_filter.ts';
import { findingAddress, findingsAddress, findingsRequest, findingsView, gainsText, hasOnlyLimits, knownText, limitsText, ordered, spreadText, type FindingRow, type RuleGroup } from '../src/app/store_findings.ts';
import { job } from './app_documents.ts';
import { AppServer, kToken } from './app_server.ts';
import { Browser, chromiumPath, type OpenOptions } from './browser.ts';

const kSkip = chromiumPath() !== null ? false : 'no Chromium here: install it, or set CHROMIUM to its path';

function group(part: Partial<RuleGroup> = {}): RuleGroup {
  return { id: 'rule', title: 'A rule', severity: 'info', experiments: 2, abstained: 0, models: ['net', 'bert'], gain: null, rows: [], ...part };
}

function gain(largest_share: number, total_ns: number, total_once_ns = 0): NonNullable<RuleGroup['gain']> {
  return { experiments: 2, largest_share, largest_experiment: 'a', median_share: largest_share / 2, total_ns, total_once_ns };
}

describe('the view of findings', () => {
  test('is in the address, and comes back from it', () => {
    const view = { filter: { ...kNoFilter, model: 'a b&c', since: '2026-11-01' }, severity: 'warning', order: 'gain', open: ['x', 'y'] } as const;
    const address = new URL(findingsAddress({ ...view, open: [...view.open] }), 'http://x');
    assert.deepEqual(routeOf(address.pathname, address.search), { page: 'findings' });
    assert.deepEqual(findingsView(address.search), view);
    assert.equal(findingsAddress(findingsView('')), '/findings');
  });

  test('of an address that nobody wrote is that of all findings', () => {
    assert.deepEqual(findingsView('?severity=terrible&order=__proto__&rule=&rule=a&rule=a'), { filter: kNoFilter, severity: '', order: 'experiments', open: ['a'] });
    assert.deepEqual(routeOf('/findings/x', ''), { page: 'none' });
  });

  test('asks the server for what it filters', () => {
    assert.deepEqual(findingsRequest({ ...kNoFilter, tag: 'a=b', text: 'x' }, 'notice'), { text: 'x', tag: ['a=b'], severity: ['notice'] });
    assert.deepEqual(findingsRequest(kNoFilter, ''), {});
  });

  test('leads to a finding on the page of its experiment', () => {
    assert.equal(findingAddress('a/b', 'idle_cores'), '/experiments/a%2Fb?finding=idle_cores');
  });
});

describe('the words of findings across the store', () => {
  test('count experiments and models', () => {
    assert.equal(spreadText(group()), '2\u00a0experiments of 2\u00a0models');
    assert.equal(spreadText(group({ experiments: 1, models: ['net'] })), '1\u00a0experiment of net');
    assert.equal(spreadText(group({ models: [] })), '2\u00a0experiments');
  });

  test('state gains as shares and times, and none where none is known or expected', () => {
    assert.equal(gainsText(group()), null);
    assert.equal(gainsText(group({ gain: gain(0, 0) })), null);
    assert.match(gainsText(group({ gain: gain(0.34, 5.6e6) }))!, /^saves up to 34\.0.%, median 17\.0.%; 5\.6.ms in one call or step of each$/);
    assert.match(gainsText(group({ experiments: 1, gain: gain(0.5, 0, 2e9) }))!, /^saves 50\.0.%; 2.s of whole recordings and programs$/);
  });

  test('state no gain below a thousandth, and what may be saved where nothing is expected', () => {
    const limit = (part: Partial<FindingRow>): FindingRow => ({ experiment: 'a', created: '', model: '', backend: '', point: '', sentence: '', gain_ns: [0, 100, 9.1e5], gain: { whole: 'call', whole_ns: 1e7 }, ...part });
    const unnoticeable = group({ gain: gain(0.0009, 8_500) });
    assert.equal(gainsText(unnoticeable), null);
    assert.match(gainsText(group({ gain: gain(0.0015, 8_500) }))!, /^saves up to 0\.150.%, median below a thousandth; 8\.5.µs in/);
    assert.deepEqual([group(), unnoticeable, group({ gain: gain(0.34, 5.6e6) })].map(hasOnlyLimits), [false, true, false]);
    assert.match(limitsText([limit({})])!, /^saves at most 9\.10.%; 910.µs a call$/);
    assert.match(limitsText([limit({ gain_ns: [0, 0, 10] }), limit({}), limit({ gain: { whole: 'program', whole_ns: 1e7 } }), limit({ gain_ns: null, gain: null })])!, /^saves at most 9\.10.%; 910.µs in one call or step of each, 910.µs of whole recordings and programs$/);
    assert.equal(limitsText([limit({ gain_ns: [0, 0, 10] })]), null);
    assert.equal(limitsText([]), null);
  });

  test('state how much is known', () => {
    const document = { experiments: 4, known: 2, not_known: 1, unreadable: [{ experiment: 'bad', reason: 'damaged' }], rules: [] };
    assert.match(knownText(document), /The findings of 2 of 3.experiments are known\./);
    assert.match(knownText({ ...document, known: 3, not_known: 0 }), /^Findings of 3.experiments\.$/);
  });

  test('order rules without known gains last', () => {
    const rules = [group({ id: 'often' }), group({ id: 'long', gain: gain(0.1, 9) }), group({ id: 'large', gain: gain(0.9, 1) })];
    const ids = (order: Parameters<typeof ordered>[1]): string[] => ordered(rules, order).map(({ id }) => id);
    assert.deepEqual(ids('experiments'), ['often', 'long', 'large']);
    assert.deepEqual(ids('gain'), ['large', 'long', 'often']);
    assert.deepEqual(ids('time'), ['long', 'large', 'often']);
  });
});

describe('the page of findings', { skip: kSkip }, () => {
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

  async function open(path: string, options: OpenOptions = {}): Promise<void> {
    ({ page, problems } = await browser.openAddress(`${server.origin}/?token=${kToken}`, options));
    await page.locator('h1').waitFor();
    await page.goto(server.origin + path, { waitUntil: 'load' });
    await page.locator('h1').waitFor();
  }

  const reorders = (): ReturnType<Page['locator']> => page.locator('summary', { hasText: 'Layouts are converted' });

  test('a rule opens by the keyboard to its experiments, which lead to the finding', async () => {
    await open('/findings');
    await reorders().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'resnet50-2' }).waitFor();
    assert.match(await page.locator('.finding-rows').innerText(), /resnet50-1 .*float32, batch 8[^]*Reorders between layouts take 9\.4\u00a0% of kernel time[^]*Saves about 1\.2.ms a call, 3\.1.% of it/);
    assert.match(page.url(), /rule=reorders/);
    await page.reload();
    await page.getByRole('link', { name: 'resnet50-2' }).click();
    await page.locator('h1', { hasText: 'resnet50-2' }).waitFor();
    await page.waitForFunction(() => document.activeElement?.id === 'finding-reorders');
    await page.goBack();
    await page.getByRole('link', { name: 'resnet50-2' }).waitFor();
    await reorders().click();
    await page.waitForURL((address) => !address.search.includes('rule='));
    assert.deepEqual(problems, []);
  });

  test('a rule of which no gain is expected states in its heading what it saves at most', async () => {
    server.gain = [0, 0, 9.1e5];
    await open('/findings');
    await reorders().locator('.gain').waitFor();
    assert.match(await reorders().innerText(), /saves at most 2\.30.%; 2\.7.ms in one call or step of each/);
    assert.deepEqual(problems, []);
  });

  test('filters, severity and order are in the address', async () => {
    await open('/findings');
    await reorders().waitFor();
    await page.getByRole('combobox', { name: 'Model' }).selectOption('bert');
    await page.getByText(/Findings of 1.experiment\./).waitFor();
    await page.getByRole('combobox', { name: 'Severity' }).selectOption('warning');
    await reorders().waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: 'Order' }).selectOption('gain');
    await page.waitForURL(/model=bert&severity=warning&order=gain/);
    await page.reload();
    await page.getByText('Other programs took the cores').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByText(/Findings of 3.experiments\./).waitFor();
    assert.deepEqual(problems, []);
  });

  test('what is not known is evaluated by a job, and appears while it runs', async () => {
    server.known = new Set(['bert-1']);
    await open('/findings?model=resnet50');
    await page.getByText('No findings are known yet').waitFor();
    await page.getByRole('button', { name: /Evaluate the findings of 2.experiments/ }).click();
    await page.getByText('Queued').waitFor();
    assert.deepEqual(server.performed, [{ operation: 'store/findings', request: { model: 'resnet50' } }]);
    const { id } = server.jobs[0]!;
    server.known.add('resnet50-1');
    server.change({ id, state: 'running', position: null, progress: { step: 'findings of 1 of 2 experiments', fraction: 0.5, remaining_s: 1 } });
    await page.getByText(/The findings of 1 of 2.experiments are known/).waitFor();
    await reorders().click();
    await page.getByRole('link', { name: 'resnet50-1' }).waitFor();
    server.known.add('resnet50-2');
    server.change({ id, state: 'done', progress: null, ended: '2026-11-26T10:05:00Z', exit_status: 0 });
    await page.getByText(/Findings of 2.experiments\./).waitFor();
    // What was open stays open, and grows.
    await page.getByRole('link', { name: 'resnet50-2' }).waitFor();
    assert.equal(await page.getByRole('progressbar').count(), 0);
    assert.deepEqual(problems, []);
  });

  test('a failed evaluation says why, and can be started again', async () => {
    server.known = new Set(['bert-1']);
    server.jobs = [job({ id: 'first', operation: 'store/findings', state: 'failed', error: { kind: 'environment', what: 'the disk is full', hint: 'Free some.' } })];
    await open('/findings');
    await page.getByText('the disk is full').waitFor();
    await page.getByRole('button', { name: /Evaluate/ }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('who may only read sees what evaluates findings', async () => {
    server.role = 'view';
    server.known = new Set(['bert-1']);
    await open('/findings');
    await page.getByText('Who has the role measure').waitFor();
    assert.equal(await page.getByRole('button', { name: /Evaluate/ }).count(), 0);
    assert.deepEqual(problems, []);
  });

  test('an empty store says what makes the first experiment', async () => {
    server.rows = [];
    await open('/findings');
    await page.getByText('The store has no experiments yet').waitFor();
    assert.deepEqual(problems, []);
  });

  for (const dark of [false, true])
    for (const width of [360, 760, 1081, 1200, 1600])
      test(`everything fits into ${width} pixels${dark ? ', dark' : ''}, with the bar in one line`, async () => {
        server.jobs = [job({ id: 'now', state: 'running', command: 'xsp run resnet50 --batch 1,2,4,8,16,32 --backend torch,onnxruntime', position: null })];
        await open('/findings?rule=reorders', { width, dark });
        await page.getByRole('link', { name: 'resnet50-1' }).waitFor();
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0);
        const bar = (await page.locator('.app-bar').boundingBox())!;
        assert.ok(bar.height < 60, `the bar is ${bar.height} pixels high`);
        // What runs now can be seen: it is shortened, not squeezed out.
        assert.ok((await page.locator('.now').boundingBox())!.width > 60);
        assert.deepEqual(problems, []);
      });
});
