// Builds dist/report.html, dist/suite.html and dist/compare.html: one file each that holds the page's script and style
// and, asleep as text, the chart library. What is left to fill in is __XSP_REPORT_DATA__, by
// src/answer/report/html.cc. Then builds dist/app/, the application, and dist/site/, the pages of published sites,
// and dist/licences.txt, the licences of what is in them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { buildApp, buildSite, ignoreServerMarks } from './build_app.mjs';
import { noteLicences, writeLicences } from './licences.mjs';

const web = fileURLToPath(new URL('..', import.meta.url));

async function bundle(entry) {
  const result = await build({
    root: web,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [noteLicences],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: { input: `${web}/src/${entry}`, output: { format: 'iife' }, onwarn: ignoreServerMarks },
      chunkSizeWarningLimit: 4096,
    },
  });
  const chunks = result.output.filter((item) => item.type === 'chunk');
  if (chunks.length !== 1) throw new Error(`${entry} became ${chunks.length} chunks instead of 1`);
  // Inside a script element, these end it or change how it is read.
  return chunks[0].code.replaceAll(/<(\/script|!--|script)/gi, '\\x3c$1').trim();
}

function style(...names) {
  return names.map((name) => readFileSync(`${web}/src/${name}`, 'utf8')).join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\s*\n\s*/g, '\n').trim();
}

const shared = { __XSP_STYLE__: style('base.css', 'parts.css', 'findings.css', 'charts.css', 'compare.css'), __XSP_VEGA__: await bundle('vega_entry.ts') };
const template = readFileSync(`${web}/src/index.html`, 'utf8');
mkdirSync(`${web}/dist`, { recursive: true });

/** `instead` is the command that prints the same without a script. */
async function makePage(name, entry, title, instead) {
  const pieces = { ...shared, __XSP_TITLE__: title, __XSP_INSTEAD__: instead, __XSP_MAIN__: await bundle(entry) };
  let page = template;
  for (const [marker, text] of Object.entries(pieces)) page = page.replace(marker, () => text);
  const markers = page.split('__XSP_REPORT_DATA__').length - 1;
  if (markers !== 1) throw new Error(`${name} holds its marker ${markers} times instead of once`);
  writeFileSync(`${web}/dist/${name}`, page);
  console.log(`web/dist/${name}: ${(page.length / 1024).toFixed(0)} KiB (chart library ${(shared.__XSP_VEGA__.length / 1024).toFixed(0)} KiB)`);
}

await makePage('report.html', 'main.ts', 'XSP report', 'xsp analyze all');
await makePage('suite.html', 'suite_main.ts', 'XSP suite', 'xsp suite');
await makePage('compare.html', 'compare_main.ts', 'XSP comparison', 'xsp compare');
await buildApp(web, style('base.css', 'parts.css', 'findings.css', 'app/app.css'));
await buildSite(web, style('base.css', 'parts.css', 'findings.css', 'app/app.css', 'site/site.css'));
console.log(`web/dist/licences.txt: ${writeLicences(`${web}/dist/licences.txt`)} packages`);
