// Where boxes lie: the layout of d3-hierarchy against a slow one of its own, on random trees.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layout, type Box, type Node } from '../src/icicle_tree.ts';
import { random } from './make_fixture.ts';

function tree(next: () => number, depth: number, parent: Node | null = null): Node {
  const made: Node = { kind: 'function', label: '', value: Math.floor(next() * 100) - 5, type: null, facts: [], note: '', children: [], parent, depth: 0 };
  if (depth > 0) for (let count = Math.floor(next() * 4); count > 0; count -= 1) made.children.push(tree(next, depth - 1, made));
  return made;
}

/** Children share the width of their parent in proportion to their values; those that exceed it are drawn to fit. */
function slow(node: Node, left: number, width: number): Box[] {
  const parts = node.children.reduce((sum, child) => sum + Math.max(0, child.value), 0);
  const whole = Math.max(parts, node.value);
  const out: Box[] = [{ node, left, width, merged: 0 }];
  let at = left;
  for (const child of node.children) {
    const size = whole > 0 ? (Math.max(0, child.value) / whole) * width : 0;
    out.push(...slow(child, at, size));
    at += size;
  }
  return out;
}

test('boxes lie where a slow layout puts them', () => {
  const next = random(7);
  for (let turn = 0; turn < 200; turn += 1) {
    const root = tree(next, 4);
    root.value = Math.max(root.value, 1);
    const expected = new Map(slow(root, 0, 1).map((box) => [box.node, box]));
    const boxes = layout(root, 0);
    assert.equal(boxes.length, expected.size);
    for (const box of boxes) {
      assert.ok(Math.abs(box.left - expected.get(box.node)!.left) < 1e-9);
      assert.ok(Math.abs(box.width - expected.get(box.node)!.width) < 1e-9);
    }
  }
});
