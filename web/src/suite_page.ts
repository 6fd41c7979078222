// The answers of `xsp suite` as one component of their document: findings first, then each answer's charts with the
// tables behind them, then how it was computed.
import type { VNode } from 'preact';
import { h, prose, type Child } from './markup.ts';
import { PageFrame } from './page_frame.ts';
import { AnswerParts, sentences } from './suite_answer.ts';
import type { Answer, SuiteData } from './suite_data.ts';

interface SuiteSection {
  id: string;
  name: string;
  content: Child;
}

function anchorOf(answer: Answer): string {
  return `answer-${answer.answer}`;
}

function hasEvidence(answer: Answer): boolean {
  return answer.tables.length > 0 || answer.charts.length > 0;
}

/** What `each` makes of the answers; `none` where it makes nothing. One answer alone bears the page's own title. */
function ofEach(answers: readonly Answer[], each: (answer: Answer) => Child, none: string): Child {
  const parts = answers.map((answer) => ({ answer, content: each(answer) })).filter(({ content }) => content !== null);
  if (parts.length === 0) return h('p', { class: 'gap' }, none);
  return parts.map(({ answer, content }) => [answers.length > 1 && h('h3', {}, answer.title), content]);
}

function sectionsOf({ answers }: SuiteData): SuiteSection[] {
  const words = (answer: Answer): Child => (answer.sentences.length === 0 ? null : sentences(answer, hasEvidence(answer) ? anchorOf(answer) : null));
  const method = (answer: Answer): Child => (answer.method.length === 0 ? null : h('ul', { class: 'method' }, answer.method.map((text) => h('li', {}, prose(text)))));
  return [
    { id: 'words', name: 'Findings', content: ofEach(answers, words, 'There are no findings.') },
    ...answers.filter(hasEvidence).map((answer) => ({ id: anchorOf(answer), name: answers.length > 1 ? answer.title : 'Charts and tables', content: h(AnswerParts, { answer }) })),
    { id: 'method', name: 'How this was computed', content: ofEach(answers, method, 'The commands describe no method.') },
  ];
}

export function SuitePage({ data }: { data: SuiteData }): VNode {
  const sections = sectionsOf(data);
  return h(PageFrame, { name: data.title, places: sections, skip: { to: '#words', text: 'Skip to the findings' } },
    h('header', { id: 'title', class: 'title' }, h('h1', {}, data.title)),
    sections.map(({ id, name, content }) => h('section', { key: id, id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, name), content)));
}
