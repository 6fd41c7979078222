// Part 8: one predict call as lanes. W and S zoom, A and D pan, 0 shows all, drag pans, Ctrl and
// wheel zoom, double click or Enter fits a span, / searches.
import { append, clear, h, prose } from './dom.ts';
import { duration, plural } from './format.ts';
import { TimelineCanvas } from './timeline_canvas.ts';
import { makeLanes, search, type Lanes } from './timeline_lanes.ts';
import { behind, nothing, section, type Context } from './section.ts';
import { dataTable } from './table.ts';
import type { PointView } from './model.ts';

export function timelineSection(context: Context): HTMLElement {
  const host = h('div', {});
  const draw = (): void => {
    const view = context.model.view(context.selection.pointId);
    clear(host);
    if (!view.timeline || view.timeline.spans.start_ns.length === 0)
      append(host, nothing(context, 'timeline', 'No timeline of this point was kept in the page: `xsp export` writes the whole run.'));
    else append(host, ...content(context, view));
  };
  draw();
  context.selection.onChange(draw);
  return section(context, 'timeline', 'Timeline', host);
}

function content(context: Context, view: PointView): Node[] {
  const timeline = view.timeline!;
  const lanes = makeLanes(timeline);
  const detail = h('div', { class: 'span-detail', role: 'status' });
  const canvas = new TimelineCanvas(lanes, colours(context, view, lanes), (index) => {
    detail.replaceChildren(index < 0 ? '' : spanText(lanes, index));
  });
  const run = view.runs.find((item) => item.run_id === timeline.run_id);
  return [
    h('p', { class: 'note' }, prose(`One model call (iteration ${timeline.iteration} of the \`${run?.rung ?? 'imported'}\` run): ${duration(timeline.duration_ns)}, ${plural(lanes.start.length, 'span')}. This deep, profiling slows it; the sections above take each time from the least profiled run.`)),
    searchBox(lanes, canvas),
    h('div', { class: 'timeline-box' }, canvas.element),
    detail,
    h('p', { class: 'keys' }, ...[['W', 'S', 'zoom'], ['A', 'D', 'pan'], ['0', '', 'all'], ['/', '', 'search'], ['[', ']', 'span before, after']].flatMap(([a, b, what]) =>
      [h('kbd', {}, a!), b ? h('kbd', {}, b) : null, ` ${what}\u2002`])),
    behind('The spans as a table', () => spanTable(lanes)),
  ];
}

/** Layers and what lies in them by layer type; everything above in the neutral colour. */
function colours(context: Context, view: PointView, lanes: Lanes): (index: number) => string | null {
  const types = new Map(view.layers.map((layer) => [layer.index, layer.type]));
  return (index) => {
    const type = types.get(lanes.layerIndex[index]!);
    if (type !== undefined) return context.palette.of(type);
    // Modules and functions group; they are never layers.
    if (lanes.type[index] === 'module' || lanes.type[index] === 'function') return null;
    return lanes.level[index] === 'layer' || lanes.level[index] === 'kernel' ? context.palette.of(lanes.type[index] ?? null) : null;
  };
}

function spanText(lanes: Lanes, index: number): HTMLElement {
  const path: string[] = [];
  for (let at = lanes.parent[index]!; at >= 0 && path.length < 12; at = lanes.parent[at]!) path.unshift(lanes.name[at] ?? '');
  return h('p', {}, h('strong', {}, lanes.name[index] ?? ''), ` \u00b7 ${lanes.level[index]} ${lanes.type[index] ?? ''} \u00b7 `,
    lanes.duration[index] === null ? 'never ended' : duration(lanes.duration[index]), ` \u00b7 starts at ${duration(lanes.start[index])}`,
    path.length > 0 && h('span', { class: 'note' }, ` \u00b7 in ${path.join(' \u203a ')}`));
}

function searchBox(lanes: Lanes, canvas: TimelineCanvas): HTMLElement {
  const input = h('input', { type: 'search', placeholder: 'search spans', 'aria-label': 'Search spans; Enter goes to the next' });
  const state = h('span', { class: 'note', role: 'status' });
  let found: number[] = [];
  let at = -1;
  const step = (by: number): void => {
    if (found.length === 0) return;
    at = (at + by + found.length) % found.length;
    state.textContent = `${at + 1} of ${found.length}`;
    canvas.show(found[at]!);
  };
  input.addEventListener('input', () => {
    found = search(lanes, input.value);
    at = -1;
    canvas.highlight(found);
    state.textContent = input.value === '' ? '' : plural(found.length, 'span');
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') canvas.element.focus();
  });
  canvas.onSearchKey = () => input.focus();
  const button = (text: string, label: string, action: () => void): HTMLElement => {
    const element = h('button', { type: 'button', 'aria-label': label, title: label }, text);
    element.addEventListener('click', action);
    return element;
  };
  return h('div', { class: 'controls' }, input,
    button('\u2039', 'Previous match', () => step(-1)), button('\u203a', 'Next match', () => step(1)), state,
    h('span', { class: 'push' }), button('+', 'Zoom in', () => canvas.zoom(0.5)), button('\u2212', 'Zoom out', () => canvas.zoom(2)), button('All', 'Show all', () => canvas.all()));
}

function spanTable(lanes: Lanes): HTMLElement {
  return dataTable<number>({
    label: 'Spans of the model call', rows: lanes.start.map((_, index) => index), first: 30,
    columns: [
      { title: 'level', text: (row) => lanes.level[row] ?? null },
      { title: 'name', text: (row) => lanes.name[row] ?? null, wide: true },
      { title: 'type', text: (row) => lanes.type[row] ?? null },
      { title: 'in', text: (row) => (lanes.parent[row]! < 0 ? null : lanes.name[lanes.parent[row]!] ?? null), wide: true },
      { title: 'start', unit: 'ns', value: (row) => lanes.start[row]! },
      { title: 'duration', unit: 'ns', value: (row) => lanes.duration[row] ?? null },
    ],
  }).element;
}
