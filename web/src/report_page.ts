// A run's report as one component of its document: its sections in order, and the bar that drives them.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { h } from './markup.ts';
import { Model } from './model.ts';
import { PageFrame } from './page_frame.ts';
import { Palette } from './palette.ts';
import type { ReportData } from './report_data.ts';
import { Segmented, type Context, type PageSection } from './section.ts';
import { Selection } from './state.ts';
import { TitleBlock } from './title_block.ts';

// Vite replaces the call by imports of the files that match.
const kSections = Object.values(import.meta.glob<PageSection>('./*_section.ts', { eager: true, import: 'kSection' }))
  .sort((a, b) => a.position - b.position);

function sections(data: ReportData): PageSection[] {
  return kSections.filter(({ id, isShown }) => !data.absent.includes(id) && (isShown?.(data) ?? true));
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

function PointSwitch({ context }: { context: Context }): VNode | null {
  const { model, selection } = context;
  const { points } = model;
  if (points.length < 2) return null;
  const onlyBatch = points.every((point) => model.label(point.point_id) === `batch ${point.batch}`);
  const choose = (value: string): void => selection.choose(Number(value));
  const chosen = String(selection.pointId);
  if (onlyBatch && points.length <= 8)
    return h('div', { class: 'switch' }, h('span', { class: 'switch-name', 'aria-hidden': 'true' }, 'Batch'),
      h(Segmented<string>, { label: 'Batch size', options: points.map((point) => ({ value: String(point.point_id), text: String(point.batch) })), chosen, onChange: choose }));
  return h('div', { class: 'switch' },
    h('select', { 'aria-label': 'Point shown', value: chosen, onChange: (event: Event) => choose((event.currentTarget as HTMLSelectElement).value) },
      points.map((point) => h('option', { value: String(point.point_id) }, model.label(point.point_id)))));
}

export function ReportPage({ data }: { data: ReportData }): VNode {
  const context = useMemo(() => makeContext(data), [data]);
  const shown = sections(data);
  return h(PageFrame, { name: data.title.model, places: shown, skip: { to: '#findings', text: 'Skip to the findings' }, tools: h(PointSwitch, { context }) },
    h(TitleBlock, { context }), shown.map(({ id, Component }) => h(Component, { key: id, context })));
}
