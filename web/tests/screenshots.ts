// Takes pictures of a report, to be looked at: npm run screenshots [-- REPORT.html] writes them
// below dist/screenshots/.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Browser, chartsDrawn, kWeb } from './browser.ts';
import { fixture } from './make_fixture.ts';

const folder = join(kWeb, 'dist', 'screenshots');
mkdirSync(folder, { recursive: true });
const browser = new Browser();
await browser.start();
try {
  for (const [name, options] of [['360', { width: 360 }], ['1600', { width: 1600 }], ['1600-dark', { width: 1600, dark: true }]] as const) {
    const given = process.argv[2];
    const { page, problems } = given ? await browser.openFile(resolve(given), options) : await browser.open(fixture(), options);
    await chartsDrawn(page);
    await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
    for (const part of ['title', 'findings', 'stack', 'batches', 'layers', 'rooflines', 'kernels', 'timeline', 'analyses', 'method'])
      await page.locator(`#${part}`).screenshot({ path: join(folder, `${name}-${part}.png`) });
    for (const problem of problems) console.log(`${name}: ${problem}`);
    await page.close();
  }
} finally {
  await browser.close();
}
console.log(folder);
