// The flame graph: sampled call stacks, callers above what they call, width is the share of samples.
// Click or Enter zooms, arrow keys walk, Escape goes up; a search marks functions and sums them.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { flames, hasStacks, modulesBySamples, samplesIn, search, type Flame } from './flame_tree.ts';
import { count, percent } from './format.ts';
import { IcicleBoxes, useWalk } from './icicle_boxes.ts';
import { layout, type Box, type Node } from './icicle_tree.ts';
import { h, type Attributes, type Child } from './markup.ts';
import { inkOn, Palette } from './palette.ts';
import { Section, Segmented, type Context, type PageSection } from './section.ts';
import { showTip, tipOn } from './tooltip.ts';

/** Rows that are drawn at once: the deepest stacks of a framework reach several hundred. */
const kMostRows = 60;

export const kSection: PageSection = { id: 'flame', name: 'Flame graph', position: 80, Component: FlameSection, isShown: hasStacks };

function FlameSection({ context }: { context: Context }): VNode {
  const { pointId } = context.selection;
  const [kind, setKind] = useState('');
  const all = useMemo(() => flames(context.data, pointId), [context, pointId]);
  const flame = all.find((item) => item.kind === kind) ?? all[0];
  return h(Section, { context, id: 'flame', title: 'Flame graph' },
    !flame && h('p', { class: 'gap' }, 'The call stacks of this point were not sampled.'),
    flame && all.length > 1 && h('div', { class: 'controls' }, h(Segmented<string>, {
      label: 'What was sampled', options: all.map((item) => ({ value: item.kind, text: item.kind === 'python' ? 'Python functions' : 'machine code' })), chosen: flame.kind, onChange: setKind })),
    flame && h('p', { class: 'note' }, caption(flame)),
    flame && h(Picture, { key: `${pointId} ${flame.kind}`, flame }));
}

/** What a sample stands for. */
export function caption(flame: Flame): string {
  const rate = flame.rateHz === null ? '' : ` at ${Number(flame.rateHz.toPrecision(4))} Hz`;
  return flame.kind === 'python'
    ? `${count(flame.root.value)} samples of Python call stacks${rate} of the clock, from every Python thread, whether it ran or waited.`
    : `${count(flame.root.value)} samples of call stacks${rate} of each thread's CPU time; threads that wait are not in it.`;
}

function Picture({ flame }: { flame: Flame }): VNode {
  const { root } = flame;
  const palette = useMemo(() => new Palette(modulesBySamples(root)), [root]);
  const [query, setQuery] = useState('');
  const marked = useMemo(() => search(root, query), [root, query]);
  const walk = useWalk(root);
  const { zoom } = walk;
  const boxes = useMemo(() => layout(zoom, 0.0012).filter((item) => item.node.depth < Math.max(kMostRows, zoom.depth + 10)), [zoom]);
  const rows = boxes.reduce((most, item) => Math.max(most, item.node.depth), 0) + 1;
  return h('figure', { class: 'icicle flame', role: 'group', 'aria-label': 'Flame graph: width is the share of samples. Arrow keys walk, Enter zooms, Escape goes up.' },
    h('div', { class: 'controls' },
      h('input', { type: 'search', placeholder: 'function or module', 'aria-label': 'Mark functions and modules whose name contains', value: query, onInput: (event: Event) => setQuery((event.currentTarget as HTMLInputElement).value) }),
      h('span', { class: 'note', role: 'status' }, query.trim() !== '' && `in ${percent(root.value > 0 ? samplesIn(root, marked) / root.value : 0)} of the samples`)),
    h('div', { class: 'icicle-body flame-body', style: `--rows:${rows}` },
      h(IcicleBoxes, { walk, boxes, draw: (box) => drawn(flame, box, palette, marked), onZoom: (target) => walk.go(target) })),
    h('figcaption', {}, 'Callers are above callees; colours are modules. Click or Enter zooms in, a click on a function of full width zooms out.'));
}

function drawn(flame: Flame, box: Box, palette: Palette, marked: ReadonlySet<Node>): { attributes: Attributes; content: Child } {
  const { node } = box;
  const merged = box.merged > 1;
  const label = merged ? `${box.merged} smaller` : node.label;
  const share = flame.root.value > 0 ? node.value / flame.root.value : 0;
  const colour = node.parent === null ? '' : palette.of(node.type);
  const state = marked.size === 0 ? '' : marked.has(node) && !merged ? ' marked' : ' dimmed';
  const facts = merged ? [] : [{ name: 'of all samples', value: percent(share) }, { name: 'samples', value: count(node.value) }, ...node.facts];
  return {
    attributes: {
      ...tipOn((x, y) => showTip(x, y, label, facts)),
      class: `box ${node.parent === null ? 'model' : 'function'}${merged ? ' merged' : ''}${state}`,
      style: `left:${(box.left * 100).toFixed(4)}%;width:${(box.width * 100).toFixed(4)}%;--row:${node.depth};--colour:${colour || 'transparent'};--ink-on:${colour ? inkOn(colour) : 'inherit'}`,
      'aria-label': merged ? label : `${node.label}, ${percent(share)}, ${count(node.value)} samples`,
    },
    content: box.width > 0.02 && h('span', { class: 'box-name' }, label),
  };
}
