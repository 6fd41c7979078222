// The page: reads the document, makes its sections in order, and the bar that drives them.
import { append, h, type Child } from './dom.ts';
import { Model } from './model.ts';
import { Palette } from './palette.ts';
import { kFormatVersion, type ReportData } from './report_data.ts';
import { segmented, type Context, type PageSection } from './section.ts';
import { finishPage, followScroll, showFailure, themeButton } from './page_frame.ts';
import { Selection } from './state.ts';
import { titleBlock } from './title_block.ts';

// Vite replaces the call by imports of the files that match.
const kSections = Object.values(import.meta.glob<PageSection>('./*_section.ts', { eager: true, import: 'kSection' }))
  .sort((a, b) => a.position - b.position);

function sections(data: ReportData): PageSection[] {
  return kSections.filter(({ id, isShown }) => !data.absent.includes(id) && (isShown?.(data) ?? true));
}

function readDocument(): ReportData {
  const text = document.getElementById('report-data')?.textContent ?? '';
  const data = JSON.parse(text) as ReportData;
  if (data.format_version !== kFormatVersion)
    throw new Error(`this page reads format ${kFormatVersion} of the report document; it holds format ${data.format_version}`);
  return data;
}

/** The point shown first: the one that the findings are about; else batch 1, or the first that worked. */
function firstPoint(data: ReportData, model: Model): number {
  const done = model.points.filter((point) => point.status !== 'failed');
  const first = done.find((point) => point.point_id === data.findings_point_id) ?? done.find((point) => point.batch === 1);
  return (first ?? done[0] ?? model.points[0])?.point_id ?? 0;
}

function makeContext(data: ReportData): Context {
  const model = new Model(data);
  return { data, model, palette: new Palette(model.typesByTime()), selection: new Selection(firstPoint(data, model)) };
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

function links(data: ReportData): HTMLAnchorElement[] {
  return sections(data).map(({ id, name }) => h('a', { href: `#${id}` }, name));
}

function makePage(data: ReportData): void {
  const context = makeContext(data);
  document.title = `${data.title.model} \u00b7 XSP report`;
  const nav = h('nav', { class: 'side', 'aria-label': 'Sections' }, ...links(data));
  const bar = h('div', { class: 'bar' },
    h('a', { class: 'bar-name', href: '#title' }, data.title.model),
    h('details', { class: 'menu' }, h('summary', {}, 'Sections'), h('nav', { 'aria-label': 'Sections, small screens' }, ...links(data))),
    h('span', { class: 'push' }), pointSwitch(context), themeButton());
  const parts: Child[] = [titleBlock(context), ...sections(data).map(({ make }) => make(context))];
  append(document.body, h('a', { class: 'skip', href: '#findings' }, 'Skip to the findings'), bar,
    h('div', { class: 'page' }, nav, h('main', {}, ...parts)));
  followSelection(context, bar);
  followScroll(nav);
  finishPage(bar);
}

try {
  makePage(readDocument());
} catch (error) {
  showFailure(error);
  throw error;
}
