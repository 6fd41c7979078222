// One call of each side, one above the other on one axis: zoom and pan move both.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { activityColours, activityOf } from '../activity.ts';
import { dataTable } from '../data_table.tsx';
import { duration, plural } from '../format.ts';
import { h } from '../markup.ts';
import { Palette } from '../palette.ts';
import { behind, legend } from '../section.ts';
import type { Timeline } from '../report_data.ts';
import { TimelineCanvas } from '../timeline_canvas.ts';
import { makeLanes, type Lanes } from '../timeline_lanes.ts';
import { activityLegend } from '../timeline_section.ts';
import { keyList, signButton, TimelineBox } from '../timeline_view.ts';
import { part, sideMark, type Part, type PartProperties } from './frame.ts';
import type { PairView } from './compare_model.ts';

export const kTimelines: Part = {
  id: 'timelines', name: 'Timelines', Component: Timelines,
  isShown: (model, view) => timelinesOf({ model, view }) !== null,
};

function timelinesOf({ model, view }: PartProperties): [Timeline, Timeline] | null {
  const [a, b] = view.pair.sides.map((side) => model.data.sides[side.side]?.details?.timeline ?? null);
  return a && b && a.spans.start_ns.length > 0 && b.spans.start_ns.length > 0 ? [a, b] : null;
}

/** What is selected in which of the two. */
interface Selected {
  side: number;
  index: number;
}

/** Both on one axis, in the same colours. */
function makeCanvases({ model, view }: PartProperties, timelines: readonly [Timeline, Timeline], onSelect: (selected: Selected) => void) {
  const lanes = timelines.map((timeline) => makeLanes(timeline));
  const total = Math.max(...lanes.map((item) => item.total));
  const types = new Map<string, number>();
  for (const item of lanes) {
    item.total = total;
    item.to = total;
    item.start.forEach((_, index) => {
      if (isLayer(item, index)) types.set(item.type[index]!, (types.get(item.type[index]!) ?? 0) + (item.duration[index] ?? 0));
    });
  }
  const palette = new Palette([...types].sort((x, y) => y[1] - x[1]).map(([type]) => type));
  const communicating = new Set(view.nodes.filter((node) => node.kind === 'communication').flatMap((node) => [node.name, node.b_name]).filter((name): name is string => name !== null));
  const canvases = lanes.map((item, side) => new TimelineCanvas(item, coloursOf(item, timelines[side]!, palette, communicating), (index) => onSelect({ side, index })));
  canvases.forEach((canvas, side) => {
    canvas.onView = (from, to) => canvases[1 - side]!.showView(from, to);
  });
  const cuts = view.pair.sides.map((side) => model.data.sides[side.side]?.details?.timeline_cut ?? null).filter((text) => text !== null);
  return { lanes, palette, types, canvases, cuts };
}

function Timelines({ model, view }: PartProperties): VNode {
  const timelines = timelinesOf({ model, view })!;
  const [selected, setSelected] = useState<Selected>({ side: 0, index: -1 });
  const { lanes, palette, types, canvases, cuts } = useMemo(() => makeCanvases({ model, view }, timelines, setSelected), [model, view]);
  const hasDevice = timelines.some((timeline) => timeline.tracks.some((track) => track.kind === 'stream'));
  const first = canvases[0]!;
  return part('timelines', 'One call of each side over time',
    h('p', { class: 'note' }, 'Both start at their call and have one axis. A call (or step) of typical duration is shown; profiling makes it slower than the times above where those are of calls without profiling.'),
    h('div', { class: 'legends' }, hasDevice && activityLegend(), legend(palette, new Set(types.keys()), 'Operators:')),
    h('div', { class: 'controls' }, h('span', { class: 'push' }), signButton('+', 'Zoom in', () => first.zoom(0.5)), signButton('\u2212', 'Zoom out', () => first.zoom(2)), signButton('All', 'Show all', () => first.all())),
    canvases.map((canvas, side) => [
      h('h3', { class: 'lane-name' }, sideMark(side as 0 | 1), `${side === 0 ? view.a : view.b} `, h('span', { class: 'note' }, `${duration(timelines[side]!.duration_ns)}, ${plural(lanes[side]!.start.length, 'span')}`)),
      h(TimelineBox, { canvas })]),
    h('div', { class: 'span-detail', role: 'status' }, selected.index >= 0 && spanText(view, selected.side, lanes[selected.side]!, selected.index)),
    cuts.map((text) => h('p', { class: 'note' }, text)),
    keyList([['W', 'S', 'zoom'], ['A', 'D', 'pan'], ['0', '', 'all'], ['[', ']', 'span before, after']]),
    lanes.map((item, side) => behind(`The spans of ${side === 0 ? view.a : view.b} as a table`, () => spanTable(item))));
}

function isLayer(lanes: Lanes, index: number): boolean {
  return lanes.level[index] === 'layer' && lanes.type[index] !== 'module' && lanes.type[index] !== 'function' && lanes.type[index] !== null;
}

/** Work of a device by what it does; on the host operators, and what lies in them, by type. */
function coloursOf(lanes: Lanes, timeline: Timeline, palette: Palette, communicating: ReadonlySet<string>): (index: number) => string | null {
  const own = activityColours();
  const typeOfLayer = new Map<number, string>();
  lanes.layerIndex.forEach((layer, index) => {
    if (layer >= 0 && isLayer(lanes, index) && !typeOfLayer.has(layer)) typeOfLayer.set(layer, lanes.type[index]!);
  });
  const isDevice = (index: number): boolean => timeline.tracks[lanes.track[index]!]?.kind === 'stream' || ['memcpy', 'memset'].includes(lanes.type[index] ?? '');
  return (index) => {
    if (lanes.level[index] === 'kernel') {
      if (isDevice(index)) return own[activityOf(lanes.type[index] ?? '', lanes.name[index] ?? '', communicating)];
      return palette.of(typeOfLayer.get(lanes.layerIndex[index]!) ?? null);
    }
    return isLayer(lanes, index) ? palette.of(typeOfLayer.get(lanes.layerIndex[index]!) ?? lanes.type[index] ?? null) : null;
  };
}

function spanText(view: PairView, side: number, lanes: Lanes, index: number): VNode {
  return h('p', {}, sideMark(side as 0 | 1), `${side === 0 ? view.a : view.b}: `, h('strong', {}, lanes.name[index] ?? ''), ` \u00b7 ${lanes.level[index]} ${lanes.type[index] ?? ''} \u00b7 `,
    lanes.duration[index] === null ? 'never ended' : duration(lanes.duration[index]), ` \u00b7 starts at ${duration(lanes.start[index])}`);
}

function spanTable(lanes: Lanes): VNode {
  return dataTable<number>({
    label: 'Spans of the timeline', rows: lanes.start.map((_, index) => index).filter((index) => lanes.row[index]! >= 0), first: 30,
    columns: [
      { title: 'level', text: (row) => lanes.level[row] ?? null },
      { title: 'name', text: (row) => lanes.name[row] ?? null, wide: true },
      { title: 'type', text: (row) => lanes.type[row] ?? null },
      { title: 'start', unit: 'ns', value: (row) => lanes.start[row]! },
      { title: 'duration', unit: 'ns', value: (row) => lanes.duration[row] ?? null },
    ],
  });
}
