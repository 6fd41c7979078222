// Part 2: the findings with their evidence, and what limits the trust in the numbers.
import { append, h, prose } from './dom.ts';
import { abstainedList, findingList } from './finding_list.ts';
import { nothing, section, type Context, type PageSection } from './section.ts';
import { kBadgeNames } from './title_block.ts';

export const kSection: PageSection = { id: 'findings', name: 'Findings', position: 10, make: findingsSection };

function findingsSection(context: Context): HTMLElement {
  const { findings, badges } = context.data;
  const element = section(context, 'findings', 'Findings',
    findings.length === 0 && nothing(context, 'findings', 'There are no findings.'),
    ...findingList(context));
  // Links to reports that name this part by its former anchor still find it.
  element.prepend(h('span', { id: 'words' }));
  const doubts = badges.filter((item) => item.status !== 'green');
  if (doubts.length > 0)
    append(element, h('ul', { class: 'doubts', 'aria-label': 'Caveats' }, ...doubts.map((item) =>
      h('li', { id: `badge-${item.id}`, class: item.status },
        h('strong', {}, kBadgeNames[item.id] ?? item.id, ': '), prose(item.sentence), ' ',
        h('a', { class: 'evidence', href: `#${item.anchor}`, 'aria-label': 'See how it was found' }, '\u2192')))));
  append(element, abstainedList(context.data.abstained));
  return element;
}
