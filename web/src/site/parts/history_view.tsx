// The history of a model: each series as a chart, its changes as sentences, all experiments as a table.
import type { VNode } from 'preact';
import { experimentAddress } from '../../app/addresses.ts';
import { date, kUnknown, percent, plural, quantity } from '../../format.ts';
import type { HistorySeries, SiteHistory } from '../site_data.ts';
import { HistoryChart } from './history_chart.tsx';
import { SimpleTable } from './simple_table.tsx';

type Change = HistorySeries['changes'][number];

function changeText({ ratio, low, high, verdict }: Change): string {
  const by = percent(Math.abs(ratio - 1));
  const interval = low !== null && high !== null ? ` (95\u00a0% interval of the ratio ${low.toFixed(3)} to ${high.toFixed(3)})` : '';
  switch (verdict) {
    case 'worse': return `${by} slower${interval}`;
    case 'better': return `${by} faster${interval}`;
    case 'busy': return `${by} ${ratio > 1 ? 'slower' : 'faster'}, on a busy machine${interval}`;
    default: return `the spread changed; the level by ${by}${interval}`;
  }
}

function Changes({ series }: { series: HistorySeries }): VNode {
  const missing = series.experiments_missing ?? 0;
  if (series.changes.length === 0)
    return <p class="note">{missing > 0 ? `A change can be found with ${plural(missing, 'more experiment')}.` : 'No change was found.'}</p>;
  return (
    <ul>
      {series.changes.map((change) => (
        <li>After <a href={experimentAddress(change.before)}><bdi>{change.before}</bdi></a>, from <a href={experimentAddress(change.after)}><bdi>{change.after}</bdi></a> on: {changeText(change)}.
          {change.stack && change.stack.length > 0 && <ul>{change.stack.slice(0, 8).map(({ key, before, after }) => <li><bdi>{key}</bdi>: <bdi>{before ?? 'not known'}</bdi> became <bdi>{after ?? 'not known'}</bdi></li>)}</ul>}
        </li>
      ))}
    </ul>
  );
}

export function HistoryView({ document }: { document: SiteHistory }): VNode {
  if (document.series.length === 0) return <p class="note">No experiment of this model has a latency.</p>;
  return (
    <>
      {document.series.map((series) => (
        <section>
          <h3><bdi>{series.title}</bdi></h3>
          {series.entries.length > 1 && <HistoryChart series={series} unit={document.unit} />}
          <Changes series={series} />
          <details><summary>{plural(series.entries.length, 'experiment')} as a table</summary>
            <SimpleTable label={`History, ${series.title}`} rows={series.entries.toReversed()} columns={[
              { title: 'Experiment', cell: ({ experiment }) => <a href={experimentAddress(experiment)}><bdi>{experiment}</bdi></a> },
              { title: 'Created', cell: ({ created }) => date(created) },
              { title: 'Latency', isNumber: true, cell: ({ value }) => quantity(value, document.unit) },
              { title: '95\u00a0% interval', isNumber: true, cell: ({ low, high }) => (low !== null && high !== null ? `${quantity(low, document.unit)} to ${quantity(high, document.unit)}` : kUnknown) },
              { title: 'Segment', isNumber: true, cell: ({ segment }) => segment },
            ]} />
          </details>
        </section>
      ))}
    </>
  );
}
