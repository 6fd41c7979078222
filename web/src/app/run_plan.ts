// What a measurement would take: the document of `xsp run --plan`, in words.
import { coarseDuration, plural, quantity } from '../format.ts';

export interface PlannedRung {
  rung: string;
  processes: number;
  /** null: nothing in the store tells. */
  seconds: number | null;
}

export interface PlannedPoint {
  backend: string;
  framework: string;
  device: string;
  precision: string;
  batch: number;
  refused: { what: string; hint: string } | null;
  rungs: PlannedRung[];
  stored: { experiment: string; created: string; latency_ns: number | null }[];
}

export interface RunPlan {
  model: string;
  points: PlannedPoint[];
  processes: number;
  estimate: { seconds: number | null; low_s: number | null; high_s: number | null; limit_s: number | null };
  sentences: string[];
}

/** "model, layer (3 processes), kernel" */
export function rungsText(rungs: readonly PlannedRung[]): string {
  return rungs.map(({ rung, processes }) => processes > 1 ? `${rung} (${plural(processes, 'process', 'processes')})` : rung).join(', ');
}

/** Of all rungs of a point; "not known" where one is not known. */
export function pointTime(rungs: readonly PlannedRung[]): string {
  let seconds = 0;
  for (const rung of rungs) {
    if (rung.seconds === null) return 'not known';
    seconds += rung.seconds;
  }
  return durationText(seconds);
}

/** "0.8 s", "42 s", "3 min", "2 h 5 min" */
export function durationText(seconds: number): string {
  if (seconds < 10) return quantity(seconds * 1e9, 'ns');
  if (seconds < 120) return coarseDuration(Math.round(seconds) * 1e9);
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes}\u00a0min` : `${Math.floor(minutes / 60)}\u00a0h ${minutes % 60}\u00a0min`;
}

/** One line for the button's place: "About 42 s", "At most 5 min", "The time is not known". */
export function timeText({ estimate }: RunPlan): string {
  if (estimate.seconds !== null) return `About ${durationText(estimate.seconds)}`;
  return estimate.limit_s !== null ? `At most ${durationText(estimate.limit_s)}, by the limits of time` : 'The time is not known';
}
