// A comparison as one component of its document: the verdict, then the evidence, part by part, of the pair that is chosen.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { CompareData } from './compare_data.ts';
import { kBatches } from './compare/batches.ts';
import { makeModel, type CompareModel } from './compare/compare_model.ts';
import { kDevice } from './compare/device.ts';
import { part, type Part, type PartProperties } from './compare/frame.ts';
import { kLone } from './compare/lone_work.ts';
import { kRooflines } from './compare/rooflines.ts';
import { kTimelines } from './compare/timelines.ts';
import { kDifferences, pageTitle, TitleBlock } from './compare/title.ts';
import { kTree } from './compare/tree.ts';
import { kWaterfall } from './compare/waterfall.ts';
import { CopyButton } from './copy_button.ts';
import { date } from './format.ts';
import { h } from './markup.ts';
import { PageFrame } from './page_frame.ts';

/** In the order in which they are read. */
function partsOf(model: CompareModel): Part[] {
  const ofPair = [kDifferences, kWaterfall, kTree, kLone, kDevice, kTimelines, kRooflines];
  // Of many sides the picture of all comes first.
  return model.sides.length > 2 ? [kBatches, ...ofPair, kMethod] : [...ofPair, kBatches, kMethod];
}

const kMethod: Part = { id: 'method', name: 'How this was made', Component: Method };

function Method({ model, view }: PartProperties): VNode {
  const { pair } = view;
  const notes = [
    pair.basis === 'device'
      ? 'Both sides have device work: times are sums of the durations of kernels, copies and sets, arithmetic means per model call (or step), so that they add up.'
      : 'Times are durations of layers and the time between them, arithmetic means per model call (or step), so that they add up.',
    'Modules are paired by name, operators in order by type and shape, kernels of two paired operators by name, then by what the name says that they do. What has no counterpart is a row of its own.',
    pair.ratio_of === 'latency'
      ? 'The verdict is one on the latency of calls without profiling: Welch\u2019s t test over processes.'
      : 'There are no calls without profiling on both sides: the ratio is that of the totals, without an interval.',
  ];
  return part('method', 'How this was made', notes.map((text) => h('p', {}, text)),
    model.data.command !== '' && h('div', { class: 'command' }, h('pre', { tabindex: 0 }, h('code', {}, model.data.command)), h(CopyButton, { what: 'the command', text: model.data.command })),
    h('p', { class: 'note' }, `Made ${date(model.data.generated_at)} by XSP ${model.data.xsp_version}.`));
}

interface PairSwitchProperties {
  model: CompareModel;
  shown: number;
  choose: (index: number) => void;
}

/** Which pair is shown, where there are several. */
function PairSwitch({ model, shown, choose }: PairSwitchProperties): VNode | null {
  if (model.views.length < 2) return null;
  return h('div', { class: 'switch' }, h('span', { class: 'switch-name', 'aria-hidden': 'true' }, 'Pair'),
    h('select', { 'aria-label': 'Pair shown', value: String(shown), onChange: (event: Event) => choose(Number((event.currentTarget as HTMLSelectElement).value)) },
      model.views.map((view, index) => h('option', { value: String(index) }, `${view.a} \u2192 ${view.b}`))));
}

export function titleOf(data: CompareData): string {
  return pageTitle(makeModel(data));
}

export function ComparePage({ data }: { data: CompareData }): VNode {
  const model = useMemo(() => makeModel(data), [data]);
  const [shown, setShown] = useState(0);
  const view = model.views[shown]!;
  const parts = partsOf(model).filter(({ isShown }) => isShown?.(model, view) ?? true);
  return h(PageFrame, { name: pageTitle(model), places: parts, skip: { to: '#title', text: 'Skip to the verdict' }, tools: h(PairSwitch, { model, shown, choose: setShown }) },
    h(TitleBlock, { model, view }),
    parts.map(({ id, Component }) => h(Component, { key: `${id} ${shown}`, model, view })));
}
