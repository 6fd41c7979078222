// What the parts of the page draw: the rows of a pair as a tree, sums of them, labels of the sides.
import { rows } from '../columns.ts';
import type { CompareData, CompareRow, Pair, Series } from '../compare_data.ts';
import { labels, shortPaths } from './side_labels.ts';

type Known<Row> = { [Name in keyof Row]: Row[Name] | null };

/** A node of both trees, or of one. */
export interface Node extends Known<CompareRow> {
  index: number;
  above: Node | null;
  children: Node[];
  /** b - a, ns; a side that lacks it counts as 0. */
  difference: number;
}

/** One pair with its tree. */
export interface PairView {
  pair: Pair;
  a: string;
  b: string;
  nodes: Node[];
  /** Those without a parent. */
  roots: Node[];
}

export interface CompareModel {
  data: CompareData;
  /** Short names of `data.sides`. */
  sides: string[];
  /** Short names of `data.series`. */
  series: string[];
  views: PairView[];
}

export function makeModel(data: CompareData): CompareModel {
  const sides = sideLabels(data);
  return {
    data, sides, series: seriesLabels(data.series),
    views: data.pairs.map((pair): PairView => {
      const nodes = makeNodes(pair);
      const a = sides[pair.sides[0].side]!;
      return { pair, a, b: pair.sides[1].side === pair.sides[0].side ? `${a} (again)` : sides[pair.sides[1].side]!, nodes, roots: nodes.filter((node) => node.above === null) };
    }),
  };
}

function sideLabels(data: CompareData): string[] {
  const bases = shortPaths(data.sides.map((side) => side.name));
  return labels(data.sides.map((_, index) => {
    const side = data.pairs.flatMap((pair) => pair.sides).find((item) => item.side === index);
    return [bases[index]!, side?.backend ?? null, side && side.batch !== null ? `batch ${side.batch}` : null, side?.precision ?? null, side?.device ?? null, side?.model ?? null];
  }));
}

function seriesLabels(series: readonly Series[]): string[] {
  return labels(series.map((item) => [item.experiment, item.backend, item.device, item.precision, item.model, item.settings]));
}

function makeNodes(pair: Pair): Node[] {
  const nodes: Node[] = [];
  const all = rows<CompareRow>(pair.rows.columns, ['parent', 'name', 'b_name', 'kind', 'leaf', 'a_ns', 'b_ns', 'verdict', 'ratio', 'low', 'high', 'shape', 'b_path', 'left_out']);
  for (const [index, row] of all.entries()) {
    const above = row.parent === null || row.parent < 0 ? null : nodes[row.parent] ?? null;
    const node: Node = { ...row, index, above, children: [], difference: (row.b_ns ?? 0) - (row.a_ns ?? 0) };
    above?.children.push(node);
    nodes.push(node);
  }
  return nodes;
}

/** Names from the top to the node. */
export function pathOf(node: Node): string[] {
  const names: string[] = [];
  for (let at: Node | null = node; at; at = at.above) names.unshift(at.name ?? '');
  return names;
}

export function isWork(node: Node): boolean {
  return node.leaf === true;
}

/** The operator that a node is, or is in. */
export function operatorOf(node: Node): Node | null {
  for (let at: Node | null = node; at; at = at.above) if (at.kind === 'operator') return at;
  return null;
}

export type Grouping = 'types' | 'modules' | 'operators' | 'leaves';

/** A part of the difference. Those of one grouping share no time. */
export interface Contribution {
  name: string;
  /** For hover: where it is, or of how many it is the sum. */
  detail: string;
  a: number | null;
  b: number | null;
  difference: number;
}

/** The parts of a pair's difference by `grouping`, the largest first. They need not add up to the
    whole: rows that the page lacks, and time in no row, are in none. */
export function contributions(view: PairView, grouping: Grouping): Contribution[] {
  const list = grouping === 'types' ? byType(view) : (grouping === 'modules' ? modules(view) : grouping === 'operators' ? operators(view) : view.nodes.filter(isWork)).map(ofNode);
  return list.filter((item) => item.difference !== 0).sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference));
}

function ofNode(node: Node): Contribution {
  const path = pathOf(node);
  return { name: path.slice(-1)[0]!, detail: path.slice(0, -1).join(' / '), a: node.a_ns, b: node.b_ns, difference: node.difference };
}

/** Operators, and the work that is in none. */
function operators(view: PairView): Node[] {
  return view.nodes.filter((node) => node.kind === 'operator' || (isWork(node) && operatorOf(node) === null));
}

function byType(view: PairView): Contribution[] {
  return view.pair.sums.types.rows.map((row) => ({
    name: row.name, detail: row.count > 1 ? `sum of ${row.count}` : row.where, a: row.a_ns, b: row.b_ns, difference: (row.b_ns ?? 0) - (row.a_ns ?? 0),
  }));
}

const kModules = 12;

/** Modules that share no time: that with the largest difference is replaced by those in it, until there are enough. */
function modules(view: PairView): Node[] {
  const parts = [...view.roots];
  for (;;) {
    const next = parts.filter((node) => node.children.some((child) => child.kind === 'module'))
      .sort((x, y) => Math.abs(y.difference) - Math.abs(x.difference))[0];
    if (!next || (parts.length > 1 && parts.length + next.children.length - 1 > kModules)) return parts;
    parts.splice(parts.indexOf(next), 1, ...next.children);
  }
}

/** How many parts there are in all; null: more than the page carries. */
export function partsInAll(view: PairView, grouping: Grouping): number | null {
  if (grouping === 'types') return view.pair.sums.types.rows.length < view.pair.sums.types.total ? view.pair.sums.types.total : contributions(view, grouping).length;
  return view.pair.rows.rows_left_out > 0 ? null : contributions(view, grouping).length;
}

/** Groupings that show something of their own. */
export function groupings(view: PairView): Grouping[] {
  const count = (kind: string): number => view.nodes.filter((node) => node.kind === kind).length;
  const out: Grouping[] = [];
  const types = view.pair.sums.types;
  if (types.total > 1 && types.rows.some((row) => row.count > 1)) out.push('types');
  if (count('module') > 1) out.push('modules');
  if (count('operator') > 1) out.push('operators');
  if (view.nodes.some((node) => isWork(node) && node.kind !== 'operator') || out.length === 0) out.push('leaves');
  return out;
}
