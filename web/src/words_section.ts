// Part 2: the findings, each with a link to its evidence.
import { append, h, prose } from './dom.ts';
import { nothing, section, type Context, type PageSection } from './section.ts';
import { kBadgeNames } from './title_block.ts';

export const kSection: PageSection = { id: 'words', name: 'Findings', position: 10, make: wordsSection };

function wordsSection(context: Context): HTMLElement {
  const { sentences, badges } = context.data;
  const element = section(context, 'words', 'Findings',
    sentences.length === 0 && nothing(context, 'words', 'There are no findings.'),
    sentences.length > 0 && h('ol', { class: 'sentences' }, ...sentences.map((sentence) => h('li', {},
      prose(sentence.text), ' ',
      h('a', { class: 'evidence', href: `#${sentence.anchor}`, 'aria-label': 'See the evidence' }, '\u2192')))));
  const doubts = badges.filter((item) => item.status !== 'green');
  if (doubts.length > 0)
    append(element, h('ul', { class: 'doubts', 'aria-label': 'Caveats' }, ...doubts.map((item) =>
      h('li', { id: `badge-${item.id}`, class: item.status },
        h('strong', {}, kBadgeNames[item.id] ?? item.id, ': '), prose(item.sentence), ' ',
        h('a', { class: 'evidence', href: `#${item.anchor}`, 'aria-label': 'See how it was found' }, '\u2192')))));
  return element;
}
