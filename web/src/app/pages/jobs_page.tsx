// All jobs of the server, newest first, as they change.
import type { VNode } from 'preact';
import { date } from '../../format.ts';
import { experimentAddress, jobAddress } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import type { Job } from '../data_source.ts';
import { isOver, progressText, stateText } from '../job_text.ts';
import { EmptyState } from '../parts/empty_state.tsx';
import { Heading } from '../parts/heading.tsx';
import { ProgressBar } from '../parts/progress_bar.tsx';

function JobLine({ job }: { job: Job }): VNode {
  const progress = progressText(job);
  return (
    <li class="job-line">
      <a class="job-command" href={jobAddress(job.id)}><code><bdi>{job.command}</bdi></code></a>
      <span class={`state ${job.state}`}>{stateText(job)}</span>
      <span class="note"><bdi>{job.user}</bdi>, {date(job.created)}</span>
      {job.experiment && <a href={experimentAddress(job.experiment)}><bdi>{job.experiment}</bdi></a>}
      {job.state === 'running' && <span class="job-progress"><ProgressBar label={`Progress of ${job.command}`} fraction={job.progress?.fraction ?? null} /><span class="note"><bdi>{progress}</bdi></span></span>}
    </li>
  );
}

/** For screen readers: only states, not every step of the progress. */
function announcement(jobs: readonly Job[]): string {
  return jobs.filter((job) => !isOver(job)).map((job) => `${job.command}: ${stateText(job)}`).join('. ');
}

export function JobsPage(): VNode {
  const app = useApp();
  const jobs = app.jobs.value;
  return (
    <>
      <Heading title="Jobs" />
      {!app.isConnected.value && <p class="gap" role="status">The connection to the server is lost. It is tried again by itself; what you see may be out of date.</p>}
      <p class="hidden-text" aria-live="polite">{announcement(jobs ?? [])}</p>
      {jobs === undefined ? <p class="note" role="status">Loading the jobs…</p>
        : jobs.length === 0 ? <EmptyState>No jobs yet.{app.mayMeasure && <> <a href="/measure">Measure a model</a> or <a href="/import">import a file</a> to start one.</>}</EmptyState>
          : <ul class="jobs">{jobs.map((job) => <JobLine key={job.id} job={job} />)}</ul>}
    </>
  );
}
