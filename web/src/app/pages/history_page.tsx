// The experiments of one model over time.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { date, plural, quantity } from '../../format.ts';
import { experimentAddress, historyAddress, withFields } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import { quoted } from '../command_line.ts';
import { choicesOf } from '../experiment_filter.ts';
import { DocumentFrame } from '../parts/document_frame.tsx';
import { EmptyState } from '../parts/empty_state.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { useOperation } from '../use_document.ts';
import { useExperiments } from '../use_experiments.ts';

interface HistoryDocument {
  unit: string;
  series: { title: string; entries: { experiment: string; created: string; value: number }[] }[];
}

const kMetrics = ['latency', 'throughput', 'memory', 'device'];

function Models(): VNode {
  const used = useExperiments();
  return (
    <>
      <Heading title="History" />
      <Loading what="the models" used={used}>
        {({ rows }) => {
          const models = choicesOf(rows, ({ model }) => [model]);
          if (models.length === 0) return <EmptyState command="xsp run resnet50">The store has no experiments yet.</EmptyState>;
          return <ul class="models">{models.map((model) => <li><a href={historyAddress(model)}><bdi>{model}</bdi></a> <span class="note">{plural(rows.filter((row) => row.model === model).length, 'experiment')}</span></li>)}</ul>;
        }}
      </Loading>
    </>
  );
}

function Entries({ document }: { document: HistoryDocument }): VNode {
  return (
    <>
      {document.series.map(({ title, entries }) => (
        <section>
          <h3><bdi>{title}</bdi></h3>
          <ul class="plain entries">{entries.toReversed().map(({ experiment, created, value }) =>
            <li><span class="note">{date(created)}</span> <a href={experimentAddress(experiment)}><bdi>{experiment}</bdi></a> {quantity(value, document.unit)}</li>)}</ul>
        </section>
      ))}
    </>
  );
}

function Model({ model }: { model: string }): VNode {
  const app = useApp();
  const asked = new URLSearchParams(app.address.value.search).get('metric') ?? 'latency';
  const [layer, setLayer] = useState(asked.startsWith('layer:') ? asked.slice(6) : '');
  const request = useMemo(() => ({ model, ...(asked === 'latency' ? {} : { metric: asked }) }), [model, asked]);
  const used = useOperation<HistoryDocument>('history', request);
  const show = (metric: string): void => app.replace(withFields(historyAddress(model), metric === 'latency' ? {} : { metric }));
  return (
    <>
      <Heading title={`History of ${model}`}>
        <form class="controls" onSubmit={(event) => { event.preventDefault(); if (layer.trim() !== '') show(`layer:${layer.trim()}`); }}>
          <label class="filter">Metric
            <select value={kMetrics.includes(asked) ? asked : ''} onChange={(event) => { if (event.currentTarget.value !== '') show(event.currentTarget.value); }}>
              {kMetrics.map((metric) => <option value={metric}>{metric}</option>)}
              <option value="">one layer</option>
            </select>
          </label>
          <label class="filter">Layer<input type="text" value={layer} placeholder="name of a layer" onInput={(event) => setLayer(event.currentTarget.value)} /></label>
          <button type="submit">Show the layer</button>
        </form>
      </Heading>
      <Loading what="the history" used={used}>
        {(document) => document.series.length === 0
          ? <EmptyState command={`xsp run ${quoted(model)}`}>No experiment of this model has this metric.</EmptyState>
          : <>
              <DocumentFrame title="History" address={app.source.pageAddress('history', request)} />
              <details><summary>Experiments of this history</summary><Entries document={document} /></details>
            </>}
      </Loading>
    </>
  );
}

export function HistoryPage({ model }: { model: string | null }): VNode {
  return model === null ? <Models /> : <Model model={model} />;
}
