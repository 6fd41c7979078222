// Markdown of analyses as elements: markdown-it reads it, and each of its tokens becomes a node here. HTML stays text,
// images are not shown, and a link leads to https:, http: or a place on the page, or is its text.
import MarkdownIt from 'markdown-it';
import type Token from 'markdown-it/lib/token.mjs';
import type { ComponentChildren, VNode } from 'preact';
import { h } from './markup.ts';

// Which links are shown is decided where they are made.
const kReader = new MarkdownIt('default', { html: false, linkify: false }).disable(['image', 'html_inline', 'html_block']);
kReader.validateLink = () => true;

/** The elements that a text may have. A heading of any level is one below that of the analysis. */
const kTags: Record<string, string> = {
  heading: 'h4', paragraph: 'p', bullet_list: 'ul', ordered_list: 'ol', list_item: 'li', blockquote: 'blockquote',
  table: 'table', thead: 'thead', tbody: 'tbody', tr: 'tr', th: 'th', td: 'td', strong: 'strong', em: 'em', s: 's',
};

export function Markdown({ text }: { text: string }): VNode {
  return h('div', { class: 'markdown' }, ...nodes(kReader.parse(text, {})));
}

interface Open {
  token: Token;
  children: ComponentChildren[];
}

function nodes(tokens: readonly Token[]): ComponentChildren[] {
  const root: ComponentChildren[] = [];
  const open: Open[] = [];
  for (const token of tokens) {
    const children = open.at(-1)?.children ?? root;
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === -1) {
      const done = open.pop()!;
      (open.at(-1)?.children ?? root).push(element(done.token, done.children));
    } else children.push(leaf(token));
  }
  return root;
}

function element(token: Token, children: ComponentChildren[]): ComponentChildren {
  const kind = token.type.replace(/_open$/, '');
  if (kind === 'link') {
    const target = token.attrGet('href') ?? '';
    return /^(https?:\/\/|#)/i.test(target) ? h('a', { href: target, rel: 'noreferrer' }, ...children) : children;
  }
  // In a list whose items are one line each, paragraphs are no elements.
  if (kind === 'paragraph' && token.hidden) return children;
  const tag = kTags[kind];
  if (tag === undefined) return children;
  const made = h(tag, { ...(kind === 'th' ? { scope: 'col' } : {}), ...(kind === 'ordered_list' ? { start: token.attrGet('start') } : {}) }, ...children);
  return kind === 'table' ? h('div', { class: 'scroll' }, made) : made;
}

function leaf(token: Token): ComponentChildren {
  switch (token.type) {
    case 'inline': return nodes(token.children ?? []);
    case 'softbreak': return ' ';
    case 'hardbreak': return h('br');
    case 'code_inline': return h('code', {}, token.content);
    case 'fence': case 'code_block': return h('pre', { tabindex: 0 }, h('code', {}, token.content.replace(/\n$/, '')));
    case 'hr': return h('hr');
    default: return token.content;
  }
}
