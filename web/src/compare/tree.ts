// Both trees in one: modules, operators and kernels with the time of each side, and the difference.
import { h } from '../dom.ts';
import { digits, duration, plural, scaleFor, type Scale } from '../format.ts';
import { segmented } from '../section.ts';
import { shapeText } from '../shape_text.ts';
import { shortName } from '../short_name.ts';
import { tipOn, showTip } from '../tooltip.ts';
import { change, kSideColours, kVerdicts, part, sideLegend, type Part } from './frame.ts';
import { pathOf, type Node, type PairView } from './compare_model.ts';

/** Rows that are open at first, and children of one node that are shown before they are asked for. */
const kFirst = 24;
const kChildren = 60;

type Order = 'difference' | 'model';

export const kTree: Part = {
  id: 'tree', name: 'Side by side',
  make(_model, view) {
    if (view.nodes.length === 0) return null;
    const tree = new Tree(view);
    return part('tree', 'Trees side by side',
      h('div', { class: 'controls' }, segmented('Order of the rows', [{ value: 'difference', text: 'Largest difference first' }, { value: 'model', text: 'Order of the model' }] as const, 'difference', (value) => tree.orderBy(value))),
      sideLegend(view), tree.element,
      h('p', { class: 'keys' }, h('kbd', {}, '\u2191'), h('kbd', {}, '\u2193'), ' rows\u2002', h('kbd', {}, '\u2192'), h('kbd', {}, '\u2190'), ' open, close\u2002'),
      view.pair.rows.rows_left_out > 0 && h('p', { class: 'note' }, `The page carries the ${plural(view.nodes.length, 'row')} with the largest differences; ${plural(view.pair.rows.rows_left_out, 'other')} are left out. All: xsp compare --format json.`));
  },
};

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

class Tree {
  readonly element: HTMLElement;
  private readonly view: PairView;
  private readonly open: Set<Node>;
  private readonly more = new Set<Node | null>();
  private readonly scale: Scale;
  private readonly longest: number;
  private readonly hasVerdicts: boolean;
  private order: Order = 'difference';
  private focused: Node | null = null;
  private rowOf = new Map<Node, HTMLElement>();
  private readonly body: HTMLElement;

  constructor(view: PairView) {
    this.view = view;
    this.open = openAtFirst(view.roots, kFirst);
    this.scale = scaleFor(view.nodes.filter((node) => node.above === null || node.above.above === null).flatMap((node) => [node.a_ns, node.b_ns, node.difference]), 'ns');
    this.longest = Math.max(1, ...view.roots.flatMap((node) => [Math.abs(node.a_ns ?? 0), Math.abs(node.b_ns ?? 0)]));
    this.hasVerdicts = view.nodes.some((node) => node.verdict !== 'unknown_noise');
    const heading = (text: string, className: string): HTMLElement => h('div', { role: 'columnheader', class: className }, text);
    this.body = h('div', { role: 'rowgroup' });
    this.element = h('div', { class: 'tree', role: 'treegrid', 'aria-label': `${view.a} and ${view.b}: time of modules, operators and kernels` },
      h('div', { role: 'rowgroup' }, h('div', { role: 'row', class: 'tree-row tree-head' }, heading('', 'tree-name'), heading('', 'tree-bars'),
        heading(`${view.a}, ${this.scale.unit}`, 'tree-number'), heading(`${view.b}, ${this.scale.unit}`, 'tree-number'), heading(`difference, ${this.scale.unit}`, 'tree-number'), heading(this.hasVerdicts ? 'verdict' : '', 'tree-note'))),
      this.body);
    this.body.addEventListener('keydown', (event) => this.onKey(event));
    this.focused = this.sorted(view.roots)[0] ?? null;
    this.draw();
  }

  orderBy(order: Order): void {
    this.order = order;
    this.draw();
  }

  private sorted(nodes: readonly Node[]): Node[] {
    if (this.order === 'model') return [...nodes];
    return [...nodes].sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference) || Math.max(y.a_ns ?? 0, y.b_ns ?? 0) - Math.max(x.a_ns ?? 0, x.b_ns ?? 0));
  }

  private draw(): void {
    this.rowOf.clear();
    const rows: HTMLElement[] = [];
    this.add(rows, this.view.roots, null, 1);
    this.body.replaceChildren(...rows);
  }

  private add(rows: HTMLElement[], nodes: readonly Node[], above: Node | null, level: number): void {
    const sorted = this.sorted(nodes);
    const shown = this.more.has(above) ? sorted : sorted.slice(0, kChildren);
    for (const node of shown) {
      const row = this.row(node, level);
      this.rowOf.set(node, row);
      rows.push(row);
      if (this.open.has(node)) this.add(rows, node.children, node, level + 1);
    }
    if (shown.length < sorted.length) {
      const button = h('button', { type: 'button', class: 'more' }, `Show ${sorted.length - shown.length} more`);
      button.addEventListener('click', () => {
        this.more.add(above);
        this.draw();
      });
      rows.push(h('div', { role: 'row', class: 'tree-more' }, h('div', { role: 'gridcell', style: `padding-left:${indent(level)}` }, button)));
    }
    const left = above?.left_out ?? 0;
    if (left > 0) rows.push(h('div', { role: 'row', class: 'tree-more note' }, h('div', { role: 'gridcell', style: `padding-left:${indent(level)}` }, `${plural(left, 'row')} with smaller differences not on this page`)));
  }

  private row(node: Node, level: number): HTMLElement {
    const isParent = node.children.length > 0;
    const isOpen = this.open.has(node);
    const { text } = this.scale;
    const name = shortName(node.name ?? '');
    // An operator without tensors may have the shape "null".
    const shape = node.kind === 'operator' && node.shape !== 'null' ? shapeText(node.shape) || null : null;
    const toggle = h('span', { class: 'tree-toggle', 'aria-hidden': 'true' }, isParent ? (isOpen ? '\u25be' : '\u25b8') : '');
    const number = (value: number | null, className = ''): HTMLElement =>
      h('div', { role: 'gridcell', class: `tree-number ${className}`, title: value === null ? 'not in this side' : duration(value) }, value === null ? '\u2013' : text(value).replace(/^-/, '\u2212'));
    const row = h('div', {
      role: 'row', class: `tree-row ${node.kind}`, tabindex: node === this.focused ? 0 : -1, 'aria-level': level,
      'aria-expanded': isParent ? String(isOpen) : null,
    },
    h('div', { role: 'rowheader', class: 'tree-name', style: `padding-left:${indent(level)}` }, toggle,
      node.kind === 'module' || node.kind === 'operator' ? name : h('code', {}, name),
      node.b_name !== null && h('span', { class: 'note other-name' }, ' \u2194 ', node.kind === 'operator' ? shortName(node.b_name) : h('code', {}, shortName(node.b_name))),
      shape !== null && h('span', { class: 'note' }, ` ${shape}`)),
    h('div', { role: 'gridcell', class: 'tree-bars', 'aria-hidden': 'true' }, this.bar(node.a_ns, 0), this.bar(node.b_ns, 1)),
    number(node.a_ns), number(node.b_ns),
    h('div', { role: 'gridcell', class: `tree-number change ${change(node.difference)}`, title: duration(node.difference) }, (node.difference > 0 ? '+' : '') + text(node.difference).replace(/^-/, '\u2212')),
    h('div', { role: 'gridcell', class: 'tree-note' }, this.note(node)));
    row.addEventListener('click', () => {
      this.focused = node;
      this.toggle(node);
    });
    tipOn(row, (x, y) => showTip(x, y, node.name ?? '', this.facts(node)));
    return row;
  }

  private bar(value: number | null, side: 0 | 1): HTMLElement {
    const share = Math.max(0, Math.min(1, (value ?? 0) / this.longest));
    return h('span', { class: side === 0 ? 'tree-bar left' : 'tree-bar right' }, h('span', { style: `width:${(share * 100).toFixed(2)}%;background:${kSideColours[side]}` }));
  }

  private note(node: Node): HTMLElement | string {
    if (node.a_ns === null) return h('span', { class: 'only' }, `only in ${this.view.b}`);
    if (node.b_ns === null) return h('span', { class: 'only' }, `only in ${this.view.a}`);
    return this.hasVerdicts ? kVerdicts[node.verdict ?? 'unknown_noise'] : '';
  }

  private facts(node: Node): { name: string; value: string }[] {
    return [
      { name: 'kind', value: node.kind ?? '' },
      ...(node.above ? [{ name: 'in', value: pathOf(node).slice(0, -1).join(' / ') }] : []),
      { name: this.view.a, value: node.a_ns === null ? 'does not have it' : duration(node.a_ns) },
      { name: this.view.b, value: node.b_ns === null ? 'does not have it' : duration(node.b_ns) },
      ...(node.ratio !== null ? [{ name: 'ratio', value: `${digits(node.ratio)}${node.low !== null && node.high !== null ? ` (95\u00a0% interval ${digits(node.low)} to ${digits(node.high)})` : ''}` }] : []),
      ...(node.b_name !== null ? [{ name: `in ${this.view.b}`, value: node.b_name }] : []),
      ...(node.b_path !== null ? [{ name: `its place in ${this.view.b}`, value: node.b_path }] : []),
    ];
  }

  private toggle(node: Node): void {
    if (node.children.length > 0) {
      if (!this.open.delete(node)) this.open.add(node);
    }
    this.draw();
    this.focus(node);
  }

  private focus(node: Node): void {
    const before = this.focused && this.rowOf.get(this.focused);
    before?.setAttribute('tabindex', '-1');
    this.focused = node;
    const row = this.rowOf.get(node);
    row?.setAttribute('tabindex', '0');
    row?.focus({ preventScroll: false });
  }

  private onKey(event: KeyboardEvent): void {
    const node = this.focused;
    if (!node || (event.target as Element).tagName === 'BUTTON') return;
    const visible = [...this.rowOf.keys()];
    const at = visible.indexOf(node);
    const go = (to: Node | undefined | null): void => {
      if (to) this.focus(to);
    };
    switch (event.key) {
      case 'ArrowDown': go(visible[at + 1]); break;
      case 'ArrowUp': go(visible[at - 1]); break;
      case 'Home': go(visible[0]); break;
      case 'End': go(visible.at(-1)); break;
      case 'ArrowRight':
        if (node.children.length > 0 && !this.open.has(node)) this.toggle(node);
        else go(visible[at + 1]?.above === node ? visible[at + 1] : null);
        break;
      case 'ArrowLeft':
        if (this.open.has(node)) this.toggle(node);
        else go(node.above);
        break;
      case 'Enter': case ' ': this.toggle(node); break;
      default: return;
    }
    event.preventDefault();
  }
}

/** Deep levels are indented less, so that names keep their room. */
function indent(level: number): string {
  return `${(level - 1) * 14 > 140 ? 140 : (level - 1) * 14}px`;
}
