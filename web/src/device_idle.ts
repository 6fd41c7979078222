// How long a device did nothing, and why: from the analyses device_breakdown and idle_causes.
import { values } from './columns.ts';
import type { ReportData } from './report_data.ts';

/** Of the time of steps or calls, where there are any, else of the time from a device's first work to its last; several
    devices together. */
export interface Idle {
  share: number;
  /** The longest first; their parts of `share`. */
  causes: { text: string; share: number }[];
}

const kCauses: Record<string, string> = {
  host: 'the host launched too late', launch: 'launches had not arrived yet', kernel: 'between kernels',
  other: 'launched work waited for something else', unknown: 'its launch is not in the trace',
};

/** The rows of an analysis as records; empty where the document lacks it. */
function rowsOf(data: ReportData, id: string): Record<string, unknown>[] {
  const analysis = data.analyses.find((item) => item.id === id);
  if (!analysis) return [];
  const columns = analysis.table.map((column) => values(column));
  return Array.from({ length: columns[0]?.length ?? 0 }, (_, row) =>
    Object.fromEntries(analysis.columns.map((column, index) => [column.name, columns[index]?.[row] ?? null])));
}

/** The idle time of a point's devices; null where it is not known. */
export function deviceIdle(data: ReportData, pointId: number): Idle | null {
  const whole = rowsOf(data, 'device_breakdown').filter((row) => row.point_id === pointId && row.step === null);
  const total = whole.reduce((sum, row) => sum + Number(row.total_ns), 0);
  if (total <= 0) return null;
  const ofSteps = whole[0]?.call_idle_share ?? null;
  const share = ofSteps === null ? whole.reduce((sum, row) => sum + Number(row.idle_ns), 0) / total : Number(ofSteps);
  const byCause = new Map<string, number>();
  const add = (cause: string, time: number): void => {
    if (time > 0) byCause.set(cause, (byCause.get(cause) ?? 0) + time);
  };
  for (const row of rowsOf(data, 'idle_causes')) {
    if (row.point_id !== pointId || row.stream !== null) continue;
    // A host that is late is to blame until it launches.
    const [idle, launch] = ofSteps === null ? [row.idle_ns, row.launched_ns] : [row.step_idle_ns, row.step_launched_ns];
    const launched = row.cause === 'host' ? Number(launch) : 0;
    add(String(row.cause), Number(idle) - launched);
    add('other', launched);
  }
  const sum = [...byCause.values()].reduce((all, time) => all + time, 0);
  return {
    share,
    causes: [...byCause].sort((a, b) => b[1] - a[1])
      .map(([cause, time]) => ({ text: kCauses[cause] ?? cause, share: share * time / sum })),
  };
}
