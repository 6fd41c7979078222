// The page: reads the document, makes the ten parts in order, and the bar that drives them.
import { analysesSection } from './analyses_section.ts';
import { batchesSection } from './batches_section.ts';
import { append, h, type Child } from './dom.ts';
import { kernelsSection } from './kernels_section.ts';
import { layersSection } from './layers_section.ts';
import { methodSection } from './method_section.ts';
import { Model } from './model.ts';
import { Palette } from './palette.ts';
import { kFormatVersion, type ReportData } from './report_data.ts';
import { ranksSection } from './ranks_section.ts';
import { rooflinesSection } from './rooflines_section.ts';
import { segmented, type Context } from './section.ts';
import { stackSection } from './stack_section.ts';
import { Selection, themeChanged } from './state.ts';
import { timelineSection } from './timeline_section.ts';
import { titleBlock, wordsSection } from './title_section.ts';

const kSections: [id: string, name: string, make: (context: Context) => HTMLElement | null][] = [
  ['words', 'In words', wordsSection], ['stack', 'Stack', stackSection], ['batches', 'Batch sizes', batchesSection],
  ['layers', 'Layers', layersSection], ['rooflines', 'Rooflines', rooflinesSection], ['kernels', 'Kernels', kernelsSection],
  ['timeline', 'Timeline', timelineSection], ['ranks', 'Ranks', ranksSection], ['analyses', 'Analyses', analysesSection],
  ['method', 'Method', methodSection],
];

function sections(data: ReportData): typeof kSections {
  return kSections.filter(([id]) => !data.absent.includes(id) && (id !== 'ranks' || data.ranks.length > 0));
}

function readDocument(): ReportData {
  const text = document.getElementById('report-data')?.textContent ?? '';
  const data = JSON.parse(text) as ReportData;
  if (data.format_version !== kFormatVersion)
    throw new Error(`this page reads format ${kFormatVersion} of the report document; it holds format ${data.format_version}`);
  return data;
}

/** The point shown first: batch 1, as the design's online latency; else the first that worked. */
function firstPoint(model: Model): number {
  const done = model.points.filter((point) => point.status !== 'failed');
  return (done.find((point) => point.batch === 1) ?? done[0] ?? model.points[0])?.point_id ?? 0;
}

function makeContext(data: ReportData): Context {
  const model = new Model(data);
  return { data, model, palette: new Palette(model.typesByTime()), selection: new Selection(firstPoint(model)) };
}

function pointSwitch(context: Context): HTMLElement | null {
  const { points } = context.model;
  if (points.length < 2) return null;
  const onlyBatch = points.every((point) => context.model.label(point.point_id) === `batch ${point.batch}`);
  if (onlyBatch && points.length <= 8)
    return h('div', { class: 'switch' }, h('span', { class: 'switch-name', 'aria-hidden': 'true' }, 'Batch'),
      segmented('Batch size', points.map((point) => ({ value: String(point.point_id), text: String(point.batch) })), String(context.selection.pointId), (value) => context.selection.choose(Number(value))));
  const select = h('select', { 'aria-label': 'Point shown' }, ...points.map((point) =>
    h('option', { value: point.point_id, selected: point.point_id === context.selection.pointId }, context.model.label(point.point_id))));
  select.addEventListener('change', () => context.selection.choose(Number(select.value)));
  return h('div', { class: 'switch' }, select);
}

/** Keeps the switch in step when a chart chooses the point. */
function followSelection(context: Context, bar: HTMLElement): void {
  context.selection.onChange((pointId) => {
    for (const input of bar.querySelectorAll<HTMLInputElement>('.switch input')) input.checked = input.value === String(pointId);
    for (const select of bar.querySelectorAll('.switch select')) (select as HTMLSelectElement).value = String(pointId);
  });
}

function themeButton(): HTMLElement {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = (): boolean => (root.dataset['theme'] ? root.dataset['theme'] === 'dark' : dark.matches);
  const button = h('button', { type: 'button', class: 'theme' });
  const label = (): void => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to ${isDark() ? 'light' : 'dark'} colours`);
    themeChanged();
  };
  button.addEventListener('click', () => {
    root.dataset['theme'] = isDark() ? 'light' : 'dark';
    label();
  });
  dark.addEventListener('change', label);
  matchMedia('print').addEventListener('change', themeChanged);
  label();
  return button;
}

function links(data: ReportData): HTMLAnchorElement[] {
  return sections(data).map(([id, name]) => h('a', { href: `#${id}` }, name));
}

/** Marks the section in sight in the list of sections. */
function followScroll(nav: HTMLElement): void {
  const byId = new Map([...nav.querySelectorAll('a')].map((link) => [link.getAttribute('href')!.slice(1), link]));
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of byId.values()) link.removeAttribute('aria-current');
      byId.get(entry.target.id)?.setAttribute('aria-current', 'location');
    }
  }, { rootMargin: '-20% 0px -75% 0px' });
  for (const id of byId.keys()) {
    const target = document.getElementById(id);
    if (target) observer.observe(target);
  }
}

function makePage(data: ReportData): void {
  const context = makeContext(data);
  document.title = `${data.title.model} \u00b7 XSP report`;
  const nav = h('nav', { class: 'side', 'aria-label': 'Sections' }, ...links(data));
  const bar = h('div', { class: 'bar' },
    h('a', { class: 'bar-name', href: '#title' }, data.title.model),
    h('details', { class: 'menu' }, h('summary', {}, 'Sections'), h('nav', { 'aria-label': 'Sections, small screens' }, ...links(data))),
    h('span', { class: 'push' }), pointSwitch(context), themeButton());
  const parts: Child[] = [titleBlock(context), ...sections(data).map(([, , make]) => make(context))];
  append(document.body, h('a', { class: 'skip', href: '#words' }, 'Skip to the answer'), bar,
    h('div', { class: 'page' }, nav, h('main', {}, ...parts)));
  followSelection(context, bar);
  followScroll(nav);
  const menu = bar.querySelector('details')!;
  menu.addEventListener('click', (event) => {
    if ((event.target as Element).tagName === 'A') menu.open = false;
  });
  // On paper nothing can be opened: the explanations are.
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('details.how')) details.open = true;
  });
  // The sections did not exist when the browser looked for the anchor in the address.
  if (location.hash.length > 1) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
}

try {
  makePage(readDocument());
} catch (error) {
  append(document.body, h('p', { class: 'gap', role: 'alert' }, `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
  throw error;
}
