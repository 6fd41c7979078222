// The part of Markdown that analyses are explained in, to elements: headings, paragraphs, lists,
// tables, fenced code, `code`, **bold**, *em*, [links](https:... or #...). Anything else, HTML
// among it, stays text.
import { append, h } from './dom.ts';

export function markdown(text: string): HTMLElement {
  const out = h('div', { class: 'markdown' });
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  let at = 0;
  while (at < lines.length) {
    const line = lines[at]!;
    if (line.trim() === '') at += 1;
    else if (line.startsWith('```')) at = fenced(lines, at, out);
    else if (/^#{1,6} /.test(line)) {
      append(out, inline(line.replace(/^#+ /, ''), h('h4', {})));
      at += 1;
    } else if (/^\s*([-*]|\d+[.)]) /.test(line)) at = list(lines, at, out);
    else if (line.includes('|') && /^[\s|:-]+$/.test(lines[at + 1] ?? '') && lines[at + 1]!.includes('-')) at = table(lines, at, out);
    else at = paragraph(lines, at, out);
  }
  return out;
}

function fenced(lines: string[], start: number, out: HTMLElement): number {
  let end = start + 1;
  while (end < lines.length && !lines[end]!.startsWith('```')) end += 1;
  append(out, h('pre', { tabindex: 0 }, h('code', {}, lines.slice(start + 1, end).join('\n'))));
  return end + 1;
}

function list(lines: string[], start: number, out: HTMLElement): number {
  const element = /^\s*\d/.test(lines[start]!) ? h('ol', {}) : h('ul', {});
  let at = start;
  while (at < lines.length) {
    const item = /^\s*(?:[-*]|\d+[.)]) (.*)$/.exec(lines[at]!);
    if (!item) break;
    let text = item[1]!;
    at += 1;
    while (at < lines.length && /^\s+\S/.test(lines[at]!) && !/^\s*([-*]|\d+[.)]) /.test(lines[at]!)) {
      text += ' ' + lines[at]!.trim();
      at += 1;
    }
    append(element, inline(text, h('li', {})));
  }
  append(out, element);
  return at;
}

function table(lines: string[], start: number, out: HTMLElement): number {
  const cells = (line: string): string[] =>
    line.trim().replace(/^\||\|$/g, '').split('|').map((part) => part.trim());
  const body = h('tbody', {});
  const head = h('tr', {}, ...cells(lines[start]!).map((text) => inline(text, h('th', { scope: 'col' }))));
  let at = start + 2;
  for (; at < lines.length && lines[at]!.includes('|'); at += 1)
    append(body, h('tr', {}, ...cells(lines[at]!).map((text) => inline(text, h('td', {})))));
  append(out, h('div', { class: 'scroll' }, h('table', {}, h('thead', {}, head), body)));
  return at;
}

function paragraph(lines: string[], start: number, out: HTMLElement): number {
  let at = start;
  const parts: string[] = [];
  while (at < lines.length && lines[at]!.trim() !== '' && !/^(```|#{1,6} |\s*([-*]|\d+[.)]) )/.test(lines[at]!)) {
    parts.push(lines[at]!.trim());
    at += 1;
  }
  if (at === start) parts.push(lines[at++]!);
  append(out, inline(parts.join(' '), h('p', {})));
  return at;
}

const kInline = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Adds `text` to `element` with its inline marks. A link that is neither http(s) nor # is text. */
function inline<E extends HTMLElement>(text: string, element: E): E {
  let from = 0;
  for (const match of text.matchAll(kInline)) {
    append(element, text.slice(from, match.index));
    const [whole, code, bold, em, label, target] = match;
    if (code !== undefined) append(element, h('code', {}, code));
    else if (bold !== undefined) append(element, h('strong', {}, bold));
    else if (em !== undefined) append(element, h('em', {}, em));
    else if (/^(https?:\/\/|#)/.test(target!)) append(element, h('a', { href: target!, rel: 'noreferrer' }, label!));
    else append(element, label!);
    from = match.index + whole.length;
  }
  append(element, text.slice(from));
  return element;
}
