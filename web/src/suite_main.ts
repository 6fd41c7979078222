// The page of `xsp suite`: findings first, then each answer's charts with the tables behind them,
// then how it was computed.
import { append, h, prose } from './dom.ts';
import { finishPage, followScroll, showFailure, themeButton } from './page_frame.ts';
import { answerParts, sentences } from './suite_answer.ts';
import type { Answer, SuiteData } from './suite_data.ts';

interface Section {
  id: string;
  name: string;
  element: HTMLElement;
}

function readDocument(): SuiteData {
  const data = JSON.parse(document.getElementById('report-data')?.textContent ?? '') as SuiteData;
  if (!Array.isArray(data.answers) || data.answers.length === 0) throw new Error('it holds no answer');
  return data;
}

function section(id: string, name: string, ...children: (Node | false)[]): Section {
  return { id, name, element: h('section', { id, 'aria-labelledby': `${id}-title` }, h('h2', { id: `${id}-title` }, name), ...children) };
}

function anchorOf(answer: Answer): string {
  return `answer-${answer.answer}`;
}

function hasEvidence(answer: Answer): boolean {
  return answer.tables.length > 0 || answer.charts.length > 0;
}

function words(answers: readonly Answer[]): Section {
  const parts: Node[] = [];
  for (const answer of answers) {
    if (answer.sentences.length === 0) continue;
    const anchor = hasEvidence(answer) ? anchorOf(answer) : null;
    // One answer alone bears the page's own title.
    if (answers.length > 1) parts.push(h('h3', {}, answer.title));
    parts.push(sentences(answer, anchor));
  }
  return section('words', 'Findings', parts.length === 0 && h('p', { class: 'gap' }, 'There are no findings.'), ...parts);
}

function method(answers: readonly Answer[]): Section {
  const parts: Node[] = [];
  for (const answer of answers) {
    if (answer.method.length === 0) continue;
    if (answers.length > 1) parts.push(h('h3', {}, answer.title));
    parts.push(h('ul', { class: 'method' }, ...answer.method.map((text) => h('li', {}, prose(text)))));
  }
  return section('method', 'How this was computed', parts.length === 0 && h('p', { class: 'gap' }, 'The commands describe no method.'), ...parts);
}

function makeSections(data: SuiteData): Section[] {
  const evidence = data.answers.filter(hasEvidence);
  return [
    words(data.answers),
    ...evidence.map((answer) => section(anchorOf(answer), data.answers.length > 1 ? answer.title : 'Charts and tables', ...answerParts(answer))),
    method(data.answers),
  ];
}

function links(sections: readonly Section[]): HTMLAnchorElement[] {
  return sections.map(({ id, name }) => h('a', { href: `#${id}` }, name));
}

function makePage(data: SuiteData): void {
  const sections = makeSections(data);
  document.title = `${data.title} \u00b7 XSP suite`;
  const nav = h('nav', { class: 'side', 'aria-label': 'Sections' }, ...links(sections));
  const bar = h('div', { class: 'bar' },
    h('a', { class: 'bar-name', href: '#title' }, data.title),
    h('details', { class: 'menu' }, h('summary', {}, 'Sections'), h('nav', { 'aria-label': 'Sections, small screens' }, ...links(sections))),
    h('span', { class: 'push' }), themeButton());
  append(document.body, h('a', { class: 'skip', href: '#words' }, 'Skip to the findings'), bar,
    h('div', { class: 'page' }, nav, h('main', {},
      h('header', { id: 'title', class: 'title' }, h('h1', {}, data.title)), ...sections.map(({ element }) => element))));
  followScroll(nav);
  finishPage(bar);
}

try {
  makePage(readDocument());
} catch (error) {
  showFailure(error);
  throw error;
}
