// Part 2: the findings with their evidence, and what limits the trust in the numbers.
import type { VNode } from 'preact';
import { abstainedList, findingList } from './finding_list.ts';
import { h, prose } from './markup.ts';
import { nothing, Section, type Context, type PageSection } from './section.ts';
import { kBadgeNames } from './title_block.ts';

export const kSection: PageSection = { id: 'findings', name: 'Findings', position: 10, Component: FindingsSection };

function FindingsSection({ context }: { context: Context }): VNode {
  const { findings, badges, abstained } = context.data;
  const doubts = badges.filter((item) => item.status !== 'green');
  return h(Section, { context, id: 'findings', title: 'Findings' },
    // Links to reports that name this part by its former anchor still find it.
    h('span', { id: 'words' }),
    findings.length === 0 && nothing(context, 'findings', 'There are no findings.'),
    findingList(context),
    doubts.length > 0 && h('ul', { class: 'doubts', 'aria-label': 'Caveats' }, doubts.map((item) =>
      h('li', { id: `badge-${item.id}`, class: item.status },
        h('strong', {}, kBadgeNames[item.id] ?? item.id, ': '), prose(item.sentence), ' ',
        h('a', { class: 'evidence', href: `#${item.anchor}`, 'aria-label': 'See how it was found' }, '\u2192')))),
    abstainedList(abstained));
}
