// The flame graph: sampled call stacks, callers above what they call, width is the share of samples.
// Click or Enter zooms, arrow keys walk, Escape goes up; a search marks functions and sums them.
import { append, clear, h } from './dom.ts';
import { flames, hasStacks, modulesBySamples, samplesIn, search, type Flame } from './flame_tree.ts';
import { count, percent } from './format.ts';
import { walkByKeys } from './icicle_keys.ts';
import { layout, type Box, type Node } from './icicle_tree.ts';
import { inkOn, Palette } from './palette.ts';
import { section, segmented, type Context, type PageSection } from './section.ts';
import { hideTip, showTip, tipOn } from './tooltip.ts';

/** Rows that are drawn at once: the deepest stacks of a framework reach several hundred. */
const kMostRows = 60;

export const kSection: PageSection = { id: 'flame', name: 'Flame graph', position: 80, make: flameSection, isShown: hasStacks };

function flameSection(context: Context): HTMLElement {
  const host = h('div', {});
  let kind = '';
  const draw = (): void => {
    clear(host);
    const all = flames(context.data, context.selection.pointId);
    const flame = all.find((item) => item.kind === kind) ?? all[0];
    if (!flame) return append(host, h('p', { class: 'gap' }, 'The call stacks of this point were not sampled.'));
    if (all.length > 1) append(host, h('div', { class: 'controls' }, segmented('What was sampled', all.map((item) => ({
      value: item.kind, text: item.kind === 'python' ? 'Python functions' : 'machine code' })), flame.kind, (value) => {
      kind = value;
      draw();
    })));
    append(host, h('p', { class: 'note' }, caption(flame)), picture(flame));
  };
  draw();
  context.selection.onChange(draw);
  return section(context, 'flame', 'Flame graph', host);
}

/** What a sample stands for. */
export function caption(flame: Flame): string {
  const rate = flame.rateHz === null ? '' : ` at ${Number(flame.rateHz.toPrecision(4))} Hz`;
  return flame.kind === 'python'
    ? `${count(flame.root.value)} samples of Python call stacks${rate} of the clock, from every Python thread, whether it ran or waited.`
    : `${count(flame.root.value)} samples of call stacks${rate} of each thread's CPU time; threads that wait are not in it.`;
}

function picture(flame: Flame): HTMLElement {
  const { root } = flame;
  const palette = new Palette(modulesBySamples(root));
  const bars = h('div', { class: 'icicle-bars' });
  const body = h('div', { class: 'icicle-body flame-body' }, bars);
  const result = h('span', { class: 'note', role: 'status' });
  const box = h('input', { type: 'search', placeholder: 'function or module', 'aria-label': 'Mark functions and modules whose name contains' });
  let zoom = root;
  let marked = new Set<Node>();
  const shown = new Map<Node, HTMLButtonElement>();

  const go = (target: Node): void => {
    zoom = target;
    redraw();
    shown.get(zoom)?.focus({ preventScroll: true });
  };

  function redraw(): void {
    clear(bars);
    shown.clear();
    const boxes = layout(zoom, 0.0012).filter((item) => item.node.depth < Math.max(kMostRows, zoom.depth + 10));
    body.style.setProperty('--rows', String(Math.max(...boxes.map((item) => item.node.depth)) + 1));
    for (const item of boxes) {
      const button = boxButton(flame, item, palette, marked);
      button.addEventListener('click', () => {
        hideTip();
        go(item.merged > 1 ? item.node.parent ?? root : item.node === zoom ? zoom.parent ?? root : item.node);
      });
      button.tabIndex = item.node === zoom ? 0 : -1;
      if (item.merged <= 1) shown.set(item.node, button);
      append(bars, button);
    }
  }

  box.addEventListener('input', () => {
    marked = search(root, box.value);
    result.textContent = box.value.trim() === '' ? ''
      : `in ${percent(root.value > 0 ? samplesIn(root, marked) / root.value : 0)} of the samples`;
    redraw();
  });
  walkByKeys(bars, shown, () => {
    if (zoom.parent === null) return false;
    go(zoom.parent);
    return true;
  });
  redraw();
  return h('figure', { class: 'icicle flame', role: 'group', 'aria-label': 'Flame graph: width is the share of samples. Arrow keys walk, Enter zooms, Escape goes up.' },
    h('div', { class: 'controls' }, box, result), body,
    h('figcaption', {}, 'Callers are above callees; colours are modules. Click or Enter zooms in, a click on a function of full width zooms out.'));
}

function boxButton(flame: Flame, box: Box, palette: Palette, marked: ReadonlySet<Node>): HTMLButtonElement {
  const { node } = box;
  const merged = box.merged > 1;
  const label = merged ? `${box.merged} smaller` : node.label;
  const share = flame.root.value > 0 ? node.value / flame.root.value : 0;
  const colour = node.parent === null ? '' : palette.of(node.type);
  const state = marked.size === 0 ? '' : marked.has(node) && !merged ? ' marked' : ' dimmed';
  const button = h('button', {
    type: 'button',
    class: `box ${node.parent === null ? 'model' : 'function'}${merged ? ' merged' : ''}${state}`,
    style: `left:${(box.left * 100).toFixed(4)}%;width:${(box.width * 100).toFixed(4)}%;--row:${node.depth};--colour:${colour || 'transparent'};--ink-on:${colour ? inkOn(colour) : 'inherit'}`,
    'aria-label': merged ? label : `${node.label}, ${percent(share)}, ${count(node.value)} samples`,
  });
  if (box.width > 0.02) append(button, h('span', { class: 'box-name' }, label));
  const facts = merged ? [] : [{ name: 'of all samples', value: percent(share) }, { name: 'samples', value: count(node.value) }, ...node.facts];
  tipOn(button, (x, y) => showTip(x, y, label, facts));
  return button;
}
