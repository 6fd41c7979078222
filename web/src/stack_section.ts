// Part 3: the stack picture, an icicle of where the time goes. Click or Enter zooms, arrow keys
// walk, Escape goes up.
import type { VNode } from 'preact';
import { dataTable } from './data_table.tsx';
import { duration, percent, plural } from './format.ts';
import type { PointView } from './model.ts';
import { IcicleBoxes, useWalk } from './icicle_boxes.ts';
import { layout, stackTree, whyLonger, type Box, type Node } from './icicle_tree.ts';
import { h, type Attributes, type Child } from './markup.ts';
import { inkOn } from './palette.ts';
import { behind, nothing, Section, type Context, type PageSection } from './section.ts';
import { shortName } from './short_name.ts';
import { showTip, tipOn } from './tooltip.ts';

const kRows = ['model', 'layer type', 'layer', 'kernel'];

export const kSection: PageSection = { id: 'stack', name: 'Stack', position: 20, Component: StackSection };

function StackSection({ context }: { context: Context }): VNode {
  const { pointId } = context.selection;
  const view = context.model.view(pointId);
  const root = stackTree(view);
  return h(Section, { context, id: 'stack', title: 'Where the time goes' }, root
    ? h('div', { key: pointId }, h(Picture, { context, root, view }), remarks(view, root), behind('The same as a table', () => stackTable(context, root)))
    : nothing(context, 'stack', 'This point has no layers and no kernels: `xsp run --depth kernel` measures them.'));
}

function remarks(view: PointView, root: Node): VNode | null {
  const texts: string[] = [];
  if (view.byDevice) {
    const idle = view.idle ? `, with the ${percent(view.idle.share)} of it in which the device did nothing` : '';
    return h('p', { class: 'note' }, `A device did the work: the width is device time${idle}. The table of layers has the host time.`);
  }
  const orphans = view.orphans.length;
  const alone = view.point.latency_ns;
  if (view.layerRunLatency !== null && alone !== null && Math.abs(view.layerRunLatency / alone - 1) > 0.005)
    texts.push(`The chart shows the run with layers, ${duration(view.layerRunLatency)} per call; without profiling layers a call takes ${duration(alone)}.`);
  if (root.note) texts.push(root.note);
  const over = root.children.flatMap((type) => type.children)
    .filter((layer) => layer.kind === 'layer' && layer.note !== '').length;
  if (over > 0) texts.push(`${plural(over, 'layer')} with more kernel time than layer time (${whyLonger(view.layers.some((layer) => layer.kernelRun !== null) ? 1 : view.runs.length)}): marked with a bar on top, its kernels drawn to fit.`);
  if (orphans > 0) texts.push(`${plural(orphans, 'kernel')} could not be tied to a layer and ${orphans === 1 ? 'is' : 'are'} not drawn.`);
  return texts.length ? h('p', { class: 'note' }, texts.join(' ')) : null;
}

function Picture({ context, root, view }: { context: Context; root: Node; view: PointView }): VNode {
  const whole = view.byDevice ? 'of the device\u2019s time' : view.distorted ? 'of the layers\u2019 time' : 'of the model call';
  const depth = root.children.some((type) => type.children.some((item) => item.children.length > 0)) ? 4 : 3;
  const walk = useWalk(root);
  // A kernel has no parts: its layer takes the width.
  const go = (target: Node): void => walk.go(target.children.length > 0 ? target : target.parent ?? target, target);
  const path: Node[] = [];
  for (let item: Node | null = walk.zoom; item; item = item.parent) path.unshift(item);
  return h('figure', { class: 'icicle', role: 'group', 'aria-label': 'Stack chart: width is time. Arrow keys walk, Enter zooms, Escape goes up.' },
    h('nav', { class: 'trail', 'aria-label': 'Zoomed to' }, path.map((item, index) => (index === path.length - 1
      ? h('span', { 'aria-current': 'true' }, shortName(item.label))
      : [h('button', { type: 'button', onClick: () => go(item) }, shortName(item.label)), h('span', { 'aria-hidden': 'true' }, ' \u203a ')]))),
    h('div', { class: 'icicle-body', style: `--rows:${depth}` },
      h('div', { class: 'icicle-names', 'aria-hidden': 'true' }, kRows.slice(0, depth).map((name) => h('span', {}, name))),
      h(IcicleBoxes, { walk, boxes: layout(walk.zoom, 0.0012), draw: (box) => drawn(context, box, root, whole), onZoom: go })),
    h('figcaption', {}, 'Width is time. Click or Enter zooms in, the bar above zooms out; arrow keys walk.'));
}

function drawn(context: Context, box: Box, root: Node, whole: string): { attributes: Attributes; content: Child } {
  const { node } = box;
  const merged = box.merged > 1;
  const label = merged ? `${box.merged} smaller` : node.label;
  const share = root.value > 0 ? node.value / root.value : 0;
  const colour = node.kind === 'model' || node.kind === 'between' ? '' : context.palette.of(node.type);
  const facts = merged ? [] : [{ name: 'time', value: duration(node.value) }, { name: whole, value: percent(share) }, ...node.facts];
  return {
    attributes: {
      ...tipOn((x, y) => showTip(x, y, label, facts, merged ? '' : node.note)),
      class: `box ${node.kind}${merged ? ' merged' : ''}${node.note && node.kind === 'layer' ? ' over' : ''}`,
      style: `left:${(box.left * 100).toFixed(4)}%;width:${(box.width * 100).toFixed(4)}%;--row:${node.depth};--colour:${colour || 'transparent'};--ink-on:${colour ? inkOn(colour) : 'inherit'}`,
      'aria-label': merged ? label : `${node.kind === 'type' ? 'layer type ' : node.kind === 'layer' || node.kind === 'kernel' ? `${node.kind} ` : ''}${node.label}, ${duration(node.value)}, ${percent(share)} ${whole}`,
    },
    content: box.width > 0.015 && [h('span', { class: 'box-name' }, shortName(label)), !merged && h('span', { class: 'box-value' }, `${duration(node.value)} \u00b7 ${percent(share)}`)],
  };
}

function stackTable(context: Context, root: Node): VNode {
  const all: Node[] = [];
  const walk = (item: Node): void => {
    all.push(item);
    item.children.forEach(walk);
  };
  walk(root);
  return dataTable<Node>({
    label: 'Where the time goes', rows: all, first: 30,
    columns: [
      { title: 'level', text: (row) => ({ type: 'layer type', between: 'between', outside: 'not in kernels' } as Record<string, string>)[row.kind] ?? row.kind },
      { title: 'name', text: (row) => row.label, swatch: (row) => context.palette.of(row.type), wide: true },
      { title: 'of', text: (row) => row.parent?.label ?? null, wide: true },
      { title: 'time', unit: 'ns', value: (row) => row.value },
      { title: 'share', unit: 'ratio', value: (row) => (root.value ? row.value / root.value : null), bar: (row) => (root.value ? row.value / root.value : null), colour: (row) => context.palette.of(row.type) },
    ],
  });
}
