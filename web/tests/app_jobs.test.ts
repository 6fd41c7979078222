// Measuring, importing and querying in the application, in a real Chromium.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { LiveLevel } from '../src/app/data_source.ts';
import { AppServer, kToken } from './app_server.ts';
import { Browser, chromiumPath } from './browser.ts';

describe('the application', { skip: chromiumPath() !== null ? false : 'no Chromium here: install it, or set CHROMIUM to its path' }, () => {
  const browser = new Browser();
  let server: AppServer;
  let page: Page;
  let problems: string[];

  before(() => browser.start());
  after(() => browser.close());
  beforeEach(async () => {
    server = new AppServer();
    await server.start();
    ({ page, problems } = await browser.openAddress(`${server.origin}/?token=${kToken}`));
    await page.locator('h1').waitFor();
  });
  afterEach(async () => {
    await page.close();
    await server.close();
  });

  async function go(path: string): Promise<void> {
    await page.goto(server.origin + path, { waitUntil: 'load' });
    await page.locator('h1').waitFor();
  }

  /** Changes arrive once the page listens. */
  async function listening(): Promise<void> {
    await page.waitForFunction(() => document.querySelector('.measuring')?.textContent !== 'Connection lost, connecting again');
    while (server.listenerCount === 0) await page.evaluate(() => new Promise(requestAnimationFrame));
  }

  test('a measurement is set up, started, followed and opened', async () => {
    await go('/measure');
    await page.getByLabel('Search the models').fill('resnet');
    await page.waitForFunction(() => document.querySelectorAll('.choice').length === 1);
    await page.getByRole('radio', { name: /resnet50/ }).check();
    await page.getByRole('checkbox', { name: 'torch' }).check();
    await page.getByRole('checkbox', { name: 'onnxruntime' }).check();
    await page.getByRole('button', { name: 'Batch sizes 1, 2, 4, 8', exact: true }).click();
    await page.getByLabel('Precision', { exact: true }).fill('bfloat16');
    await page.getByText('More options').click();
    await page.getByLabel(/^Time limit/).fill('30');
    await page.getByLabel('Report', { exact: true }).check();
    assert.equal((await page.locator('pre').innerText()).trim(), 'xsp run resnet50 --backend torch,onnxruntime --batch 1,2,4,8 --precision bfloat16 --time-limit 30 --report');
    await page.getByRole('button', { name: 'Start the measurement' }).click();
    await page.locator('h1', { hasText: 'Job: run' }).waitFor();
    assert.deepEqual(server.performed, [{ operation: 'run', request: { model: 'resnet50', backend: ['torch', 'onnxruntime'], batch: [1, 2, 4, 8], precision: 'bfloat16', time_limit: 30, report: true } }]);
    await page.locator('.job-state', { hasText: 'Queued, number 1 in the queue' }).waitFor();
    await listening();
    server.logs.set('job-1', 'loading the model\n');
    server.change({ id: 'job-1', state: 'running', position: null, started: '2026-11-26T10:00:01Z', progress: { step: 'measuring layers', fraction: 0.25, remaining_s: 30 } });
    await page.getByText('measuring layers, 25').waitFor();
    assert.equal(await page.getByRole('progressbar').getAttribute('value'), '0.25');
    await page.locator('.log', { hasText: 'loading the model' }).waitFor();
    assert.match(await page.locator('.measuring').innerText(), /ada runs xsp run/);
    assert.equal(await page.getByText('Recorded so far').count(), 0);
    const level = (spans: number): LiveLevel => ({ level: 'layer', spans, time_ns: 4_000_000 * spans, other_names: 3, names: [{ name: 'conv <b>1', spans, time_ns: 2_000_000 * spans }] });
    server.levels.set('job-1', [{ run: 'b1-layer', levels: [level(1)] }]);
    const recorded = page.getByRole('region', { name: 'Levels of b1-layer' });
    await recorded.getByText('2.00\u00a0ms').waitFor();
    assert.match(await recorded.innerText(), /layer\s+1\s+4\.00.ms\s+conv <b>1\s+1\s+2\.00.ms\s+and 3.names more/);
    server.levels.set('job-1', [{ run: 'b1-layer', levels: [level(1234)] }]);
    await recorded.getByText('2.47\u00a0s').waitFor();
    server.change({ id: 'job-1', state: 'done', progress: null, exit_status: 0, ended: '2026-11-26T10:01:00Z', experiment: 'resnet50-2' });
    await page.locator('.job-state', { hasText: 'Done' }).waitFor();
    assert.equal(await recorded.count(), 0);
    await page.getByRole('link', { name: /Open the experiment/ }).click();
    await page.locator('h1', { hasText: 'resnet50-2' }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('what a measurement takes is shown while its form is filled', async () => {
    await go('/measure');
    const estimate = page.getByRole('region', { name: 'What it takes' });
    assert.match(await estimate.innerText(), /Choose a model/);
    await page.getByRole('radio', { name: /resnet50/ }).check();
    await estimate.getByText('About 16\u00a0s').waitFor();
    assert.deepEqual(server.planned, [{ model: 'resnet50', batch: [1], plan: true }]);
    await page.getByLabel('Batch', { exact: true }).fill('1, 4');
    await estimate.getByText('About 80\u00a0s').waitFor();
    assert.match(await estimate.innerText(), /layer \(3.processes\)\t16.s[\s\S]*resnet50-1 45\.0.ms[\s\S]*64.s/);
    await page.getByLabel('Batch', { exact: true }).fill('8');
    await estimate.getByText('At most 5\u00a0min').waitFor();
    assert.match(await estimate.innerText(), /not known/);
    await page.getByLabel('Batch', { exact: true }).fill('0');
    await estimate.getByText('Choose a model').waitFor();
    await page.getByText('More options').click();
    assert.equal(await page.getByLabel('Plan', { exact: true }).count(), 0);
    // An estimate asks frameworks what they can do: not while something is measured.
    await page.getByLabel('Batch', { exact: true }).fill('2');
    await estimate.getByText('About 32\u00a0s').waitFor();
    await listening();
    server.change({ id: 'other', state: 'running', position: null });
    await estimate.getByText('which an estimate would disturb').waitFor();
    const planned = server.planned.length;
    await page.getByLabel('Batch', { exact: true }).fill('4');
    server.change({ id: 'other', state: 'done', progress: null });
    await estimate.getByText('About 64\u00a0s').waitFor();
    assert.equal(server.planned.length, planned + 1);
    assert.deepEqual(server.performed, []);
    assert.deepEqual(problems, []);
  });

  test('why a measurement is not possible is shown before it is started', async () => {
    await go('/measure?model=missing.onnx');
    await page.getByRole('region', { name: 'What it takes' }).getByText('no such file: missing.onnx. Give a path on the server.').waitFor();
    assert.deepEqual(server.performed, []);
  });

  test('a measurement with errors names them, and is not started', async () => {
    await go('/measure');
    await page.getByRole('radio', { name: /lonely/ }).check();
    await page.getByText('No installed backend can run').waitFor();
    await page.getByLabel('Batch', { exact: true }).fill('0');
    await page.getByText('must be above 0').waitFor();
    await page.getByRole('button', { name: 'Start the measurement' }).click();
    assert.match(await page.getByRole('alert').innerText(), /Batch must be above 0/);
    await page.getByLabel('Batch', { exact: true }).fill('1');
    await page.getByLabel('Or a model file on the server').fill('missing.onnx');
    // The estimate, which arrives later, stands below the button and does not move it.
    const start = page.getByRole('button', { name: 'Start the measurement' });
    const top = (item: ReturnType<Page['getByRole']>): Promise<number> => item.evaluate((element) => element.getBoundingClientRect().top + scrollY);
    assert.ok(await top(start) < await top(page.getByRole('region', { name: 'What it takes' })));
    await start.click();
    await page.getByRole('alert').getByText('Give a path on the server.').waitFor();
    assert.equal(server.jobs.length, 0);
  });

  test('a job is cancelled after a question', async () => {
    server.change({ id: 'one', state: 'running', position: null, progress: { step: 'warming up', fraction: null, remaining_s: null } });
    await go('/jobs/one');
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Let it run' }).click();
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await listening();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the job' }).click();
    await page.locator('.job-state', { hasText: 'Cancelled' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Cancel the job' }).count(), 0);
    assert.deepEqual(problems, []);
  });

  test('a lost connection is found again, with what changed meanwhile', async () => {
    server.change({ id: 'one', state: 'running', position: null });
    await go('/jobs/one');
    await listening();
    server.dropEvents();
    server.change({ id: 'one', state: 'failed', error: { kind: 'environment', what: 'the worker died', hint: 'Look into the log.' } });
    await page.getByText('Look into the log.').waitFor();
    while (server.listenerCount === 0) await page.evaluate(() => new Promise(requestAnimationFrame));
    server.change({ id: 'two', state: 'running', command: 'xsp run bert' });
    await page.locator('.measuring', { hasText: 'xsp run bert' }).waitFor();
  });

  test('a model is uploaded and measured, where the server takes models', async () => {
    await go('/measure');
    assert.equal(await page.getByLabel('Or a model file of yours').count(), 0);
    server.modelUploads = true;
    await go('/measure');
    await page.getByLabel('Or a model file of yours').setInputFiles({ name: 'net <b>.onnx', mimeType: 'application/octet-stream', buffer: Buffer.alloc(3_000_000, 'x') });
    await page.getByText('Chosen: net <b>.onnx, 3.00\u00a0MB, on the server for a day.').waitFor();
    await page.getByText(/^xsp run 'net <b>.onnx' --batch 1/).waitFor();
    assert.equal(await page.getByLabel('Or a model file on the server').inputValue(), '');
    await page.getByRole('radio').first().check();
    await page.getByText(/^A model in one file, such as/).waitFor();
    assert.equal(await page.getByLabel('Or a model file of yours').inputValue(), '');
    await page.getByLabel('Or a model file of yours').setInputFiles({ name: 'net <b>.onnx', mimeType: 'application/octet-stream', buffer: Buffer.alloc(3_000_000, 'x') });
    await page.getByText('Chosen: net <b>.onnx').waitFor();
    assert.match(await page.getByLabel('Or a model file of yours').inputValue(), /net <b>\.onnx$/);
    await page.getByRole('button', { name: 'Start the measurement' }).click();
    await page.locator('h1', { hasText: 'Job: run' }).waitFor();
    assert.deepEqual(server.uploads.at(-1), { name: 'net <b>.onnx', bytes: 3_000_000 });
    assert.equal(server.performed.at(-1)?.request['model'], 'upload:2');
    assert.deepEqual(problems, []);
  });

  test('an upload of a model that fails says why, and the model that was chosen stays', async () => {
    server.modelUploads = true;
    await go('/measure');
    await page.getByRole('radio').first().check();
    server.mostUploadBytes = 0;
    await page.getByLabel('Or a model file of yours').setInputFiles({ name: 'net.onnx', mimeType: 'application/octet-stream', buffer: Buffer.from('x') });
    await page.getByRole('alert').getByText('uploads may have 0 bytes together').waitFor();
    assert.equal(await page.getByLabel('Or a model file of yours').inputValue(), '', 'the same file can be chosen again');
    assert.equal(await page.getByRole('radio').first().isChecked(), true);
  });

  test('files are uploaded and imported', async () => {
    await go('/import');
    await page.locator('#files').setInputFiles([{ name: 'trace <b>.json', mimeType: 'application/json', buffer: Buffer.alloc(3_000_000, 'x') }, { name: 'counters.csv', mimeType: 'text/csv', buffer: Buffer.from('a,b\n') }]);
    await page.getByText('3.00\u00a0MB').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('mine');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.locator('h1', { hasText: 'Job: import' }).waitFor();
    assert.deepEqual(server.uploads, [{ name: 'trace <b>.json', bytes: 3_000_000 }, { name: 'counters.csv', bytes: 4 }]);
    assert.deepEqual(server.performed, [{ operation: 'import', request: { name: 'mine', file: ['upload:1', 'upload:2'] } }]);
    assert.deepEqual(problems, []);
  });

  test('files can be dropped and left out', async () => {
    await go('/import');
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['x'], 'a.json'));
      transfer.items.add(new File(['y'], 'b.json'));
      return transfer;
    });
    await page.locator('.drop').dispatchEvent('drop', { dataTransfer: data });
    await page.getByRole('button', { name: 'Leave out a.json' }).click();
    assert.deepEqual(await page.locator('.files bdi').allInnerTexts(), ['b.json']);
    assert.deepEqual(problems, []);
  });

  test('a query is run by the keyboard, its rows are sorted and downloaded', async () => {
    await go('/query?run=latest');
    await page.locator('#sql').press('Control+Enter');
    await page.getByText(/^2.rows$/).waitFor();
    assert.match(await page.locator('tbody').innerText(), /conv2d\s+53\s+12,345,678\.9\s+add\s+16\s+–/);
    await page.getByRole('button', { name: 'layers', exact: true }).click();
    await page.getByRole('button', { name: 'layers', exact: true }).click();
    assert.match(await page.locator('tbody').innerText(), /^add/);
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download query as CSV' }).click()]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    assert.equal(Buffer.concat(chunks).toString(), 'type,layers,latency_ns\r\nconv2d,53,12345678.9\r\nadd,16,\r\n');
    await page.locator('#sql').fill('SELECT many');
    await page.locator('#sql').press('Control+Enter');
    await page.getByText(/^5,000.rows$/).waitFor();
    assert.ok(await page.locator('.virtual tbody tr').count() < 80);
    assert.deepEqual(problems, []);
  });

  test('a query that is wrong shows why, and names of columns are inserted', async () => {
    await go('/query?run=latest');
    await page.locator('#sql').fill('SELECT wrong ');
    await page.locator('#sql').press('Control+Enter');
    assert.match(await page.getByRole('alert').innerText(), /no column "wrong" in table layer\s+The tables are beside the query\./);
    await page.locator('.schema summary', { hasText: 'layer' }).click();
    await page.getByRole('button', { name: 'Insert latency_ns' }).click();
    assert.equal(await page.locator('#sql').inputValue(), 'SELECT wrong latency_ns');
  });

  test('pages are left and entered by the history of the browser', async () => {
    await page.getByRole('link', { name: 'resnet50-1' }).click();
    await page.locator('h1', { hasText: 'resnet50-1' }).waitFor();
    await page.goBack();
    await page.locator('h1', { hasText: 'Experiments' }).waitFor();
    await page.goForward();
    await page.locator('h1', { hasText: 'resnet50-1' }).waitFor();
    assert.deepEqual(problems, []);
  });
});
