// Uses the application of a running `xsp serve` in a Chromium as a person does: every page at two widths, a measurement
// from the form to its experiment, one way by keyboard alone, and the contrast of texts in both colour schemes.
// Usage: node application_browser.mjs ORIGIN TOKEN MODEL EXPERIMENT CHROMIUM PROFILE
// Prints what is wrong, one line each, and exits with 1 if anything is.
import { createRequire } from 'node:module';

const { chromium } = createRequire(new URL('../web/package.json', import.meta.url))('playwright-core');
const [origin, token, model, experiment, executablePath, profile] = process.argv.slice(2);
const kWidths = [1280, 390];
/** Of WCAG 2.1, AA, for texts of any size. */
const kMinContrast = 4.5;
/** Two points of the experiment that is measured. */
const kPoints = ['measured#batch=1', 'measured#batch=2'].map(encodeURIComponent);
const problems = [];

const context = await chromium.launchPersistentContext(profile, { executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
const page = context.pages()[0] ?? await context.newPage();
// A busy machine takes long for the findings and the report of an experiment.
page.setDefaultTimeout(60_000);
page.on('console', (message) => { if (message.type() === 'error') problems.push(`${page.url()}: ${message.text()}`); });
page.on('pageerror', (error) => problems.push(`${page.url()}: ${error}`));

async function settled() {
  await page.waitForFunction(() => document.querySelector('h1') !== null && !/Loading/.test(document.querySelector('main').innerText));
}

async function open(path) {
  await page.goto(origin + path, { waitUntil: 'load' });
  await settled();
}

/** The application follows a link without loading: what the page shows then is waited for. */
async function heading(text) {
  await page.locator('h1', { hasText: text }).waitFor();
  await settled();
}

/** Texts of the application whose contrast is too low, by the colours that the browser computed. */
function faintTexts(minimum) {
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number); return { r, g, b, a }; };
  const over = (top, below) => ({ r: top.r * top.a + below.r * (1 - top.a), g: top.g * top.a + below.g * (1 - top.a), b: top.b * top.a + below.b * (1 - top.a), a: 1 });
  const linear = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
  const luminance = ({ r, g, b }) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ground = (element) => {
    const own = parse(getComputedStyle(element).backgroundColor);
    if (own.a === 1) return own;
    return over(own, element.parentElement === null ? { r: 255, g: 255, b: 255, a: 1 } : ground(element.parentElement));
  };
  const faint = [];
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '');
    if (!hasText || !element.checkVisibility() || element.closest('.hidden-text, .skip, :disabled, option')) continue;
    const behind = ground(element);
    const [a, b] = [luminance(over(parse(getComputedStyle(element).color), behind)), luminance(behind)].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < minimum) faint.push(`${element.tagName.toLowerCase()}.${element.className} "${element.textContent.trim().slice(0, 40)}": ${contrast.toFixed(2)}`);
  }
  return faint;
}

/** `found`: the addresses of the model and the machine that were measured. */
async function everyPage(found) {
  const name = encodeURIComponent(experiment);
  const paths = ['/', `/experiments/${name}`, '/models', '/machines', ...found, '/compare', `/compare?side=${kPoints[0]}&side=${kPoints[1]}`, '/history', '/suite', '/suite/kernels', `/suite/kernels?asked=1&source=${name}`, '/query?run=latest', '/measure', '/import', '/jobs', '/nowhere'];
  for (const dark of [false, true]) {
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    for (const width of dark ? kWidths.slice(0, 1) : kWidths) {
      await page.setViewportSize({ width, height: 900 });
      // The colours of a page are those of its kinds of parts: a second scheme needs fewer pages.
      for (const path of dark ? [...found, '/', '/measure', '/jobs', '/suite/kernels'] : paths) {
        await open(path);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (overflow > 0) problems.push(`${path} at ${width} pixels is ${overflow} pixels too wide`);
        if (await page.getByRole('alert').count() > 0) problems.push(`${path}: ${await page.getByRole('alert').first().innerText()}`);
        for (const text of await page.evaluate(faintTexts, kMinContrast)) problems.push(`${path}, ${dark ? 'dark' : 'light'}: low contrast: ${text}`);
      }
    }
  }
}

/** From the form to the experiment that the job stored, then to its model and machine. Returns the addresses of both. */
async function measure() {
  await open('/measure');
  await page.getByLabel('Or a model file on the server').fill(model);
  await page.locator('#field-batch').fill('1, 2');
  await page.getByText('More options').click();
  await page.locator('#field-iterations').fill('20');
  await page.locator('#field-name').fill('measured');
  await page.locator('#field-no_roofs').check();
  await page.getByRole('button', { name: 'Start the measurement' }).click();
  await heading('Job: run');
  await page.getByRole('link', { name: /Open the experiment/ }).click({ timeout: 60_000 });
  await heading('measured');
  await page.getByRole('link', { name: /All points of/ }).click();
  await page.getByRole('columnheader', { name: 'Latency' }).waitFor();
  const rows = await page.locator('tbody tr:not(.space)').count();
  if (rows !== 2) problems.push(`the page of the model has ${rows} points instead of 2`);
  await page.frameLocator('iframe').locator('h1').first().waitFor();
  const modelPath = new URL(page.url()).pathname;
  const machine = page.locator('.facts a').first();
  const name = await machine.innerText();
  await machine.click();
  await heading(name);
  await page.getByRole('link', { name: 'measured' }).first().waitFor();
  return [modelPath, new URL(page.url()).pathname];
}

/** To an experiment without a mouse. */
async function byKeyboard() {
  await page.setViewportSize({ width: 1280, height: 900 });
  await open('/models');
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  for (let step = 0; step < 60 && await focused() !== 'Experiments'; step += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await heading('Experiments');
  for (let step = 0; step < 60 && await focused() !== 'measured'; step += 1) await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await heading('measured');
}

try {
  await page.goto(`${origin}/?token=${token}`, { waitUntil: 'load' });
  await settled();
  const found = await measure();
  await byKeyboard();
  await everyPage(found);
} catch (error) {
  problems.push(`${page.url()}: ${error}`);
} finally {
  await context.close();
}
for (const problem of new Set(problems)) console.log(problem.replaceAll('\n', ' '));
process.exitCode = problems.length === 0 ? 0 : 1;
