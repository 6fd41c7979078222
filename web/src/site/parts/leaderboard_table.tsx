// The measured points of one model and batch size, the fastest first, with their intervals.
import type { VNode } from 'preact';
import { experimentAddress } from '../../app/addresses.ts';
import { count, date, duration, kUnknown } from '../../format.ts';
import { leaderboard, type LeaderRow, type MeasuredPoint } from '../leaderboard.ts';
import { siteAddress } from '../site_addresses.ts';
import { SimpleTable } from './simple_table.tsx';

const kWidth = 160;
const kHeight = 14;

/** From 0 to the slowest end of all rows: the interval as a line, the latency as a point. */
function Interval({ row, end }: { row: LeaderRow; end: number }): VNode {
  const at = (time: number | null): number => 2 + ((kWidth - 4) * (time ?? 0)) / end;
  const { latency_ns: mean, latency_low_ns: low, latency_high_ns: high } = row.point;
  return (
    <svg class="interval" width={kWidth} height={kHeight} viewBox={`0 0 ${kWidth} ${kHeight}`} aria-hidden="true">
      <line class="interval-base" x1="2" x2={at(mean)} y1={kHeight / 2} y2={kHeight / 2} />
      {low !== null && high !== null && <line class="interval-range" x1={at(low)} x2={Math.max(at(high), at(low) + 1)} y1={kHeight / 2} y2={kHeight / 2} />}
      <circle cx={at(mean)} cy={kHeight / 2} r="3.5" />
    </svg>
  );
}

function rankText({ rank, isTied }: LeaderRow): string {
  return rank === null ? kUnknown : isTied ? `${rank} (tie)` : String(rank);
}

export function LeaderboardTable({ label, points }: { label: string; points: readonly MeasuredPoint[] }): VNode {
  const rows = leaderboard(points);
  const end = Math.max(...rows.map(({ point }) => point.latency_high_ns ?? point.latency_ns!));
  const hasTies = rows.some(({ isTied }) => isTied);
  return (
    <>
      <SimpleTable label={label} rows={rows} columns={[
        { title: 'Rank', isNumber: true, cell: rankText },
        { title: 'Framework', cell: ({ point }) => <bdi>{point.backend}</bdi> },
        { title: 'Device, precision', cell: ({ point }) => <bdi>{point.device}, {point.precision}</bdi> },
        { title: 'Latency', isNumber: true, cell: ({ point }) => duration(point.latency_ns) },
        { title: '95\u00a0% interval', isNumber: true, cell: ({ point }) => (point.latency_low_ns !== null && point.latency_high_ns !== null ? `${duration(point.latency_low_ns)} to ${duration(point.latency_high_ns)}` : kUnknown) },
        { title: 'From 0', cell: (row) => <Interval row={row} end={end} /> },
        { title: 'Machine', cell: ({ entry }) => <a href={siteAddress('machines', entry.machine)}><bdi>{entry.machine}</bdi></a> },
        { title: 'Newest experiment', cell: ({ entry }) => <><a href={experimentAddress(entry.name)}><bdi>{entry.name}</bdi></a> <span class="note">{date(entry.created)}</span></> },
        { title: 'Experiments', isNumber: true, cell: ({ experiments }) => count(experiments) },
      ]} />
      <p class="note">{hasTies ? 'Rows of one rank have intervals that overlap: which of them is faster is not known. ' : ''}An interval holds the variation within one experiment; another experiment of the same configuration may differ by more. The history shows by how much.</p>
    </>
  );
}
