// Both trees in one: modules, operators and kernels with the time of each side, and the difference.
import type { VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { digits, duration, plural, scaleFor, type Scale } from '../format.ts';
import { h } from '../markup.ts';
import { Segmented } from '../section.ts';
import { shapeText } from '../shape_text.ts';
import { shortName } from '../short_name.ts';
import { tipOn, showTip, type Fact } from '../tooltip.ts';
import { change, kSideColours, kVerdicts, part, sideLegend, type Part, type PartProperties } from './frame.ts';
import { pathOf, type Node, type PairView } from './compare_model.ts';

/** Rows that are open at first, and children of one node that are shown before they are asked for. */
const kFirst = 24;
const kChildren = 60;

type Order = 'difference' | 'model';

export const kTree: Part = { id: 'tree', name: 'Side by side', Component: TreePart, isShown: (_model, view) => view.nodes.length > 0 };

function TreePart({ view }: PartProperties): VNode {
  const [order, setOrder] = useState<Order>('difference');
  return part('tree', 'Trees side by side',
    h('div', { class: 'controls' }, h(Segmented<Order>, { label: 'Order of the rows', options: [{ value: 'difference', text: 'Largest difference first' }, { value: 'model', text: 'Order of the model' }], chosen: order, onChange: setOrder })),
    sideLegend(view), h(Tree, { view, order }),
    h('p', { class: 'keys' }, h('kbd', {}, '\u2191'), h('kbd', {}, '\u2193'), ' rows\u2002', h('kbd', {}, '\u2192'), h('kbd', {}, '\u2190'), ' open, close\u2002'),
    view.pair.rows.rows_left_out > 0 && h('p', { class: 'note' }, `The page carries the ${plural(view.nodes.length, 'row')} with the largest differences; ${plural(view.pair.rows.rows_left_out, 'other')} are left out. All: xsp compare --format json.`));
}

/** Which nodes are open at first: always that with the largest difference, while there is room. */
export function openAtFirst(roots: readonly Node[], most: number): Set<Node> {
  const open = new Set<Node>();
  const shown = [...roots];
  let count = shown.length;
  for (;;) {
    // What a chain ends in is worth a line more.
    if (count > 2 * most) return open;
    const next = shown.filter((node) => node.children.length > 0 && !open.has(node))
      .reduce<Node | null>((largest, node) => (largest === null || Math.abs(node.difference) > Math.abs(largest.difference) ? node : largest), null);
    if (!next || (count + next.children.length > most && next.children.length > 1)) return open;
    open.add(next);
    shown.push(...next.children);
    count += next.children.length;
  }
}

/** What all rows of a tree share. */
interface Scales {
  view: PairView;
  scale: Scale;
  /** The longest bar, ns. */
  longest: number;
  hasVerdicts: boolean;
}

function scalesOf(view: PairView): Scales {
  return {
    view,
    scale: scaleFor(view.nodes.filter((node) => node.above === null || node.above.above === null).flatMap((node) => [node.a_ns, node.b_ns, node.difference]), 'ns'),
    longest: Math.max(1, ...view.roots.flatMap((node) => [Math.abs(node.a_ns ?? 0), Math.abs(node.b_ns ?? 0)])),
    hasVerdicts: view.nodes.some((node) => node.verdict !== 'unknown_noise'),
  };
}

function inOrder(nodes: readonly Node[], order: Order): readonly Node[] {
  if (order === 'model') return nodes;
  return [...nodes].sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference) || Math.max(y.a_ns ?? 0, y.b_ns ?? 0) - Math.max(x.a_ns ?? 0, x.b_ns ?? 0));
}

/** A line of the tree: a node, or what is not shown of the children of one. */
type Line = { level: number; node: Node } | { level: number; more: number; above: Node | null } | { level: number; leftOut: number };

function linesOf(view: PairView, order: Order, open: ReadonlySet<Node>, whole: ReadonlySet<Node | null>): Line[] {
  const lines: Line[] = [];
  const add = (nodes: readonly Node[], above: Node | null, level: number): void => {
    const sorted = inOrder(nodes, order);
    const shown = whole.has(above) ? sorted : sorted.slice(0, kChildren);
    for (const node of shown) {
      lines.push({ level, node });
      if (open.has(node)) add(node.children, node, level + 1);
    }
    if (shown.length < sorted.length) lines.push({ level, more: sorted.length - shown.length, above });
    if ((above?.left_out ?? 0) > 0) lines.push({ level, leftOut: above!.left_out! });
  };
  add(view.roots, null, 1);
  return lines;
}

function toggled<Item>(items: ReadonlySet<Item>, item: Item): Set<Item> {
  const next = new Set(items);
  if (!next.delete(item)) next.add(item);
  return next;
}

function Tree({ view, order }: { view: PairView; order: Order }): VNode {
  const scales = useMemo(() => scalesOf(view), [view]);
  const [open, setOpen] = useState<ReadonlySet<Node>>(() => openAtFirst(view.roots, kFirst));
  const [whole, setWhole] = useState<ReadonlySet<Node | null>>(new Set());
  const [at, setAt] = useState<Node | null>(() => inOrder(view.roots, 'difference')[0] ?? null);
  const hasToFocus = useRef(false);
  const body = useRef<HTMLDivElement>(null);
  const lines = linesOf(view, order, open, whole);
  const focus = (node: Node): void => {
    hasToFocus.current = true;
    setAt(node);
  };
  const toggle = (node: Node): void => {
    if (node.children.length > 0) setOpen(toggled(open, node));
    focus(node);
  };
  useLayoutEffect(() => {
    if (!hasToFocus.current) return;
    hasToFocus.current = false;
    body.current!.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus({ preventScroll: false });
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (at === null || (event.target as Element).tagName === 'BUTTON') return;
    const visible = lines.flatMap((line) => ('node' in line ? [line.node] : []));
    if (pressed(event.key, at, visible, open, focus, toggle)) event.preventDefault();
  };
  return h('div', { class: 'tree', role: 'treegrid', 'aria-label': `${view.a} and ${view.b}: time of modules, operators and kernels` },
    h('div', { role: 'rowgroup' }, treeHead(scales)),
    h('div', { role: 'rowgroup', ref: body, onKeyDown }, lines.map((line) => {
      if ('node' in line) return row(scales, line.node, line.level, line.node === at, open.has(line.node), () => toggle(line.node));
      return h('div', { role: 'row', class: 'more' in line ? 'tree-more' : 'tree-more note' }, h('div', { role: 'gridcell', style: `padding-left:${indent(line.level)}` }, 'more' in line
        ? h('button', { type: 'button', class: 'more', onClick: () => setWhole(toggled(whole, line.above)) }, `Show ${line.more} more`)
        : `${plural(line.leftOut, 'row')} with smaller differences not on this page`));
    })));
}

/** What a key does at a node; false: nothing. */
function pressed(key: string, node: Node, visible: readonly Node[], open: ReadonlySet<Node>, focus: (node: Node) => void, toggle: (node: Node) => void): boolean {
  const at = visible.indexOf(node);
  const go = (to: Node | undefined | null): void => {
    if (to) focus(to);
  };
  switch (key) {
    case 'ArrowDown': go(visible[at + 1]); break;
    case 'ArrowUp': go(visible[at - 1]); break;
    case 'Home': go(visible[0]); break;
    case 'End': go(visible.at(-1)); break;
    case 'ArrowRight':
      if (node.children.length > 0 && !open.has(node)) toggle(node);
      else go(visible[at + 1]?.above === node ? visible[at + 1] : null);
      break;
    case 'ArrowLeft':
      if (open.has(node)) toggle(node);
      else go(node.above);
      break;
    case 'Enter': case ' ': toggle(node); break;
    default: return false;
  }
  return true;
}

function treeHead({ view, scale, hasVerdicts }: Scales): VNode {
  const heading = (text: string, className: string): VNode => h('div', { role: 'columnheader', class: className }, text);
  return h('div', { role: 'row', class: 'tree-row tree-head' }, heading('', 'tree-name'), heading('', 'tree-bars'),
    heading(`${view.a}, ${scale.unit}`, 'tree-number'), heading(`${view.b}, ${scale.unit}`, 'tree-number'), heading(`difference, ${scale.unit}`, 'tree-number'), heading(hasVerdicts ? 'verdict' : '', 'tree-note'));
}

function row(scales: Scales, node: Node, level: number, isCurrent: boolean, isOpen: boolean, toggle: () => void): VNode {
  const isParent = node.children.length > 0;
  const { text } = scales.scale;
  const name = shortName(node.name ?? '');
  // An operator without tensors may have the shape "null".
  const shape = node.kind === 'operator' && node.shape !== 'null' ? shapeText(node.shape) || null : null;
  const number = (value: number | null): VNode =>
    h('div', { role: 'gridcell', class: 'tree-number', title: value === null ? 'not in this side' : duration(value) }, value === null ? '\u2013' : text(value).replace(/^-/, '\u2212'));
  return h('div', {
    ...tipOn((x, y) => showTip(x, y, node.name ?? '', facts(scales.view, node))),
    key: node.index, role: 'row', class: `tree-row ${node.kind}`, tabindex: isCurrent ? 0 : -1, 'aria-level': level,
    'aria-expanded': isParent ? String(isOpen) : null, onClick: toggle,
  },
  h('div', { role: 'rowheader', class: 'tree-name', style: `padding-left:${indent(level)}` },
    h('span', { class: 'tree-toggle', 'aria-hidden': 'true' }, isParent ? (isOpen ? '\u25be' : '\u25b8') : ''),
    node.kind === 'module' || node.kind === 'operator' ? name : h('code', {}, name),
    node.b_name !== null && h('span', { class: 'note other-name' }, ' \u2194 ', node.kind === 'operator' ? shortName(node.b_name) : h('code', {}, shortName(node.b_name))),
    shape !== null && h('span', { class: 'note' }, ` ${shape}`)),
  h('div', { role: 'gridcell', class: 'tree-bars', 'aria-hidden': 'true' }, bar(scales, node.a_ns, 0), bar(scales, node.b_ns, 1)),
  number(node.a_ns), number(node.b_ns),
  h('div', { role: 'gridcell', class: `tree-number change ${change(node.difference)}`, title: duration(node.difference) }, (node.difference > 0 ? '+' : '') + text(node.difference).replace(/^-/, '\u2212')),
  h('div', { role: 'gridcell', class: 'tree-note' }, note(scales, node)));
}

function bar({ longest }: Scales, value: number | null, side: 0 | 1): VNode {
  const share = Math.max(0, Math.min(1, (value ?? 0) / longest));
  return h('span', { class: side === 0 ? 'tree-bar left' : 'tree-bar right' }, h('span', { style: `width:${(share * 100).toFixed(2)}%;background:${kSideColours[side]}` }));
}

function note({ view, hasVerdicts }: Scales, node: Node): VNode | string {
  if (node.a_ns === null) return h('span', { class: 'only' }, `only in ${view.b}`);
  if (node.b_ns === null) return h('span', { class: 'only' }, `only in ${view.a}`);
  return hasVerdicts ? kVerdicts[node.verdict ?? 'unknown_noise'] : '';
}

function facts(view: PairView, node: Node): Fact[] {
  return [
    { name: 'kind', value: node.kind ?? '' },
    ...(node.above ? [{ name: 'in', value: pathOf(node).slice(0, -1).join(' / ') }] : []),
    { name: view.a, value: node.a_ns === null ? 'does not have it' : duration(node.a_ns) },
    { name: view.b, value: node.b_ns === null ? 'does not have it' : duration(node.b_ns) },
    ...(node.ratio !== null ? [{ name: 'ratio', value: `${digits(node.ratio)}${node.low !== null && node.high !== null ? ` (95\u00a0% interval ${digits(node.low)} to ${digits(node.high)})` : ''}` }] : []),
    ...(node.b_name !== null ? [{ name: `in ${view.b}`, value: node.b_name }] : []),
    ...(node.b_path !== null ? [{ name: `its place in ${view.b}`, value: node.b_path }] : []),
  ];
}

/** Deep levels are indented less, so that names keep their room. */
function indent(level: number): string {
  return `${(level - 1) * 14 > 140 ? 140 : (level - 1) * 14}px`;
}
