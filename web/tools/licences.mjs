// Which packages are part of the pages, and the licences under which they are.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/** Package folder by name and version. */
const bundled = new Map();

/** A plugin of Vite: notes the packages of which a bundle has code. */
export const noteLicences = {
  name: 'note-licences',
  generateBundle(_options, bundle) {
    for (const item of Object.values(bundle))
      for (const id of item.type === 'chunk' ? item.moduleIds : []) {
        const folder = id.replace(/^\0/, '').match(/^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0];
        if (folder === undefined || !existsSync(`${folder}/package.json`)) continue;
        const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
        bundled.set(`${name} ${version}`, { folder, license });
      }
  },
};

/** Writes the licences of all that were noted, one after the other. Throws where a package has no licence. */
export function writeLicences(file) {
  const texts = [...bundled].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { folder, license }]) => {
    const notice = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
    if (notice === undefined && !license) throw new Error(`${name} has no licence`);
    return `${name}\n${'='.repeat(name.length)}\n${notice === undefined ? `Licence: ${license}` : readFileSync(`${folder}/${notice}`, 'utf8').trim()}\n`;
  });
  writeFileSync(file, texts.join('\n\n'));
  return texts.length;
}
