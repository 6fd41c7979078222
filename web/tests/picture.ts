// Takes one picture of the beginning of a page, for the documents:
//   npm run picture -- REPORT.html OUT.png [--width 1280] [--height 1600] [--sections findings,stack,timeline]
// With --sections the page shows its title and only these.
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { Browser } from './browser.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { width: { type: 'string', default: '1280' }, height: { type: 'string', default: '1600' }, sections: { type: 'string', default: '' } },
});
if (positionals.length !== 2) throw new Error('usage: npm run picture -- REPORT.html OUT.png [--width W] [--height H] [--sections A,B]');
const browser = new Browser();
await browser.start();
try {
  const { page } = await browser.openFile(resolve(positionals[0]!), { width: Number(values.width), height: Number(values.height) });
  if (values.sections !== '') {
    const shown = ['title', ...values.sections.split(',')].map((name) => `#${name}`).join(', ');
    await page.addStyleTag({ content: `main section:not(${shown}) { display: none !important }` });
    await page.evaluate(() => { window.dispatchEvent(new Event('resize')); });
  }
  await page.waitForFunction(() => [...document.querySelectorAll<HTMLElement>('.vega')].every((host) => host.clientWidth === 0 || /drawn|failed/.test(host.dataset['state'] ?? '')), undefined, { timeout: 30_000 });
  // Pictures are drawn in frames of their own.
  await page.evaluate(() => new Promise<void>((done) => { requestAnimationFrame(() => { requestAnimationFrame(() => { done(); }); }); }));
  await page.screenshot({ path: resolve(positionals[1]!) });
} finally {
  await browser.close();
}
