import { test } from 'node:test';
import assert from 'node:assert/strict';
import { documentText, givenText, receiveDocuments } from '../src/site/documents.ts';

/** Scripts of a site that say which document they are; what was loaded, in order. */
function pageWithScripts(): string[] {
  const loaded: string[] = [];
  const world = globalThis as unknown as { document: unknown; xspDocument: (key: string, text: string) => void };
  world.document = {
    createElement: () => ({ src: '', onload: null, onerror: null, remove: () => undefined }),
    head: {
      append: (script: { src: string; onload: () => void }) => {
        loaded.push(script.src);
        queueMicrotask(() => {
          world.xspDocument(script.src.replace(/\.js$/, ''), `text of ${script.src}`);
          script.onload();
        });
      },
    },
  };
  return loaded;
}

test('the last used documents are kept, and no others', async () => {
  const loaded = pageWithScripts();
  receiveDocuments();
  const keys = Array.from({ length: 40 }, (_, i) => `d${i}`);
  for (const key of keys) assert.equal(await documentText(key), `text of ${key}.js`);
  assert.equal(loaded.length, 40);
  for (const key of keys.slice(-16)) await documentText(key);
  assert.equal(loaded.length, 40);
  await documentText(keys[0]!);
  assert.equal(loaded.length, 41);
  // It took the place of the one that was used longest ago.
  await documentText(keys[25]!);
  assert.equal(loaded.length, 41);
  await documentText(keys[24]!);
  assert.equal(loaded.length, 42);
  assert.equal(givenText(keys[39]!), undefined);
});

test('a document that is asked for twice at once is loaded once', async () => {
  const loaded = pageWithScripts();
  receiveDocuments();
  assert.deepEqual(await Promise.all([documentText('twice'), documentText('twice')]), ['text of twice.js', 'text of twice.js']);
  assert.deepEqual(loaded, ['twice.js']);
});
