// Part 3: the stack picture, an icicle of where the time goes. Click or Enter zooms, arrow keys
// walk, Escape goes up.
import { append, clear, h } from './dom.ts';
import { duration, percent, plural } from './format.ts';
import type { PointView } from './model.ts';
import { walkByKeys } from './icicle_keys.ts';
import { layout, stackTree, whyLonger, type Box, type Node } from './icicle_tree.ts';
import { inkOn } from './palette.ts';
import { behind, nothing, section, type Context, type PageSection } from './section.ts';
import { shortName } from './short_name.ts';
import { dataTable } from './mounted_table.ts';
import { hideTip, showTip, tipOn } from './tooltip.ts';

const kRows = ['model', 'layer type', 'layer', 'kernel'];

export const kSection: PageSection = { id: 'stack', name: 'Stack', position: 20, make: stackSection };

function stackSection(context: Context): HTMLElement {
  const host = h('div', {});
  const draw = (): void => {
    const view = context.model.view(context.selection.pointId);
    const root = stackTree(view);
    clear(host);
    if (!root) {
      append(host, nothing(context, 'stack', 'This point has no layers and no kernels: `xsp run --depth kernel` measures them.'));
      return;
    }
    append(host, picture(context, root, view), remarks(view, root),
      behind('The same as a table', () => stackTable(context, root)));
  };
  draw();
  context.selection.onChange(draw);
  return section(context, 'stack', 'Where the time goes', host);
}

function remarks(view: PointView, root: Node): HTMLElement | null {
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

function picture(context: Context, root: Node, view: PointView): HTMLElement {
  const whole = view.byDevice ? 'of the device\u2019s time' : view.distorted ? 'of the layers\u2019 time' : 'of the model call';
  const depth = root.children.some((type) => type.children.some((item) => item.children.length > 0)) ? 4 : 3;
  const bars = h('div', { class: 'icicle-bars' });
  const trail = h('nav', { class: 'trail', 'aria-label': 'Zoomed to' });
  let zoom = root;
  const shown = new Map<Node, HTMLButtonElement>();

  const go = (target: Node): void => {
    zoom = target.children.length > 0 ? target : target.parent ?? target;
    redraw();
    (shown.get(target) ?? shown.get(zoom))?.focus({ preventScroll: true });
  };

  function redraw(): void {
    clear(bars);
    shown.clear();
    for (const box of layout(zoom, 0.0012)) {
      const button = boxButton(context, box, root, whole);
      button.addEventListener('click', () => {
        hideTip();
        go(box.merged > 1 ? box.node.parent ?? root : box.node === zoom ? zoom.parent ?? root : box.node);
      });
      button.tabIndex = box.node === zoom ? 0 : -1;
      if (box.merged <= 1) shown.set(box.node, button);
      append(bars, button);
    }
    clear(trail);
    const path: Node[] = [];
    for (let item: Node | null = zoom; item; item = item.parent) path.unshift(item);
    path.forEach((item, index) => {
      if (index === path.length - 1) return append(trail, h('span', { 'aria-current': 'true' }, shortName(item.label)));
      const button = h('button', { type: 'button' }, shortName(item.label));
      button.addEventListener('click', () => go(item));
      append(trail, button, h('span', { 'aria-hidden': 'true' }, ' \u203a '));
    });
  }

  walkByKeys(bars, shown, () => {
    if (zoom.parent === null) return false;
    go(zoom.parent);
    return true;
  });
  redraw();
  return h('figure', { class: 'icicle', role: 'group', 'aria-label': 'Stack chart: width is time. Arrow keys walk, Enter zooms, Escape goes up.' },
    trail,
    h('div', { class: 'icicle-body', style: `--rows:${depth}` },
      h('div', { class: 'icicle-names', 'aria-hidden': 'true' }, ...kRows.slice(0, depth).map((name) => h('span', {}, name))),
      bars),
    h('figcaption', {}, 'Width is time. Click or Enter zooms in, the bar above zooms out; arrow keys walk.'));
}

function boxButton(context: Context, box: Box, root: Node, whole: string): HTMLButtonElement {
  const { node } = box;
  const merged = box.merged > 1;
  const label = merged ? `${box.merged} smaller` : node.label;
  const share = root.value > 0 ? node.value / root.value : 0;
  const colour = node.kind === 'model' || node.kind === 'between' ? '' : context.palette.of(node.type);
  const button = h('button', {
    type: 'button',
    class: `box ${node.kind}${merged ? ' merged' : ''}${node.note && node.kind === 'layer' ? ' over' : ''}`,
    style: `left:${(box.left * 100).toFixed(4)}%;width:${(box.width * 100).toFixed(4)}%;--row:${node.depth};--colour:${colour || 'transparent'};--ink-on:${colour ? inkOn(colour) : 'inherit'}`,
    'aria-label': merged ? label : `${node.kind === 'type' ? 'layer type ' : node.kind === 'layer' || node.kind === 'kernel' ? `${node.kind} ` : ''}${node.label}, ${duration(node.value)}, ${percent(share)} ${whole}`,
  });
  if (box.width > 0.015) append(button, h('span', { class: 'box-name' }, shortName(label)), !merged && h('span', { class: 'box-value' }, `${duration(node.value)} \u00b7 ${percent(share)}`));
  const facts = merged ? [] : [{ name: 'time', value: duration(node.value) }, { name: whole, value: percent(share) }, ...node.facts];
  tipOn(button, (x, y) => showTip(x, y, label, facts, merged ? '' : node.note));
  return button;
}

function stackTable(context: Context, root: Node): HTMLElement {
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
  }).element;
}
