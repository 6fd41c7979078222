// Every measured point of the site as one file, and where the tables of each experiment are.
import type { VNode } from 'preact';
import { Heading } from '../../app/parts/heading.tsx';
import { DownloadButtons } from '../../download.ts';
import { plural } from '../../format.ts';
import { measuredPoints } from '../leaderboard.ts';
import { useSite } from '../use_site.ts';

const kColumns = ['experiment', 'created', 'machine', 'model', 'backend', 'device', 'precision', 'batch', 'settings', 'latency_ns', 'latency_low_ns', 'latency_high_ns', 'peak_bytes'];

export function DownloadsPage(): VNode {
  const { index } = useSite();
  const points = measuredPoints(index.experiments);
  const rows = points.map(({ entry, point }) => [entry.name, entry.created, entry.machine, point.model, point.backend, point.device, point.precision, point.batch, point.settings, point.latency_ns, point.latency_low_ns, point.latency_high_ns, point.peak_bytes]);
  return (
    <>
      <Heading title="Downloads" />
      <section><h2>All latencies</h2>
        <p>{plural(points.length, 'measured point')} of {plural(index.experiments.length, 'experiment')}: times in ns with the ends of their 95&nbsp;% intervals, memory in bytes.</p>
        <DownloadButtons source={{ name: 'latencies', columns: kColumns, rows: () => rows }} />
      </section>
      <section><h2>Tables of an experiment</h2>
        <p>The page of each <a href="#/experiments">experiment</a> has its tables as Parquet, CSV and JSON: points, runs, samples, layers, kernels, roofs. In a copy of the site they are in the folder <code>experiments</code>, and DuckDB, Polars or pandas read them from there.</p>
      </section>
    </>
  );
}
