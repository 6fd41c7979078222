// Rules that every section of the page keeps. A new one is checked here without being named.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { PageSection } from '../src/section.ts';

const kFolder = fileURLToPath(new URL('../src', import.meta.url));
const kFiles = readdirSync(kFolder).filter((name) => name.endsWith('_section.js'));

test('a section is named after its file, and has a name and a place', async () => {
  assert.ok(kFiles.length > 0);
  for (const file of kFiles) {
    const { kSection } = await import(`../src/${file}`) as { kSection: PageSection };
    assert.equal(kSection.id, file.replace('_section.js', ''));
    assert.ok(kSection.name.length > 0, file);
    assert.ok(kSection.position > 0, file);
  }
});
