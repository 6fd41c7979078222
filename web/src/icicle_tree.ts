// The tree behind the stack picture: model -> layer type -> layer -> kernel, with what lies between
// layers and what of a layer is in no kernel. Every width is a time.
import { hierarchy, partition, type HierarchyNode, type HierarchyRectangularNode } from 'd3-hierarchy';
import { groupBy, sum } from './columns.ts';
import { duration, percent, plural } from './format.ts';
import type { Kernel, Layer, PointView } from './model.ts';
import type { Fact } from './tooltip.ts';

export interface Node {
  kind: 'model' | 'type' | 'layer' | 'kernel' | 'between' | 'outside' | 'function';
  label: string;
  /** ns. Negative only where the parts of a layer exceed it (`note` says so). */
  value: number;
  /** The layer type whose colour it has. */
  type: string | null;
  facts: Fact[];
  note: string;
  children: Node[];
  parent: Node | null;
  depth: number;
}

function node(kind: Node['kind'], label: string, value: number, type: string | null, children: Node[] = []): Node {
  const made: Node = { kind, label, value, type, facts: [], note: '', children, parent: null, depth: 0 };
  for (const child of children) child.parent = made;
  return made;
}

function setDepth(root: Node, depth: number): void {
  root.depth = depth;
  for (const child of root.children) setDepth(child, depth + 1);
}

const byValue = (a: Node, b: Node): number => b.value - a.value;

/** The tree of one point, or null where it has neither layers nor kernels. */
export function stackTree(view: PointView): Node | null {
  if (view.layers.length === 0) return kernelsOnly(view);
  const layerSum = view.layerSum ?? 0;
  const hasKernels = view.kernels.length > 0;
  const types = [...groupBy(view.layers, (layer) => layer.type)].map(([type, layers]) => {
    const children = layers.map((layer) => layerNode(layer, hasKernels, view)).sort(byValue);
    const made = node('type', type, sum(layers.map((layer) => layer.shown)), type, children);
    made.facts.push({ name: 'layers', value: String(layers.length) });
    return made;
  }).sort(byValue);
  if (view.byDevice) return deviceTree(view, types.filter((type) => type.value > 0));
  const total = view.distorted ? layerSum : Math.max(view.layerRunLatency ?? layerSum, layerSum);
  const between = total - layerSum;
  if (between > 0) {
    const gap = node('between', 'between layers', between, null);
    gap.note = 'Time of the model call outside every layer: the framework between two operators.';
    types.push(gap);
  }
  const root = node('model', view.point.model ?? 'model', total, null, types);
  if (view.distorted)
    root.note = 'Profiling makes that call much longer, mostly between layers: the chart shows only the layers.';
  else if (view.layerRunLatency !== null && view.layerRunLatency < layerSum)
    root.note = `The layers sum to ${duration(layerSum - view.layerRunLatency)} more than the model call of their run: they overlap, or their trimmed means differ from its.`;
  setDepth(root, 0);
  return root;
}

/** The device's work by layer type, kernels of no layer, and the time in which the device did nothing. */
function deviceTree(view: PointView, types: Node[]): Node {
  if (view.orphans.length > 0) types.push(kernelNames('no layer', view.orphans));
  types.sort(byValue);
  return withIdle(view, types);
}

function withIdle(view: PointView, types: Node[]): Node {
  const work = sum(types.map((type) => type.value));
  const idle = view.idle;
  // Idle time is known over the whole run, work per call: what counts is how they divide the time.
  const total = idle && idle.share < 1 ? work / (1 - idle.share) : work;
  if (idle && total > work) {
    for (const cause of idle.causes) {
      const made = node('between', `idle: ${cause.text}`, cause.share * total, null);
      made.note = 'Time between the device\u2019s first and last work in which it was idle.';
      types.push(made);
    }
  }
  const root = node('model', view.point.model ?? 'device', total, null, types);
  setDepth(root, 0);
  return root;
}

/** Why kernels can take longer than the layer that holds them. */
export function whyLonger(runs: number): string {
  return runs > 1 ? 'the two are from different runs' : 'they ran on when its call had returned';
}

function layerNode(layer: Layer, hasKernels: boolean, view: PointView): Node {
  const runs = layer.kernelRun === null ? view.runs.length : 1;
  const latency = layer.shown ?? 0;
  // Kernels are drawn as parts of the layer: their own run may have been slower or faster.
  const scale = view.byDevice || !layer.kernelRun ? 1 : latency / layer.kernelRun;
  const kernels = layer.kernels.map((kernel) => {
    const made = node('kernel', kernel.name, (kernel.time ?? 0) * scale, layer.type);
    if (kernel.implementation) made.facts.push({ name: 'implementation', value: kernel.implementation });
    if (kernel.dtype) made.facts.push({ name: 'data type', value: kernel.dtype });
    if (kernel.ofRoof !== null) made.facts.push({ name: 'of the roof', value: percent(kernel.ofRoof) });
    return made;
  }).sort(byValue);
  const made = node('layer', layer.name, latency, layer.type, kernels);
  made.facts.push({ name: 'position', value: String(layer.index) });
  if (layer.shape) made.facts.push({ name: 'shape', value: layer.shape });
  if (view.byDevice) {
    made.facts.push({ name: 'on the host', value: duration(layer.latency) });
    return made;
  }
  if (!hasKernels) return made;
  const outside = latency - (layer.device ?? sum(layer.kernels.map((kernel) => kernel.time))) * scale;
  if (outside < 0) {
    made.note = `Its kernels take ${duration(-outside)} more than the layer: ${whyLonger(runs)}. They are drawn to fit.`;
  } else if (outside > 0) {
    const rest = node('outside', 'not in kernels', outside, layer.type);
    rest.note = 'Time of the layer in which none of its kernels ran.';
    rest.parent = made;
    made.children.push(rest);
  }
  return made;
}

function kernelsOnly(view: PointView): Node | null {
  if (view.kernels.length === 0) return null;
  const types = [...groupBy(view.kernels, (kernel) => kernel.type)].map(([type, kernels]) => kernelNames(type, kernels)).sort(byValue);
  const root = withIdle(view, types);
  root.note = 'No layers are known: kernels by type, the sum of their durations.';
  setDepth(root, 0);
  return root;
}

/** Kernels by name under one node. */
function kernelNames(label: string, kernels: Kernel[]): Node {
  const type = kernels[0]?.type ?? null;
  const names = [...groupBy(kernels, (kernel) => kernel.name)].map(([name, same]) => {
    const made = node('kernel', name, sum(same.map((kernel) => kernel.time)), type);
    made.facts.push({ name: 'calls', value: plural(same.length, 'kernel') });
    return made;
  }).sort(byValue);
  return node('type', label, sum(names.map((item) => item.value)), type, names);
}

/** A rectangle to draw: a node, or `merged` neighbours too narrow to be seen alone. */
export interface Box {
  node: Node;
  /** Fractions of the whole width. */
  left: number;
  width: number;
  merged: number;
}

/**
 * Where each node lies when `zoom` takes the whole width: its ancestors above it, its descendants
 * below it. Neighbours narrower than `least` (a fraction of the width) are merged into one box.
 */
export function layout(zoom: Node, least: number): Box[] {
  const boxes: Box[] = [];
  for (let above = zoom.parent; above; above = above.parent) boxes.push({ node: above, left: 0, width: 1, merged: 0 });
  const place = (item: HierarchyRectangularNode<Node>): void => {
    boxes.push({ node: item.data, left: item.x0, width: item.x1 - item.x0, merged: 0 });
    let pending: Box | null = null;
    for (const child of item.children ?? []) {
      const size = child.x1 - child.x0;
      if (size >= least) {
        place(child);
        pending = null;
      } else if (pending) {
        pending.width += size;
        pending.merged += 1;
      } else {
        pending = { node: child.data, left: child.x0, width: size, merged: 1 };
        boxes.push(pending);
      }
    }
  };
  place(partition<Node>()(drawnSizes(zoom)));
  return boxes.filter((box) => box.merged === 0 || box.width >= least / 4);
}

/** The tree below `zoom` with the size at which each node is drawn. Children that exceed their parent are drawn to fit. */
function drawnSizes(zoom: Node): HierarchyNode<Node> {
  return hierarchy(zoom, (item) => item.children).eachBefore((item) => {
    const own = Math.max(0, item.data.value);
    const whole = Math.max(sum((item.children ?? []).map((child) => Math.max(0, child.data.value))), own);
    if (item.parent === null) Object.assign(item, { value: whole });
    // A child has been given its size, which may be less than its value.
    const scale = whole > 0 ? item.value! / whole : 0;
    for (const child of item.children ?? []) Object.assign(child, { value: Math.max(0, child.data.value) * scale });
  });
}
