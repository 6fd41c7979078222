// Part 8: a model call, or a whole imported run, as lanes. W and S zoom, A and D pan, 0 shows all,
// drag pans, Ctrl and wheel zoom, double click or Enter fits a span, / searches.
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { activityColours, activityOf, kActivities } from './activity.ts';
import { dataTable } from './data_table.tsx';
import { duration, percent, plural } from './format.ts';
import { h, prose } from './markup.ts';
import { blockName } from './timeline_draw.ts';
import { TimelineCanvas } from './timeline_canvas.ts';
import { keyList, signButton, TimelineBox } from './timeline_view.ts';
import { isWaiting, makeLanes, makeRunLanes, search, type Lanes } from './timeline_lanes.ts';
import { behind, legend, nothing, Section, type Context, type PageSection } from './section.ts';
import { shortName } from './short_name.ts';
import type { RunTimeline } from './report_data.ts';
import type { PointView } from './model.ts';

export const kSection: PageSection = { id: 'timeline', name: 'Timeline', position: 70, Component: TimelineSection };

function TimelineSection({ context }: { context: Context }): VNode {
  const { pointId } = context.selection;
  const view = context.model.view(pointId);
  const run = context.data.run_timelines.find((item) => item.point_id === pointId);
  return h(Section, { context, id: 'timeline', title: 'Timeline' },
    run ? h(WholeRun, { key: pointId, context, timeline: run })
      : !view.timeline || view.timeline.spans.start_ns.length === 0
        ? nothing(context, 'timeline', 'The page has no timeline of this point: `xsp query RUN \'SELECT * FROM span\'` lists its spans.')
        : h(OneCall, { key: pointId, context, view }));
}

function OneCall({ context, view }: { context: Context; view: PointView }): VNode {
  const timeline = view.timeline!;
  const lanes = useMemo(() => {
    const names = new Map(view.layers.map((layer) => [layer.index, layer.name]));
    return makeLanes(timeline, (index) => names.get(index));
  }, [view]);
  const run = view.runs.find((item) => item.run_id === timeline.run_id);
  return h('div', {},
    h('p', { class: 'note' }, prose(`One model call (iteration ${timeline.iteration} of the \`${run?.rung ?? 'imported'}\` run): ${duration(timeline.duration_ns)}, ${plural(lanes.start.length, 'span')}. This deep, profiling slows it; the sections above take each time from the least profiled run.`)),
    h(Picture, { lanes, colourOf: colours(context, view, lanes) }));
}

/** The whole run, with what is folded away at first behind switches. */
function WholeRun({ context, timeline }: { context: Context; timeline: RunTimeline }): VNode {
  const [folded, setFolded] = useState(false);
  const [python, setPython] = useState(false);
  const lanes = useMemo(() => makeRunLanes(timeline, { folded, python }), [timeline, folded, python]);
  const foldedTracks = timeline.tracks.filter((track) => track.folded).length;
  const frames = timeline.spans.kind.filter((kind) => timeline.kinds[kind] === 'application/python').length;
  const toggle = (text: string, on: boolean, change: (on: boolean) => void): VNode =>
    h('label', { class: 'check' }, h('input', { type: 'checkbox', checked: on, onChange: (event: Event) => change((event.currentTarget as HTMLInputElement).checked) }), ` ${text}`);
  const operators = new Set(timeline.kinds.filter((kind) => kind.startsWith('layer/')).map((kind) => kind.slice(kind.indexOf('/') + 1)));
  return h('div', {},
    h('p', { class: 'note' }, `The whole run: ${duration(timeline.duration_ns)}, ${plural(timeline.total, 'span')} on ${plural(timeline.tracks.length, 'track')}. A selected kernel points back at its launch, a launch at its kernels.`),
    h('div', { class: 'legends' }, activityLegend(),
      h('ul', { class: 'legend', 'aria-label': 'On the host' }, h('li', {}, 'On the host:'), h('li', {}, h('span', { class: 'swatch waiting' }), 'waiting for the device')), operators.size > 0 && legend(context.palette, operators, 'Operators:')),
    foldedTracks + frames > 0 && h('div', { class: 'controls' },
      foldedTracks > 0 && toggle(plural(foldedTracks, 'other track'), folded, setFolded),
      frames > 0 && toggle(plural(frames, 'Python frame'), python, setPython)),
    h(Picture, { key: `${folded} ${python}`, lanes, colourOf: runColours(context, timeline, lanes), shown: timeline.shown }));
}

/** What the colours of a device's work mean. */
export function activityLegend(): VNode {
  const own = activityColours();
  return h('ul', { class: 'legend', 'aria-label': 'Colours of a device\u2019s work' }, h('li', {}, 'On the device:'), kActivities.map((activity) =>
    h('li', {}, h('span', { class: 'swatch', style: `background:${own[activity]}` }), activity === 'copy' ? 'copy or set' : activity)));
}

function runColours(context: Context, timeline: RunTimeline, lanes: Lanes): (index: number) => string | null {
  const own = activityColours();
  const communicating = new Set((timeline.communicating ?? []).map((index) => timeline.names[index]!));
  // Once for each pair of kind and name, not for each picture.
  const known = new Map<string, string | null>();
  return (index) => {
    const level = lanes.level[index];
    const type = lanes.type[index] ?? '';
    if (level === 'kernel') {
      const key = `${type}\n${lanes.name[index]}`;
      if (!known.has(key)) known.set(key, own[activityOf(type, lanes.name[index] ?? '', communicating)]);
      return known.get(key)!;
    }
    if (level !== 'layer' || type === 'module' || type === 'function' || timeline.tracks[lanes.track[index]!]!.is_device) return null;
    return context.palette.of(type);
  };
}

interface PictureProperties {
  lanes: Lanes;
  colourOf: (index: number) => string | null;
  /** The step shown first. */
  shown?: RunTimeline['shown'];
}

/** Search, picture, what is selected, keys and the table behind. */
function Picture({ lanes, colourOf, shown = null }: PictureProperties): VNode {
  const [selected, setSelected] = useState(-1);
  const canvas = useMemo(() => new TimelineCanvas(lanes, colourOf, setSelected), [lanes]);
  return h('div', {},
    h(SearchBox, { lanes, canvas, shown }),
    h(TimelineBox, { canvas }),
    h('div', { class: 'span-detail', role: 'status' }, selected >= 0 && spanText(lanes, selected)),
    keyList([['W', 'S', 'zoom'], ['A', 'D', 'pan'], ['0', '', 'all'], ['/', '', 'search'], ['[', ']', 'span before, after']]),
    behind('The spans as a table', () => spanTable(lanes)));
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

function spanText(lanes: Lanes, index: number): VNode {
  if (index >= lanes.firstBlock) {
    const block = index - lanes.firstBlock;
    return h('p', {}, h('strong', { title: lanes.name[index] ?? '' }, blockName(lanes, index)), ` \u00b7 ${plural(lanes.count[block]!, 'merged span')}, ${duration(lanes.busy[block])} of ${duration(lanes.duration[index])} (${percent(lanes.busy[block]! / Math.max(1, lanes.duration[index] ?? 1))}); most of it in ${lanes.level[index]} \u00b7 starts at ${duration(lanes.start[index])}`);
  }
  const path: string[] = [];
  for (let at = lanes.parent[index]!; at >= 0 && path.length < 12; at = lanes.parent[at]!) path.unshift(shortName(lanes.name[at] ?? ''));
  const name = lanes.name[index] ?? '';
  const short = shortName(name);
  const launched = lanes.launches.span.indexOf(index);
  return h('p', {}, h('strong', {}, short), ` \u00b7 ${lanes.level[index]} ${lanes.type[index] ?? ''} \u00b7 `,
    lanes.duration[index] === null ? 'never ended' : duration(lanes.duration[index]), isWaiting(lanes, index) && ' \u00b7 waits for the device', ` \u00b7 starts at ${duration(lanes.start[index])}`,
    launched >= 0 && ` \u00b7 ${duration(lanes.start[index]! - lanes.launches.start_ns[launched]!)} after its launch began`,
    path.length > 0 && h('span', { class: 'note' }, ` \u00b7 in ${path.join(' \u203a ')}`),
    short !== name && h('span', { class: 'note full-name' }, name));
}

function SearchBox({ lanes, canvas, shown }: { lanes: Lanes; canvas: TimelineCanvas; shown: RunTimeline['shown'] }): VNode {
  const input = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(-1);
  const found = useMemo(() => search(lanes, query), [lanes, query]);
  useLayoutEffect(() => {
    canvas.onSearchKey = () => input.current!.focus();
  }, [canvas]);
  const step = (by: number): void => {
    if (found.length === 0) return;
    const next = (at + by + found.length) % found.length;
    setAt(next);
    canvas.show(found[next]!);
  };
  const onInput = (event: Event): void => {
    const text = (event.currentTarget as HTMLInputElement).value;
    setQuery(text);
    setAt(-1);
    canvas.highlight(search(lanes, text));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
    if (event.key === 'Escape') canvas.element.focus();
  };
  return h('div', { class: 'controls' },
    h('input', { ref: input, type: 'search', placeholder: 'search spans', 'aria-label': 'Search spans; Enter goes to the next', onInput, onKeyDown }),
    signButton('\u2039', 'Previous match', () => step(-1)), signButton('\u203a', 'Next match', () => step(1)),
    h('span', { class: 'note', role: 'status' }, at >= 0 ? `${at + 1} of ${found.length}` : query !== '' && plural(found.length, 'span')),
    h('span', { class: 'push' }), signButton('+', 'Zoom in', () => canvas.zoom(0.5)), signButton('\u2212', 'Zoom out', () => canvas.zoom(2)), signButton('All', 'Show all', () => canvas.all()),
    shown && signButton(shown.name, 'Show this step', () => canvas.fitTime(shown.start_ns, shown.duration_ns)));
}

function spanTable(lanes: Lanes): VNode {
  const rows = lanes.start.map((_, index) => index).filter((index) => lanes.row[index]! >= 0);
  const hasBlocks = lanes.firstBlock < lanes.start.length;
  return dataTable<number>({
    label: 'Spans of the timeline', rows, first: 30,
    columns: [
      { title: 'level', text: (row) => lanes.level[row] ?? null },
      { title: 'name', text: (row) => lanes.name[row] ?? null, wide: true },
      { title: 'type', text: (row) => lanes.type[row] ?? null },
      { title: 'in', text: (row) => (lanes.parent[row]! < 0 ? null : lanes.name[lanes.parent[row]!] ?? null), wide: true },
      { title: 'start', unit: 'ns', value: (row) => lanes.start[row]! },
      { title: 'duration', unit: 'ns', value: (row) => lanes.duration[row] ?? null },
      ...(hasBlocks ? [{ title: 'merged', unit: '1', value: (row: number) => (row < lanes.firstBlock ? null : lanes.count[row - lanes.firstBlock]!), help: 'Spans merged into this row; the name is the one with the most time' }] : []),
    ],
  });
}
