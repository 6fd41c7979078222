// Jobs in words.
import { coarseDuration, count } from '../format.ts';
import type { Job, JobState } from './data_source.ts';

const kStates: Record<JobState, string> = {
  queued: 'Queued', running: 'Running', done: 'Done', failed: 'Failed', cancelled: 'Cancelled', interrupted: 'Interrupted',
};

export function stateText(job: Job): string {
  if (job.state === 'queued' && job.position !== null) return `Queued, number ${job.position} in the queue`;
  // A state of a later version is shown as it is named.
  return kStates[job.state] ?? job.state;
}

/** Whether nothing will change any more. */
export function isOver(job: Job): boolean {
  return job.state !== 'queued' && job.state !== 'running';
}

/** "Measuring rung layer, 42 %, about 30 s left". */
export function progressText({ progress }: Job): string {
  if (!progress) return '';
  const parts = [progress.step];
  if (progress.fraction !== null) parts.push(`${count(Math.floor(progress.fraction * 100))}\u00a0%`);
  if (progress.remaining_s !== null && progress.remaining_s > 0) parts.push(`about ${remaining(progress.remaining_s)} left`);
  return parts.filter((part) => part !== '').join(', ');
}

/** Minutes and hours from two minutes on. */
function remaining(seconds: number): string {
  if (seconds < 120) return coarseDuration(Math.max(1, Math.round(seconds)) * 1e9);
  if (seconds < 7200) return `${Math.round(seconds / 60)}\u00a0min`;
  return `${Math.round(seconds / 3600)}\u00a0h`;
}

/** `jobs` with the newer state of one, newest first. */
export function withJob(jobs: readonly Job[], job: Job): Job[] {
  const others = jobs.filter(({ id }) => id !== job.id);
  const at = others.findIndex(({ created }) => created <= job.created);
  const index = jobs.some(({ id }) => id === job.id) ? jobs.findIndex(({ id }) => id === job.id) : at < 0 ? others.length : at;
  return [...others.slice(0, index), job, ...others.slice(index)];
}

/** The job that measures now: there is at most one. */
export function runningJob(jobs: readonly Job[]): Job | null {
  return jobs.find(({ state }) => state === 'running') ?? null;
}
