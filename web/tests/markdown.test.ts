// Markdown of analyses: what becomes an element, and what stays text.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VNode } from 'preact';
import { Markdown } from '../src/markdown.ts';
import { h } from '../src/markup.ts';

type Part = VNode<Record<string, unknown>> | string | null | undefined | Part[];

/** The elements of a tree, as "tag" or "tag=target", and its text. */
function shown(part: Part): { tags: string[]; text: string } {
  if (part === null || part === undefined) return { tags: [], text: '' };
  if (typeof part === 'string') return { tags: [], text: part };
  const inner = (Array.isArray(part) ? part : [part.props['children'] as Part]).map(shown);
  const own = Array.isArray(part) ? [] : [`${String(part.type)}${part.props['href'] === undefined ? '' : `=${String(part.props['href'])}`}`];
  return { tags: [...own, ...inner.flatMap((item) => item.tags)], text: inner.map((item) => item.text).join('') };
}

function read(text: string): { tags: string[]; text: string } {
  return shown(Markdown({ text }) as Part);
}

test('HTML in a text stays text', () => {
  const { tags, text } = read('before <img src=x onerror=alert(1)> <script>alert(1)</script>\n\n<div onclick="x">block</div>');
  assert.deepEqual(tags, ['div', 'p', 'p']);
  assert.match(text, /<img src=x onerror=alert\(1\)>/);
  assert.match(text, /<div onclick="x">block<\/div>/);
});

test('a link leads to a page of the web or a place of this page, any other is its text', () => {
  assert.deepEqual(read('[a](https://example.org/x) [b](#flame) [c](javascript:alert(1)) [d](data:text/html,x) [e](file:///etc/passwd)'), {
    tags: ['div', 'p', 'a=https://example.org/x', 'a=#flame'], text: 'a b c d e' });
});

test('an image is not loaded', () => {
  assert.deepEqual(read('![alt](https://example.org/x.png)').tags.filter((tag) => tag.startsWith('img')), []);
});

test('headings, lists, tables and code become elements', () => {
  const { tags } = read('# Title\n\n1. one\n2. **two**\n\n| a | b |\n| - | - |\n| 1 | `2` |\n\n```sql\nSELECT 1\n```');
  assert.deepEqual(tags, ['div', 'h4', 'ol', 'li', 'li', 'strong', 'div', 'table', 'thead', 'tr', 'th', 'th', 'tbody', 'tr', 'td', 'td', 'code', 'pre', 'code']);
});

test('an element cannot be made of markup', () => {
  assert.throws(() => h('p', { dangerouslySetInnerHTML: { __html: '<b>x</b>' } }), /never read as markup/);
});
