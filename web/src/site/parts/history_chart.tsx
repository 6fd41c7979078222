// One series of a history: each experiment with its interval, the level of each segment, change points.
import type { VNode } from 'preact';
import { axisScale, date, quantity } from '../../format.ts';
import type { HistorySeries } from '../site_data.ts';

const kWidth = 720;
const kHeight = 200;
const kLeft = 70;
const kRight = 12;
const kTop = 10;
const kBottom = 26;

export function HistoryChart({ series, unit }: { series: HistorySeries; unit: string }): VNode {
  const { entries, segments } = series;
  const all = entries.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const space = (most - least) * 0.1 || most * 0.05;
  const [from, to] = [least - space, most + space];
  // Equally far apart: experiments come in bursts.
  const x = (index: number): number => kLeft + ((index + 0.5) / entries.length) * (kWidth - kLeft - kRight);
  const y = (value: number): number => kTop + ((to - value) / (to - from)) * (kHeight - kTop - kBottom);
  const scale = axisScale(all, unit);
  const indexOf = new Map(entries.map(({ experiment }, index) => [experiment, index]));
  const ticks = [least, (least + most) / 2, most];
  return (
    <svg class="history" viewBox={`0 0 ${kWidth} ${kHeight}`} role="img" aria-label={`${entries.length} experiments from ${quantity(least, unit)} to ${quantity(most, unit)}; the table below has each`}>
      {(least === most ? [least] : ticks).map((value) => (
        <g class="tick"><line x1={kLeft} x2={kWidth - kRight} y1={y(value)} y2={y(value)} /><text x={kLeft - 6} y={y(value) + 4} text-anchor="end">{scale.text(value)} {scale.unit}</text></g>
      ))}
      {segments.map(({ from: first, to: last, level }) => <line class="level" x1={x(indexOf.get(first) ?? 0) - 4} x2={x(indexOf.get(last) ?? 0) + 4} y1={y(level)} y2={y(level)} />)}
      {series.changes.map(({ after }) => {
        const at = x((indexOf.get(after) ?? 0) - 0.5);
        return <line class="change" x1={at} x2={at} y1={kTop} y2={kHeight - kBottom} />;
      })}
      {entries.map(({ experiment, value, low, high }, index) => (
        <g class="entry"><title>{experiment}: {quantity(value, unit)}</title>
          {low !== null && high !== null && <line x1={x(index)} x2={x(index)} y1={y(low)} y2={y(high)} />}
          <circle cx={x(index)} cy={y(value)} r="3" />
        </g>
      ))}
      <text class="axis" x={kLeft} y={kHeight - 6}>{date(entries[0]!.created)}</text>
      {entries.length > 1 && <text class="axis" x={kWidth - kRight} y={kHeight - 6} text-anchor="end">{date(entries.at(-1)!.created)}</text>}
    </svg>
  );
}
