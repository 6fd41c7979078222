// The page of `xsp compare -o`: the verdict, then the evidence, part by part, of the pair that is chosen.
import { append, clear, h } from './dom.ts';
import { finishPage, followScroll, showFailure, themeButton } from './page_frame.ts';
import { copyButton } from './copy_button.ts';
import { date } from './format.ts';
import { kFormatVersion, type CompareData } from './compare_data.ts';
import { kBatches } from './compare/batches.ts';
import { makeModel, type CompareModel, type PairView } from './compare/compare_model.ts';
import { kDevice } from './compare/device.ts';
import { part, type Part } from './compare/frame.ts';
import { kLone } from './compare/lone_work.ts';
import { kRooflines } from './compare/rooflines.ts';
import { kTimelines } from './compare/timelines.ts';
import { kDifferences, pageTitle, titleBlock } from './compare/title.ts';
import { kTree } from './compare/tree.ts';
import { kWaterfall } from './compare/waterfall.ts';

function readDocument(): CompareData {
  const data = JSON.parse(document.getElementById('report-data')?.textContent ?? '') as CompareData;
  if (data.format_version !== kFormatVersion)
    throw new Error(`this page reads format ${kFormatVersion} of the document; it holds format ${data.format_version}`);
  if (!Array.isArray(data.pairs) || data.pairs.length === 0) throw new Error('it holds no comparison');
  return data;
}

/** In the order in which they are read. */
function partsOf(model: CompareModel): Part[] {
  const ofPair = [kDifferences, kWaterfall, kTree, kLone, kDevice, kTimelines, kRooflines];
  // Of many sides the picture of all comes first.
  return model.sides.length > 2 ? [kBatches, ...ofPair, kMethod] : [...ofPair, kBatches, kMethod];
}

const kMethod: Part = {
  id: 'method', name: 'How this was made',
  make(model, view) {
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
    return part('method', 'How this was made', ...notes.map((text) => h('p', {}, text)),
      model.data.command !== '' && h('div', { class: 'command' }, h('pre', { tabindex: 0 }, h('code', {}, model.data.command)), copyButton('the command', model.data.command)),
      h('p', { class: 'note' }, `Made ${date(model.data.generated_at)} by XSP ${model.data.xsp_version}.`));
  },
};

/** Which pair is shown, where there are several. */
function pairSwitch(model: CompareModel, shown: number, choose: (index: number) => void): HTMLElement | null {
  if (model.views.length < 2) return null;
  const select = h('select', { 'aria-label': 'Pair shown' }, ...model.views.map((view, index) =>
    h('option', { value: index, selected: index === shown }, `${view.a} \u2192 ${view.b}`)));
  select.addEventListener('change', () => choose(Number(select.value)));
  return h('div', { class: 'switch' }, h('span', { class: 'switch-name', 'aria-hidden': 'true' }, 'Pair'), select);
}

function makePage(data: CompareData): void {
  const model = makeModel(data);
  document.title = `${pageTitle(model)} \u00b7 XSP comparison`;
  const main = h('main', {});
  const [side, menu] = [h('nav', { class: 'side', 'aria-label': 'Sections' }), h('nav', { 'aria-label': 'Sections, small screens' })];
  const show = (view: PairView): void => {
    const made = partsOf(model).map((item) => ({ item, element: item.make(model, view) })).filter(({ element }) => element !== null);
    clear(main);
    append(main, titleBlock(model, view), ...made.map(({ element }) => element));
    for (const nav of [side, menu]) nav.replaceChildren(...made.map(({ item }) => h('a', { href: `#${item.id}` }, item.name)));
    followScroll(side);
  };
  const bar = h('div', { class: 'bar' },
    h('a', { class: 'bar-name', href: '#title' }, pageTitle(model)),
    h('details', { class: 'menu' }, h('summary', {}, 'Sections'), menu),
    h('span', { class: 'push' }), pairSwitch(model, 0, (index) => show(model.views[index]!)), themeButton());
  append(document.body, h('a', { class: 'skip', href: '#title' }, 'Skip to the verdict'), bar, h('div', { class: 'page' }, side, main));
  show(model.views[0]!);
  finishPage(bar);
}

try {
  makePage(readDocument());
} catch (error) {
  showFailure(error);
  throw error;
}
