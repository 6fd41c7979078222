// Two experiments of the site side by side: latencies, layers, stack.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { compareAddress, experimentAddress } from '../../app/addresses.ts';
import { useApp } from '../../app/app_state.ts';
import { quoted } from '../../app/command_line.ts';
import { Command } from '../../app/parts/command.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { Loading } from '../../app/parts/loading.tsx';
import { digits, duration, kUnknown, plural } from '../../format.ts';
import { SimpleTable } from '../parts/simple_table.tsx';
import { isCut, layerPairs, pairsOf, stackDifferences, type LayerPair, type PointPair } from '../site_comparison.ts';
import type { ExperimentEntry, SiteExperiment, SitePoint } from '../site_data.ts';
import { useSite, useSiteExperiments } from '../use_site.ts';

const kMaxLayers = 100;

function Choice({ label, value, onChange }: { label: string; value: string; onChange: (name: string) => void }): VNode {
  return <label class="filter text-filter">{label}<input type="search" list="site-experiments" value={value} placeholder="name of an experiment" onInput={(event) => onChange(event.currentTarget.value)} /></label>;
}

function Form({ sides }: { sides: readonly string[] }): VNode {
  const app = useApp();
  const { index } = useSite();
  const [a, setA] = useState(sides[0] ?? '');
  const [b, setB] = useState(sides[1] ?? '');
  return (
    <form class="filters" onSubmit={(event) => { event.preventDefault(); app.go(compareAddress([a, b])); }}>
      <datalist id="site-experiments">{index.experiments.map(({ name, model, backend }) => <option value={name}>{[model, backend].filter((part) => part !== '').join(', ')}</option>)}</datalist>
      <Choice label="A" value={a} onChange={setA} />
      <Choice label="B" value={b} onChange={setB} />
      <button type="submit" class="primary" disabled={a === '' || b === ''}>Compare</button>
    </form>
  );
}

const kVerdicts: Record<PointPair['verdict'], string> = { faster: 'B is faster', slower: 'B is slower', no_difference: 'no difference shown', not_known: 'not known: an interval is missing' };

const pointName = ({ backend, device, precision }: SitePoint): string => [backend, device, precision].filter((part) => part !== '').join(', ');

function Latencies({ pairs, chosen, choose }: { pairs: readonly PointPair[]; chosen: number; choose: (index: number) => void }): VNode {
  return (
    <section><h2>Latencies</h2>
      <SimpleTable label="Latencies" rows={pairs.map((pair, index) => ({ ...pair, index }))} columns={[
        { title: 'Layers', cell: ({ index, a }) => <input type="radio" name="pair" aria-label={`Show the layers of batch ${a.batch ?? 'not known'}, ${pointName(a)}`} checked={index === chosen} onChange={() => choose(index)} /> },
        { title: 'Batch', isNumber: true, cell: ({ a }) => a.batch ?? kUnknown },
        { title: 'A', cell: ({ a }) => <bdi>{pointName(a)}</bdi> },
        { title: 'B', cell: ({ b }) => <bdi>{pointName(b)}</bdi> },
        { title: 'A', isNumber: true, cell: ({ a }) => duration(a.latency_ns) },
        { title: 'B', isNumber: true, cell: ({ b }) => duration(b.latency_ns) },
        { title: 'B / A', isNumber: true, cell: ({ ratio }) => digits(ratio) },
        { title: 'At least, at most', isNumber: true, cell: ({ low, high }) => (low !== null && high !== null ? `${digits(low)} to ${digits(high)}` : kUnknown) },
        { title: 'Verdict', cell: ({ verdict }) => kVerdicts[verdict] },
      ]} />
      <p class="note">The bounds of a ratio come from the ends of both 95&nbsp;% intervals: both hold at once with a probability of at least 90&nbsp;%. An interval holds the variation within one experiment; two experiments of one program may differ by more, through the placement of memory or another load. <code>xsp compare</code> also measures that, from processes and earlier experiments.</p>
    </section>
  );
}

function layerColumn(title: string, time: (pair: LayerPair) => number | null): { title: string; isNumber: true; cell: (pair: LayerPair) => string } {
  return { title, isNumber: true, cell: (pair) => (time(pair) === null ? 'none' : duration(time(pair))) };
}

function Layers({ a, b, pair }: { a: SiteExperiment; b: SiteExperiment; pair: PointPair }): VNode {
  const pairs = layerPairs(a, b, pair);
  const common = pairs.filter((layer) => layer.a !== null && layer.b !== null).length;
  const isEitherCut = isCut(a) || isCut(b);
  if (pairs.length === 0) return <section><h2>Layers</h2><p class="note">{isEitherCut ? 'The site has no layer of both: it holds the slowest of each experiment.' : 'Neither experiment has layers of this point.'}</p></section>;
  return (
    <section><h2>Layers</h2>
      <p>{plural(common, 'layer')} of both, matched by the path in the model; {pairs.filter((layer) => layer.b === null).length} only of A, {pairs.filter((layer) => layer.a === null).length} only of B.{pairs.length > kMaxLayers && ` The ${kMaxLayers} with the largest differences are shown.`}{isEitherCut && ' Only the slowest layers of an experiment are on the site; the others are not compared.'}</p>
      <SimpleTable label="Layers" rows={pairs.slice(0, kMaxLayers)} columns={[
        { title: 'Layer', cell: ({ path }) => <bdi>{path}</bdi> },
        { title: 'Type', cell: ({ type }) => <bdi>{type}</bdi> },
        layerColumn('A', (layer) => layer.a),
        layerColumn('B', (layer) => layer.b),
        { title: 'B − A', isNumber: true, cell: ({ difference }) => `${difference > 0 ? '+' : difference < 0 ? '−' : ''}${duration(Math.abs(difference))}` },
      ]} />
    </section>
  );
}

function Stack({ a, b }: { a: SiteExperiment; b: SiteExperiment }): VNode {
  const differences = stackDifferences(a, b);
  return (
    <section><h2>Differences of hardware and software</h2>
      {a.stack.length === 0 || b.stack.length === 0 ? <p class="note">Not captured in both experiments.</p>
        : differences.length === 0 ? <p>Nothing that was captured differs.</p>
          : <SimpleTable label="Differences of hardware and software" rows={differences} columns={[
            { title: 'Part', cell: ({ name }) => <bdi>{name}</bdi> },
            { title: 'A', cell: (difference) => <bdi>{difference.a ?? 'not captured'}</bdi> },
            { title: 'B', cell: (difference) => <bdi>{difference.b ?? 'not captured'}</bdi> },
          ]} />}
    </section>
  );
}

function Pairs({ a, b, documents: [first, second] }: { a: ExperimentEntry; b: ExperimentEntry; documents: SiteExperiment[] }): VNode {
  const [chosen, setChosen] = useState(0);
  const pairs = pairsOf(a.points, b.points);
  const pair = pairs[chosen];
  return (
    <>
      {a.model !== b.model && <p class="gap">The models differ: A is <bdi>{a.model || 'not known'}</bdi>, B is <bdi>{b.model || 'not known'}</bdi>.</p>}
      {pairs.length === 0 ? <p class="gap">No point of A has the batch size of a point of B, or no latency is known.</p>
        : <Latencies pairs={pairs} chosen={chosen} choose={setChosen} />}
      {pair && <Layers a={first!} b={second!} pair={pair} />}
      <Stack a={first!} b={second!} />
      <section><h2>The whole comparison</h2><p>With the store, kernels and call trees are compared, too:</p><Command text={`xsp compare ${quoted(a.name)} ${quoted(b.name)}`} /></section>
    </>
  );
}

function Comparison({ names }: { names: readonly [string, string] }): VNode {
  const site = useSite();
  const used = useSiteExperiments(names);
  return (
    <>
      <p>A is <a href={experimentAddress(names[0])}><bdi>{names[0]}</bdi></a>, B is <a href={experimentAddress(names[1])}><bdi>{names[1]}</bdi></a>.</p>
      <Loading what="both experiments" used={used}>{(documents) => <Pairs a={site.entry(names[0])} b={site.entry(names[1])} documents={documents} />}</Loading>
    </>
  );
}

export function SiteComparePage({ sides }: { sides: readonly string[] }): VNode {
  const [a, b] = sides;
  return (
    <>
      <Heading title="Compare two experiments"><Form sides={sides} /></Heading>
      {sides.length > 2 && <p class="gap">A site compares two experiments: the first two of the {sides.length} are shown.</p>}
      {a !== undefined && b !== undefined ? <Comparison names={[a, b]} /> : <p class="note">Choose two, here or in the <a href="#/experiments">list of experiments</a>.</p>}
    </>
  );
}
