// Builds dist/app/: index.html, and assets/ with the script and the style of the application that `xsp serve` serves.
// The names of assets hold the hash of their content, so that browsers may keep them; nothing is inline, because the
// server's Content-Security-Policy forbids it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'vite';

/** Of the script, before compression: pages must open quickly on a slow line. */
const kMaxScriptBytes = 200 * 1024;

/** "use client" in a library is for servers that render components. */
export function ignoreServerMarks(warning, warn) {
  if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
}

async function script(web) {
  const result = await build({
    root: web,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      rollupOptions: {
        input: `${web}/src/app/main.tsx`,
        output: { format: 'iife' },
        onwarn: ignoreServerMarks,
      },
    },
  });
  const chunks = result.output.filter((item) => item.type === 'chunk');
  if (chunks.length !== 1) throw new Error(`the application became ${chunks.length} chunks instead of 1`);
  return chunks[0].code;
}

/** `style` is that of all pages. */
export async function buildApp(web, style) {
  const folder = `${web}/dist/app`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/assets`, { recursive: true });
  const asset = (ending, text) => {
    const name = `app-${createHash('sha256').update(text).digest('hex').slice(0, 12)}.${ending}`;
    writeFileSync(`${folder}/assets/${name}`, text);
    return name;
  };
  const code = await script(web);
  const bytes = Buffer.byteLength(code);
  if (bytes > kMaxScriptBytes) throw new Error(`the script of the application has ${bytes} bytes, more than ${kMaxScriptBytes}`);
  const page = readFileSync(`${web}/src/app/index.html`, 'utf8')
    .replace('__XSP_SCRIPT__', asset('js', code)).replace('__XSP_STYLE__', asset('css', style));
  writeFileSync(`${folder}/index.html`, page);
  console.log(`web/dist/app: script ${(bytes / 1024).toFixed(0)} KiB, style ${(style.length / 1024).toFixed(0)} KiB`);
}
