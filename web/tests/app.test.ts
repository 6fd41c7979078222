// The pages of the application in a real Chromium, with a server that holds the contract of `xsp serve`.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { experimentRow, job } from './app_documents.ts';
import { AppServer, kToken } from './app_server.ts';
import { Browser, chromiumPath, type OpenOptions } from './browser.ts';

const kSkip = chromiumPath() !== null ? false : 'no Chromium here: install it, or set CHROMIUM to its path';
const kWidths = [360, 1280];

async function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

describe('the application', { skip: kSkip }, () => {
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

  /** A page of a user who is logged in. */
  async function open(path: string, options: OpenOptions = {}): Promise<void> {
    const opened = await browser.openAddress(`${server.origin}/?token=${kToken}`, options);
    ({ page, problems } = opened);
    await page.locator('h1').waitFor();
    if (path !== '/') await page.goto(server.origin + path, { waitUntil: 'load' });
    await page.locator('h1').waitFor();
  }

  /** Refused requests are tested: the browser reports them, too. */
  function unexpected(): string[] {
    return problems.filter((text) => !text.startsWith('Failed to load resource: the server responded with a status of'));
  }

  const places: [string, string, RegExp][] = [
    ['/', 'Experiments', /3.experiments/],
    ['/experiments/resnet50-1', 'resnet50-1', /Reorders between layouts/],
    ['/experiments/resnet50-1/timeline', 'Timeline of resnet50-1', /3,001 spans on 2.tracks, 1\.00.ms/],
    ['/compare', 'Compare', /Choose two experiments/],
    ['/compare?side=resnet50-1&side=resnet50-2', 'resnet50-1 and resnet50-2', /resnet50-2 is slower than resnet50-1/],
    ['/history', 'History', /resnet50.*2.experiments/],
    ['/history/resnet50', 'History of resnet50', /Experiments of this history/],
    ['/models', 'Models', /resnet50.*2.experiments/],
    ['/models/resnet50', 'resnet50', /Test CPU, 4 threads/],
    ['/models/unknown', 'unknown', /no experiment of this model/],
    ['/machines', 'Machines', /Test CPU.*3.experiments of 2.models/],
    ['/machines/Test%20CPU%2C%204%20threads', 'Test CPU, 4 threads', /float32 vector.*120.GFLOP\/s/],
    ['/machines/unknown', 'unknown', /No experiment of the store/],
    ['/findings', 'Findings', /Findings of 3.experiments.*3.experiments of 2.models/],
    ['/findings?severity=warning&order=gain&rule=x', 'Findings', /Findings of 3.experiments/],
    ['/suite', 'Suite', /similarity.*Finds similar workloads/],
    ['/suite/similarity', 'Suite: similarity', /Show the answer/],
    ['/suite/similarity?asked=1&source=mlperf&clusters=2', 'Suite: similarity', /Two workloads stand for all/],
    ['/suite/unknown', 'Suite: unknown', /no command unknown/],
    ['/measure', 'Measure', /ResNet-50 v1\.5/],
    ['/jobs', 'Jobs', /xsp run bert/],
    ['/jobs/second', 'Job: run', /measuring layers, 40/],
    ['/import', 'Import', /Drop the files/],
    ['/query?run=latest', 'SQL', /latency_ns|layer/],
    ['/nowhere', 'No such page', /See the experiments/],
  ];
  for (const width of kWidths)
    for (const [path, title, text] of places)
      test(`${path} is shown at ${width} pixels without an error or an overflow`, async () => {
        server.jobs = [job({ id: 'second', state: 'running', command: 'xsp run bert', position: null, started: '2026-11-26T10:00:01Z', progress: { step: 'measuring layers', fraction: 0.4, remaining_s: 20 } }), job({ id: 'first', state: 'failed', error: { kind: 'environment', what: 'the disk is full', hint: 'Free some.' } })];
        await open(path, { width });
        await page.locator('h1', { hasText: title }).waitFor();
        await page.waitForFunction((source) => new RegExp(source).test(document.querySelector('main')!.innerText.replaceAll('\n', ' ')), text.source);
        assert.equal(await overflow(page), 0);
        assert.match(await page.title(), /· XSP$/);
        assert.deepEqual(problems, []);
      });

  test('an unknown user logs in and comes to the page that was asked for', async () => {
    ({ page, problems } = await browser.openAddress(`${server.origin}/history`));
    await page.context().clearCookies();
    await page.goto(`${server.origin}/history`);
    await page.getByLabel('Access token', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    assert.match(await page.getByRole('alert').innerText(), /The token is wrong\s+Copy it from the output of xsp serve\./);
    await page.locator('#token').fill(kToken);
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'History' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/history');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.locator('h1', { hasText: 'Log in' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/login');
    assert.deepEqual(unexpected(), []);
  });

  test('a server with users asks for user and password first', async () => {
    server.login = 'users';
    ({ page, problems } = await browser.openAddress(`${server.origin}/history`));
    await page.context().clearCookies();
    await page.goto(`${server.origin}/history`);
    await page.getByLabel('User', { exact: true }).fill('ada');
    await page.getByLabel('Password', { exact: true }).fill(kToken);
    assert.match(await page.locator('main').innerText(), /Who runs this server gives users and passwords\./);
    await page.keyboard.press('Enter');
    await page.locator('h1', { hasText: 'History' }).waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('User', { exact: true }).waitFor();
    assert.deepEqual(unexpected(), []);
  });

  test('ten thousand experiments are one table of which only what is in sight is drawn', async () => {
    server.rows = Array.from({ length: 10_000 }, (_, index) => experimentRow({ name: `run-${index}`, created: new Date(1.7e12 + index * 1e6).toISOString() }));
    await open('/');
    await page.getByText('10,000').first().waitFor();
    await page.waitForFunction(() => document.querySelector('table')?.getAttribute('aria-rowcount') === '10001');
    assert.ok(await page.locator('tbody tr').count() < 80);
    assert.equal(await page.locator('tbody a').first().innerText(), 'run-9999');
    await page.locator('.virtual').evaluate((element) => { element.scrollTop = element.scrollHeight; });
    await page.getByRole('link', { name: 'run-0', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Created' }).click();
    await page.locator('.virtual').evaluate((element) => { element.scrollTop = 0; });
    await page.getByRole('link', { name: 'run-0', exact: true }).waitFor();
    await page.getByLabel('Text').fill('run-1234');
    await page.getByText(/1.*of 10,000/).first().waitFor();
    assert.equal(await page.locator('tbody a', { hasText: 'run-' }).count(), 1);
    assert.deepEqual(problems, []);
  });

  for (const width of kWidths)
    for (const path of ['/', '/models/resnet50', '/machines/Test%20CPU%2C%204%20threads'])
      test(`${path} cuts no number, date, state or title of a column at ${width} pixels, and shows part of each name`, async () => {
        server.rows = [experimentRow({ name: 'tiny-20261129-024231-with-a-long-name', created: '2026-12-28T20:48:00Z', backend: 'PyTorch 2.15.0', status: 'interrupted', runs: 1234 }), ...server.rows];
        await open(path, { width });
        await page.locator('.virtual tbody a').first().waitFor();
        const cut = await page.locator('.virtual').evaluate((frame) => [...frame.querySelectorAll<HTMLElement>('thead button, td')]
          .filter((cell) => cell.offsetWidth > 0 && !cell.querySelector('a') && !/^[a-z]+ \d/i.test(cell.innerText) && cell.scrollWidth > cell.clientWidth).map((cell) => cell.innerText));
        assert.deepEqual(cut, []);
        const names = await page.locator('.virtual td').filter({ has: page.locator('a[href^="/experiments/"]') }).evaluateAll((cells) => cells.map((cell) => cell.clientWidth));
        assert.ok(names.length > 0 && names.every((size) => size >= 111), names.join());
        if (width === 1280) assert.equal(await page.locator('.virtual').evaluate((frame) => frame.scrollWidth - frame.clientWidth), 0);
        assert.deepEqual(unexpected(), []);
      });

  test('filters are in the address and survive a reload', async () => {
    await open('/');
    await page.getByRole('combobox', { name: 'Model' }).selectOption('bert');
    await page.waitForURL(/model=bert/);
    await page.reload();
    await page.getByRole('link', { name: 'bert-1' }).waitFor();
    assert.equal(await page.getByRole('link', { name: 'resnet50-1' }).count(), 0);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('link', { name: 'resnet50-1' }).waitFor();
    assert.deepEqual(problems, []);
  });

  test('two experiments are compared by the keyboard alone, and the focus can be seen', async () => {
    await open('/');
    await page.getByLabel('Choose resnet50-1').waitFor();
    async function tabTo(label: string): Promise<void> {
      for (let step = 0; step < 80; step += 1) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(() => ({ tag: document.activeElement!.tagName, name: document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent, outline: getComputedStyle(document.activeElement!).outlineStyle }));
        // After the last element the focus passes the window of the browser.
        if (focused.tag === 'BODY') continue;
        assert.notEqual(focused.outline, 'none', focused.name ?? focused.tag);
        if (focused.name === label) return;
      }
      assert.fail(`${label} is not reached`);
    }
    await tabTo('Choose resnet50-2');
    await page.keyboard.press('Space');
    await tabTo('Choose resnet50-1');
    await page.keyboard.press('Space');
    await tabTo('Compare');
    // The first one is in the navigation.
    await tabTo('Compare');
    await page.keyboard.press('Enter');
    await page.getByText('resnet50-1 is slower than resnet50-2').waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'H1');
    assert.deepEqual(problems, []);
  });

  test('a report has an origin of its own and fills the window', async () => {
    await open('/experiments/resnet50-1', { width: 1280, height: 900 });
    const frame = page.frameLocator('iframe');
    assert.match(await frame.locator('#page').innerText(), /^report .*resnet50-1/);
    assert.equal(await frame.locator('#page').getAttribute('data-origin'), 'null');
    assert.ok((await page.locator('iframe').boundingBox())!.height > 700);
    assert.deepEqual(problems, []);
  });

  test('an experiment is tagged, renamed, and removed after a question', async () => {
    await open('/experiments/resnet50-2');
    await page.getByRole('button', { name: 'Set tags' }).click();
    await page.getByLabel('Tags, one KEY=VALUE a line').fill('git=abc');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await page.locator('.tag', { hasText: 'git=abc' }).waitFor();
    assert.deepEqual(server.performed[0]!.request, { name: 'resnet50-2', tags: ['git=abc', 'purpose='] });
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('New name').fill('better');
    await page.getByLabel('New name').press('Enter');
    await page.locator('h1', { hasText: 'better' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    assert.equal(server.rows.length, 3);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.locator('h1', { hasText: 'Experiments' }).waitFor();
    await page.getByText(/^2.experiments$/).waitFor();
    assert.deepEqual(problems, []);
  });

  test('who may only read sees no changes, measurements or imports', async () => {
    server.role = 'view';
    await open('/experiments/resnet50-1');
    await page.getByText('Compare with').waitFor();
    assert.equal(await page.getByRole('button', { name: /Remove|Rename|Set tags/ }).count(), 0);
    assert.deepEqual(await page.locator('nav.places a').allInnerTexts(), ['Experiments', 'Models', 'Machines', 'Findings', 'Compare', 'History', 'Suite', 'SQL', 'Jobs']);
    await page.goto(`${server.origin}/measure`);
    await page.getByText('You have the role view').waitFor();
    assert.deepEqual(problems, []);
  });

  test('an empty store says what makes the first experiment', async () => {
    server.rows = [];
    await open('/');
    await page.getByText('The store has no experiments yet').waitFor();
    assert.match(await page.locator('pre').innerText(), /xsp run resnet50/);
    await page.goto(`${server.origin}/jobs`);
    await page.getByText('No jobs yet').waitFor();
    await page.goto(`${server.origin}/experiments/gone`);
    assert.match(await page.getByRole('alert').innerText(), /no experiment gone\s+List them with xsp list\./);
    assert.deepEqual(unexpected(), []);
  });

  const hostile: [string, string][] = [['markup', '<img src=x onerror=alert(1)>"\'</script><script>alert(2)</script>'], ['text from right to left', '\u202e\u05d0\u05d1\u05d2 \u0645\u0631\u062d\u0628\u0627 abc'], ['2,000 characters', 'x'.repeat(2000)]];
  for (const [what, text] of hostile)
    test(`a name of ${what} stays a name on every page`, async () => {
      server.rows = [experimentRow({ name: text, model: text, backend: text, tags: `a=${text.replaceAll(' ', '_')}` }), experimentRow()];
      server.jobs = [job({ id: 'one', state: 'failed', user: text, command: text, experiment: text, error: { kind: 'internal', what: text, hint: text } })];
      server.logs.set('one', text);
      for (const width of kWidths) {
        await open('/', { width });
        const name = encodeURIComponent(text);
        for (const path of ['/', `/experiments/${name}`, `/compare?side=${name}&side=resnet50-1`, '/history', `/history/${name}`, '/jobs', '/jobs/one', `/query?run=${name}`]) {
          await page.goto(server.origin + path, { waitUntil: 'load' });
          await page.waitForFunction((needle) => document.querySelector('main')?.textContent?.includes(needle) || [...document.querySelectorAll('input')].some(({ value }) => value.includes(needle)), text.slice(0, 10));
          assert.equal(await overflow(page), 0, path.slice(0, 40));
          assert.equal(await page.locator('main img, main script').count(), 0);
        }
        assert.deepEqual(problems, []);
        if (width !== kWidths.at(-1)) await page.close();
      }
    });

  test('text is readable on its ground, light and dark', async () => {
    for (const dark of [false, true]) {
      if (dark) await page.close();
      await open('/', { dark });
      await page.locator('tbody a').first().waitFor();
      const worst = await page.evaluate(() => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
        const luminance = (colour: string): number => {
          canvas.fillStyle = colour;
          canvas.fillRect(0, 0, 1, 1);
          const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const ground = (element: Element | null): string => {
          for (let at = element; at; at = at.parentElement) if (!/rgba\(0, 0, 0, 0\)|transparent/.test(getComputedStyle(at).backgroundColor)) return getComputedStyle(at).backgroundColor;
          return getComputedStyle(document.body).backgroundColor;
        };
        return Math.min(...[...document.querySelectorAll('main a, main p, main span, main td, main th button, .bar a, .bar button')].filter((element) => element.textContent !== '' && (element as HTMLElement).offsetParent !== null).map((element) => {
          const [a, b] = [luminance(getComputedStyle(element).color), luminance(ground(element))];
          return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        }));
      });
      assert.ok(worst >= 4.5, `contrast ${worst}`);
    }
    await page.locator('.theme').click();
    await page.reload();
    await page.locator('h1').waitFor();
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
    assert.deepEqual(problems, []);
  });
});
