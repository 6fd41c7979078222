// Two or more experiments compared: the answer in sentences, then the page with the evidence.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { compareAddress, experimentAddress } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import { commandLine } from '../command_line.ts';
import { comparisonSentences, type Comparison } from '../compare_sentence.ts';
import { Command } from '../parts/command.tsx';
import { DocumentFrame } from '../parts/document_frame.tsx';
import { EmptyState } from '../parts/empty_state.tsx';
import { ExperimentInput } from '../parts/experiment_input.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { useOperation } from '../use_document.ts';
import { useKnownExperiments } from '../use_experiments.ts';

function Chooser({ sides }: { sides: string[] }): VNode {
  const app = useApp();
  const experiments = useKnownExperiments();
  const [base, setBase] = useState(sides[0] ?? '');
  const [other, setOther] = useState(sides[1] ?? '');
  return (
    <>
      <Heading title="Compare" />
      <EmptyState>Choose two experiments, or tick several <a href="/">in the list</a>. A point of one is <code>NAME#batch=8,backend=torch</code>.</EmptyState>
      <form class="compare-form" onSubmit={(event) => { event.preventDefault(); app.go(compareAddress([base.trim(), other.trim()])); }}>
        <ExperimentInput id="base" label="Base" value={base} experiments={experiments} onChange={setBase} />
        <ExperimentInput id="other" label="Compared with it" value={other} experiments={experiments} onChange={setOther} />
        <button type="submit" class="primary" disabled={base.trim() === '' || other.trim() === ''}>Compare</button>
      </form>
    </>
  );
}

function Result({ sides }: { sides: string[] }): VNode {
  const app = useApp();
  const used = useOperation<Comparison>('compare', { side: sides });
  const schema = { properties: { side: { positional: true } } };
  return (
    <>
      <Heading title={sides.length === 2 ? `${sides[0]} and ${sides[1]}` : `Comparison of ${sides.length} experiments`}>
        <p class="controls">{sides.map((side) => <a href={experimentAddress(side.replace(/#.*/, ''))}><bdi>{side}</bdi></a>)}
          {sides.length === 2 && <a class="button" href={compareAddress([...sides].reverse())}>Swap the sides</a>}
        </p>
        <Loading what="the comparison" used={used}>
          {(document) => <ul class="sentences">{comparisonSentences(document).map((text) => <li>{text}</li>)}</ul>}
        </Loading>
        <details><summary>The same on the command line</summary><Command text={commandLine('compare', schema, { side: sides })} /></details>
      </Heading>
      {used.loaded.state === 'ready' && <DocumentFrame title="Comparison" address={app.source.pageAddress('compare', { side: sides })} />}
    </>
  );
}

export function ComparePage({ sides }: { sides: string[] }): VNode {
  return sides.length < 2 ? <Chooser sides={sides} /> : <Result sides={sides} />;
}
