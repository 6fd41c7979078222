// The trees behind the flame graph: the rows of the analysis `flame_graph`, which lie callers first,
// as nodes whose width is a number of samples.
import { values } from './columns.ts';
import { count, duration, percent } from './format.ts';
import type { Node } from './icicle_tree.ts';
import type { AnalysisView, ReportData } from './report_data.ts';

/** What was sampled of one point: machine code or Python functions. */
export interface Flame {
  kind: string;
  /** Samples per second of a thread's time; null: not known. */
  rateHz: number | null;
  /** Stands above all roots. */
  root: Node;
}

function analysisOf(data: ReportData): AnalysisView | undefined {
  return data.analyses.find((analysis) => analysis.id === 'flame_graph');
}

/** Whether the document holds call stacks. */
export function hasStacks(data: ReportData): boolean {
  return values(analysisOf(data)?.table[0]).length > 0;
}

/** The trees of a point, in the order of the table; empty where nothing of it was sampled. */
export function flames(data: ReportData, pointId: number): Flame[] {
  const analysis = analysisOf(data);
  if (!analysis) return [];
  const column = (name: string): unknown[] => values(analysis.table[analysis.columns.findIndex((item) => item.name === name)]);
  const [points, kinds, depths, functions, modules, samples, own, times, layers, layerShares, rates] = [
    'point_id', 'kind', 'depth', 'function', 'module', 'samples', 'self_samples', 'time_ns', 'layer', 'layer_share', 'rate_hz',
  ].map(column) as [number[], string[], number[], string[], string[], number[], number[], (number | null)[], (string | null)[], (number | null)[], (number | null)[]];
  const found = new Map<string, Flame>();
  const open = new Map<string, Node[]>(); // By kind: the node of each depth that rows below hang on.
  points.forEach((point, row) => {
    if (point !== pointId) return;
    const kind = kinds[row]!;
    if (!found.has(kind)) {
      const root = node(kind === 'python' ? 'all Python threads' : 'all threads', 0, null, -1);
      found.set(kind, { kind, rateHz: rates[row] ?? null, root });
      open.set(kind, [root]);
    }
    const above = open.get(kind)!;
    const depth = depths[row]!;
    const parent = above[depth];
    if (!parent) return; // Its caller was cut off the document.
    const made = node(functions[row]!.replaceAll('\u00a0', ''), samples[row]!, parent, depth);
    made.type = modules[row] || null;
    if (made.type) made.facts.push({ name: kind === 'python' ? 'file' : 'module', value: made.type });
    made.facts.push({ name: 'in itself', value: `${count(own[row]!)} samples` });
    if (times[row] !== null) made.facts.push({ name: kind === 'python' ? 'thread time' : 'CPU time', value: duration(times[row]) });
    const layer = layers[row];
    if (layer) made.facts.push({ name: 'mostly in layer', value: `${layer} (${percent(layerShares[row] ?? null)})` });
    above.length = depth + 1;
    above.push(made);
  });
  for (const flame of found.values())
    flame.root.value = flame.root.children.reduce((sum, child) => sum + child.value, 0);
  return [...found.values()];
}

function node(label: string, value: number, parent: Node | null, depth: number): Node {
  const made: Node = { kind: 'function', label, value, type: null, facts: [], note: '', children: [], parent, depth: depth + 1 };
  parent?.children.push(made);
  return made;
}

/** The nodes whose function or module holds `text`, whatever the case of letters; none for ''. */
export function search(root: Node, text: string): Set<Node> {
  const wanted = text.trim().toLowerCase();
  const found = new Set<Node>();
  const walk = (item: Node): void => {
    if (item.label.toLowerCase().includes(wanted) || (item.type ?? '').toLowerCase().includes(wanted)) found.add(item);
    item.children.forEach(walk);
  };
  if (wanted !== '') root.children.forEach(walk);
  return found;
}

/** The samples in which one of `nodes` is on the stack, each once. */
export function samplesIn(root: Node, nodes: ReadonlySet<Node>): number {
  const below = (item: Node): number =>
    nodes.has(item) ? item.value : item.children.reduce((sum, child) => sum + below(child), 0);
  return below(root);
}

/** The modules with the most samples of their own, the most first. */
export function modulesBySamples(root: Node): string[] {
  const own = new Map<string, number>();
  const walk = (item: Node): void => {
    const inside = item.value - item.children.reduce((sum, child) => sum + child.value, 0);
    if (item.type) own.set(item.type, (own.get(item.type) ?? 0) + inside);
    item.children.forEach(walk);
  };
  walk(root);
  return [...own].sort((a, b) => b[1] - a[1]).map(([module]) => module);
}
