// One model: its leaderboard, its history, its experiments.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { EmptyState } from '../../app/parts/empty_state.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { Loading } from '../../app/parts/loading.tsx';
import { useOperation } from '../../app/use_document.ts';
import { plural } from '../../format.ts';
import { batchesOf, measuredPoints } from '../leaderboard.ts';
import { ExperimentLinks } from '../parts/experiment_links.tsx';
import { HistoryView } from '../parts/history_view.tsx';
import { LeaderboardTable } from '../parts/leaderboard_table.tsx';
import type { ExperimentEntry, SiteHistory } from '../site_data.ts';
import { useSite } from '../use_site.ts';

function Leaderboard({ model, entries }: { model: string; entries: readonly ExperimentEntry[] }): VNode {
  const points = measuredPoints(entries).filter(({ point }) => point.model === model);
  const batches = batchesOf(points);
  const [chosen, setChosen] = useState<number | null>(batches[0] ?? null);
  if (points.length === 0) return <p class="note">No latency of this model is known.</p>;
  const nameOf = (batch: number | null): string => (batch === null ? 'not known' : String(batch));
  return (
    <>
      {batches.length > 1 && <p class="controls"><label class="filter">Batch size
        <select value={nameOf(chosen)} onChange={(event) => setChosen(batches[event.currentTarget.selectedIndex] ?? null)}>{batches.map((batch) => <option value={nameOf(batch)}>{nameOf(batch)}</option>)}</select>
      </label></p>}
      {batches.length === 1 && <p class="note">Batch size {nameOf(batches[0]!)}.</p>}
      <LeaderboardTable label={`Latencies of ${model}, batch ${nameOf(chosen)}`} points={points.filter(({ point }) => point.batch === chosen)} />
    </>
  );
}

function History({ model }: { model: string }): VNode {
  const used = useOperation<SiteHistory>('history', { model });
  return <Loading what="the history" used={used}>{(document) => <HistoryView document={document} />}</Loading>;
}

export function ModelPage({ model }: { model: string }): VNode {
  const entries = useSite().index.experiments.filter((entry) => entry.model === model || entry.points.some((point) => point.model === model));
  if (entries.length === 0) return <Heading title={model}><EmptyState>No experiment of this site is of this model. <a href="#/models">See all models</a>.</EmptyState></Heading>;
  return (
    <>
      <Heading title={model}><p>{plural(entries.length, 'experiment')}.</p></Heading>
      <section><h2>Leaderboard</h2><Leaderboard model={model} entries={entries} /></section>
      <section><h2>History of the latency</h2><History model={model} /></section>
      <section><h2>Experiments</h2><ExperimentLinks entries={entries} /></section>
    </>
  );
}
