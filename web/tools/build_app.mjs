// Builds dist/app/, the application that `xsp serve` serves, and dist/site/, the pages of `xsp publish`: index.html, and
// assets/ with the script and the style.
// The names of assets hold the hash of their content, so that browsers may keep them; nothing is inline, because the
// server's Content-Security-Policy forbids it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'vite';
import { noteLicences } from './licences.mjs';

/** Of the script, before compression: pages must open quickly on a slow line. */
const kMaxScriptBytes = 220 * 1024;

/** "use client" in a library is for servers that render components. */
export function ignoreServerMarks(warning, warn) {
  if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
}

async function script(web, entry, what) {
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
      rollupOptions: {
        input: `${web}/src/${entry}`,
        output: { format: 'iife' },
        onwarn: ignoreServerMarks,
      },
    },
  });
  const chunks = result.output.filter((item) => item.type === 'chunk');
  if (chunks.length !== 1) throw new Error(`${what} became ${chunks.length} chunks instead of 1`);
  const { code } = chunks[0];
  const bytes = Buffer.byteLength(code);
  if (bytes > kMaxScriptBytes) throw new Error(`the script of ${what} has ${bytes} bytes, more than ${kMaxScriptBytes}`);
  return code;
}

/** Writes index.html and assets/ of one set of pages to dist/NAME; `style` is that of all its pages. */
async function buildPages(web, { name, entry, page, what, style }) {
  const folder = `${web}/dist/${name}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/assets`, { recursive: true });
  const asset = (ending, text) => {
    const file = `${name}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${ending}`;
    writeFileSync(`${folder}/assets/${file}`, text);
    return file;
  };
  const code = await script(web, entry, what);
  const text = readFileSync(`${web}/src/${page}`, 'utf8')
    .replace('__XSP_SCRIPT__', asset('js', code)).replace('__XSP_STYLE__', asset('css', style));
  writeFileSync(`${folder}/index.html`, text);
  console.log(`web/dist/${name}: script ${(Buffer.byteLength(code) / 1024).toFixed(0)} KiB, style ${(style.length / 1024).toFixed(0)} KiB`);
}

/** The application of `xsp serve`. */
export function buildApp(web, style) {
  return buildPages(web, { name: 'app', entry: 'app/main.tsx', page: 'app/index.html', what: 'the application', style });
}

/** The pages of `xsp publish`. Assets are found relative to index.html, which may lie in any folder. */
export function buildSite(web, style) {
  return buildPages(web, { name: 'site', entry: 'site/site_main.tsx', page: 'site/index.html', what: 'the site', style });
}
