// Points of several experiments: the newest first, the fastest marked.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { date, duration, quantity } from '../../format.ts';
import { experimentAddress, modelAddress } from '../addresses.ts';
import { marksOf, type Mark, type StoredPoint } from '../point_list.ts';
import { VirtualTable, type VirtualColumn } from './virtual_table.tsx';

/** What all rows have in common needs no column. */
type Left = 'model' | 'machine';

function intervalText({ latency_low_ns, latency_high_ns }: StoredPoint): string {
  return latency_low_ns === null || latency_high_ns === null ? '' : `${duration(latency_low_ns)} to ${duration(latency_high_ns)}`;
}

function markText(mark: Mark | undefined): string {
  return mark === 'best' ? 'fastest' : mark === 'tie' ? 'tie' : '';
}

function columnsOf(points: readonly StoredPoint[], without: Left): VirtualColumn<StoredPoint>[] {
  const marks = marksOf(points);
  // As wide as their longest numbers and dates: names are cut before them.
  const all: VirtualColumn<StoredPoint>[] = [
    { id: 'experiment', title: 'Experiment', value: ({ experiment }) => experiment, cell: ({ experiment }) => <a href={experimentAddress(experiment)}><bdi>{experiment}</bdi></a> },
    { id: 'model', title: 'Model', value: ({ model }) => model || null, cell: ({ model }) => <a href={modelAddress(model)}><bdi>{model}</bdi></a>, width: 120 },
    { id: 'created', title: 'Created', value: ({ created }) => created, cell: ({ created }) => date(created), width: 170, isOptional: true },
    { id: 'backend', title: 'Backend', value: ({ backend }) => backend || null, width: 128, isOptional: true },
    { id: 'device', title: 'Device', value: ({ device, precision }) => [device, precision].filter((part) => part !== '').join(', ') || null, width: 115, isOptional: true },
    { id: 'batch', title: 'Batch', value: ({ batch }) => batch, isNumber: true, width: 74 },
    { id: 'latency', title: 'Latency', value: ({ latency_ns }) => latency_ns, cell: ({ latency_ns }) => duration(latency_ns), isNumber: true, width: 96 },
    { id: 'mark', title: 'Fastest', value: (point) => markText(marks.get(point)) || null, cell: (point) => <span class={`mark ${marks.get(point) ?? ''}`}>{markText(marks.get(point))}</span>, width: 88 },
    { id: 'interval', title: '95 % interval', value: ({ latency_low_ns }) => latency_low_ns, cell: intervalText, width: 158, isOptional: true, isNumber: true },
    { id: 'throughput', title: 'Items per s', value: ({ throughput }) => throughput, cell: ({ throughput }) => quantity(throughput, ''), isNumber: true, width: 108, isOptional: true },
    { id: 'machine', title: 'Machine', value: ({ machine }) => machine, width: 160, isOptional: true },
  ];
  return all.filter(({ id }) => id !== without);
}

export function PointTable({ points, without }: { points: readonly StoredPoint[]; without: Left }): VNode {
  const columns = useMemo(() => columnsOf(points, without), [points, without]);
  return (
    <>
      <p class="note">The fastest point of each {without === 'machine' ? 'model and batch size' : 'machine and batch size'} is marked; a tie is one whose 95&nbsp;% interval overlaps its interval.</p>
      <VirtualTable label="Points" columns={columns} rows={points} sort={{ id: 'created', desc: true }} />
    </>
  );
}
