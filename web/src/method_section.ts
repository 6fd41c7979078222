// Part 10: how this was measured: the ladder of rungs, every sample, matching, losses, the machine
// and its roofs, and the command that makes it again.
import type { VNode } from 'preact';
import { ChartHost } from './chart_host.ts';
import { rows } from './columns.ts';
import { CopyButton } from './copy_button.ts';
import { dataTable } from './data_table.tsx';
import { linearTicks, tickText, xAxis, type Frame } from './axis.ts';
import { axisScale, count, date, duration, percent, plural, quantity } from './format.ts';
import { h, prose, type Child } from './markup.ts';
import type { Roof, Run } from './model.ts';
import type { FactGroup } from './report_data.ts';
import type { DiagnosticRow, MatchRow } from './schema_types.ts';
import { samplePlot } from './sample_plot.ts';
import { behind, cutNotes, Section, type Context, type PageSection } from './section.ts';

export const kSection: PageSection = { id: 'method', name: 'Method', position: 110, Component: MethodSection };

function MethodSection({ context }: { context: Context }): VNode {
  const { notes } = context.data.method;
  return h(Section, { context, id: 'method', title: 'How this was measured' },
    notes.map((note) => h('p', {}, prose(note))),
    part('method-ladder', 'Latency and overhead by rung', h(Ladder, { context }), behind('All runs as a table', () => runTable(context))),
    part('method-samples', 'Samples', h(Samples, { context }), cutNotes(context, 'samples')),
    part('method-matching', 'Matching and attribution', matching(context)),
    part('method-losses', 'Diagnostics', losses(context)),
    part('method-stack', 'Machine', machine(context)),
    part('method-command', 'Command', command(context)));
}

function part(id: string, title: string, ...children: Child[]): VNode {
  return h('section', { id, class: 'part' }, h('h3', {}, title), children);
}

const kThrownAway = new Set(['counters', 'details']);
const kProfiled = new Set(['layer', 'library', 'kernel']);

function Ladder({ context }: { context: Context }): VNode {
  const view = context.model.view(context.selection.pointId);
  const runs = view.runs.filter((run) => run.latency_ns !== null && run.process_pair === null);
  if (runs.length === 0) return h('p', { class: 'gap' }, 'No run of this point has a latency.');
  return h('div', {},
    h('p', { class: 'note' }, `${view.label}: latency of a model call in each run, with its 95 % interval; each rung profiles deeper than the one above it; the text beside a bar is its overhead.`),
    h('figure', {}, h(ChartHost, { draw: (width) => ladderChart(runs, width) })));
}

function ladderChart(runs: readonly Run[], width: number): VNode {
  const scale = axisScale(runs.map((run) => run.latency_ns), 'ns');
  const row = 34;
  const frame: Frame = { left: 74, right: width - (width < 560 ? 8 : 210), top: 4, bottom: runs.length * row + 4 };
  const top = Math.max(...runs.map((run) => Math.max(run.latency_high_ns ?? 0, run.latency_ns!))) * scale.factor;
  const x = (shown: number): number => frame.left + (shown / top) * (frame.right - frame.left);
  return h('svg', { width, height: frame.bottom + 36, viewBox: `0 0 ${width} ${frame.bottom + 36}`, role: 'img', 'aria-label': 'Latency of each rung; the table below has the numbers' },
    xAxis(frame, linearTicks(top, Math.max(2, Math.floor((frame.right - frame.left) / 90))), x, tickText, true),
    h('text', { class: 'axis-title', x: (frame.left + frame.right) / 2, y: frame.bottom + 32, 'text-anchor': 'middle' }, `latency, ${scale.unit}`),
    runs.map((run, index) => {
      const y = frame.top + index * row;
      const at = (ns: number): number => x(ns * scale.factor);
      const [low, high] = [run.latency_low_ns, run.latency_high_ns];
      return [
        h('text', { class: 'row-name', x: frame.left - 8, y: y + 17, 'text-anchor': 'end' }, run.rung ?? ''),
        h('rect', { class: kThrownAway.has(run.rung ?? '') ? 'rung thrown' : 'rung', x: frame.left, y: y + 5, width: Math.max(1, at(run.latency_ns!) - frame.left), height: 16 }),
        low !== null && high !== null && h('path', { class: 'interval', d: `M${at(low)},${y + 9}v8M${at(high)},${y + 9}v8M${at(low)},${y + 13}H${at(high)}` }),
        h('text', { class: 'row-value', ...(width < 560 ? { x: frame.left + 4, y: y + 31 } : { x: frame.right + 10, y: y + 17 }) }, rungText(run))];
    }));
}

// The latency is that of calls with interference where the run has no others (`TooFewUndisturbed` of src/derive/match): it is printed as that.
function restsOnInterference(run: Run): boolean {
  const undisturbed = (run.samples ?? 0) - (run.disturbed ?? 0);
  return undisturbed < 5 && 2 * undisturbed < (run.samples ?? 0);
}

export function rungText(run: Run): string {
  if (kThrownAway.has(run.rung ?? '')) return `${duration(run.latency_ns)}, times not used`;
  if (restsOnInterference(run)) return `${duration(run.latency_ns)}, calls with interference`;
  const interval = run.overhead_ratio_low === null || run.overhead_ratio_high === null ? ''
    : `, ${percent(run.overhead_ratio_low)} to ${percent(run.overhead_ratio_high)}`;
  const overhead = run.overhead_ratio === null || run.overhead_ns === null
    ? (kProfiled.has(run.rung ?? '') ? ', overhead not separable' : '')
    : `, ${run.overhead_ns < 0 ? '\u2212' : '+'}${duration(Math.abs(run.overhead_ns))} (${percent(run.overhead_ratio)}${interval})`;
  return duration(run.latency_ns) + overhead;
}

function runTable(context: Context): VNode {
  return dataTable<Run>({
    label: 'All runs', rows: context.model.runs, first: 40, rowClass: (run) => (run.status === 'failed' ? 'failed' : null),
    columns: [
      { title: 'run', value: (run) => run.run_id },
      { title: 'point', text: (run) => context.model.label(run.point_id) },
      { title: 'rung', text: (run) => run.rung },
      { title: 'status', text: (run) => run.status },
      { title: 'latency', unit: 'ns', value: (run) => run.latency_ns, help: 'Trimmed mean of the samples without interference' },
      { title: 'low', unit: 'ns', value: (run) => run.latency_low_ns, help: '95 % interval' },
      { title: 'high', unit: 'ns', value: (run) => run.latency_high_ns, help: '95 % interval' },
      { title: 'overhead', unit: 'ratio', value: (run) => run.overhead_ratio, help: 'Over the rung above' },
      { title: 'overhead low', unit: 'ratio', value: (run) => run.overhead_ratio_low, help: '95 % interval' },
      { title: 'overhead high', unit: 'ratio', value: (run) => run.overhead_ratio_high, help: '95 % interval' },
      { title: 'compared', text: (run) => run.overhead_basis, help: 'The calls that the overhead compares' },
      { title: 'baseline', unit: 'ns', value: (run) => run.baseline_ns, help: 'Calls of the rung above in that comparison' },
      { title: 'p50', unit: 'ns', value: (run) => run.p50_ns },
      { title: 'p95', unit: 'ns', value: (run) => run.p95_ns },
      { title: 'p99', unit: 'ns', value: (run) => run.p99_ns },
      { title: 'min', unit: 'ns', value: (run) => run.min_ns },
      { title: 'variation', unit: 'ratio', value: (run) => run.variation },
      { title: 'samples', value: (run) => run.samples },
      { title: 'interference', value: (run) => run.disturbed },
      { title: 'warm-up', value: (run) => run.warmup },
      { title: 'message', text: (run) => run.message, wide: true },
    ],
  });
}

function Samples({ context }: { context: Context }): VNode {
  const { pointId } = context.selection;
  const plots = context.model.view(pointId).runs.map((run) => ({ run, data: context.model.samplesOf(run.run_id!) })).filter(({ data }) => data.latency.length > 0);
  if (plots.length === 0) return h('p', { class: 'gap' }, 'No samples of this point are known.');
  return h('div', { key: pointId }, plots.map(({ run, data }) => samplePlot(run, data)),
    h('p', { class: 'note' }, 'One dot per model call, in order; a ring is a call with interference and enters no mean, unless the run has no other. The line is the trimmed mean.'));
}

function matching(context: Context): Child[] {
  const { data, model } = context;
  const shares = data.method.attribution.filter((item) => item.share !== null);
  const out: Child[] = [];
  if (shares.length > 0)
    out.push(h('p', {}, 'Kernel time attributed to a layer: ', shares.map((item) => `${percent(item.share)} (${model.label(item.point_id)})`).join(', '), '.'));
  const matches = rows<MatchRow>(data.matches, ['point_id', 'level', 'run_a', 'run_b', 'matched', 'only_a', 'only_b', 'example']);
  if (matches.length === 0) return [...out, h('p', { class: 'note' }, 'One run only: nothing to match.')];
  const rung = (id: number | null): string => {
    const run = model.runs.find((item) => item.run_id === id);
    return run ? `${id} (${run.rung})` : String(id);
  };
  out.push(dataTable({
    label: 'Matching between runs', rows: matches, first: 12,
    rowClass: (row) => ((row.only_a ?? 0) + (row.only_b ?? 0) > 0 ? 'marked' : null),
    columns: [
      { title: 'point', text: (row) => model.label(row.point_id) },
      { title: 'level', text: (row) => row.level },
      { title: 'run', text: (row) => rung(row.run_a) },
      { title: 'with run', text: (row) => (row.run_a === row.run_b ? 'between its iterations' : rung(row.run_b)) },
      { title: 'matched', value: (row) => row.matched },
      { title: 'only in run', value: (row) => row.only_a },
      { title: 'only in the other', value: (row) => row.only_b },
      { title: 'example', text: (row) => row.example, wide: true },
    ],
  }));
  return out;
}

function losses(context: Context): VNode {
  const all = rows<DiagnosticRow & { run_id: number }>(context.data.diagnostics, ['run_id', 'name', 'count', 'example', 'hint']);
  if (all.length === 0) return h('p', {}, 'None: every record was read, placed and stored.');
  return dataTable({
    label: 'Diagnostics', rows: all, first: 20, sort: { column: 1, descending: true },
    columns: [
      { title: 'diagnostic', text: (row) => row.name, code: true },
      { title: 'count', value: (row) => row.count },
      { title: 'run', value: (row) => row.run_id },
      { title: 'example', text: (row) => row.example, wide: true },
      { title: 'remedy', text: (row) => row.hint, wide: true },
    ],
  });
}

/** Facts of one group that are read without asking. */
const kMostFacts = 40;

function factTable(group: FactGroup): VNode {
  return dataTable<FactGroup['facts'][number]>({
    label: group.name, rows: group.facts, first: 100,
    columns: [{ title: 'fact', text: (row) => row.name, wide: true }, { title: 'value', text: (row) => row.value, wide: true }],
  });
}

function machine(context: Context): Child[] {
  const { data, model } = context;
  const groups = h('div', { class: 'fact-groups' }, ...data.stack.map((group) => {
    // A trace may bring the whole environment of its program along.
    if (group.facts.length > kMostFacts) return h('section', { class: 'many' }, h('h4', {}, group.name), behind(plural(group.facts.length, 'fact'), () => factTable(group)));
    return h('section', {}, h('h4', {}, group.name), h('dl', {}, group.facts.map((fact) => [h('dt', {}, fact.name), h('dd', {}, factValue(fact.value))])));
  }));
  if (model.roofs.all.length === 0) return [groups, h('p', { class: 'gap' }, prose('The roofs of this machine are not known: `xsp system` measures them.'))];
  return [groups, h('h4', {}, 'Roofs'), dataTable<Roof>({
    label: 'Roofs', rows: model.roofs.all, first: 30, rowClass: (roof) => (roof.used ? 'marked' : null),
    columns: [
      { title: 'roof', text: (roof) => roof.name },
      { title: 'cores', value: (roof) => roof.cores },
      { title: 'value', text: (roof) => (roof.kind === 'flops' ? `${quantity(roof.value, 'flop/s')}` : quantity(roof.value, 'byte/s')) },
      { title: 'used', text: (roof) => (roof.used ? 'yes' : '') },
      { title: 'provenance', text: (roof) => roof.provenance },
      { title: 'how', text: (roof) => roof.how, wide: true },
    ],
  })];
}

const kLongFact = 160;

/** A long value (a library's build flags) behind its beginning. */
function factValue(value: string): Child {
  if (value.length <= kLongFact) return value;
  return h('details', {}, h('summary', {}, `${value.slice(0, 60).trim()} \u2026`), value);
}

function command(context: Context): Child[] {
  const { data } = context;
  const size = `${plural(context.model.points.length, 'point')}, ${plural(context.model.runs.length, 'run')}`;
  return [
    h('div', { class: 'command' }, h('pre', { tabindex: 0 }, h('code', {}, data.method.reproduce)), h(CopyButton, { what: 'the command', text: data.method.reproduce })),
    h('p', { class: 'note' }, `Experiment ${data.title.experiment}: ${size}. `,
      data.method.seed === null ? '' : `Seed ${count(data.method.seed)}. `,
      `Page created by xsp ${data.xsp_version}, ${date(data.generated_at)}. Numbers show three digits; hover shows all.`),
  ];
}

