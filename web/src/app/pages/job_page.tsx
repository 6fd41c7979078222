// One job: its state and progress as they change, its log, what it made.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { date } from '../../format.ts';
import { experimentAddress } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import { errorDocument, type ErrorDocument, type Job } from '../data_source.ts';
import { isOver, progressText, stateText } from '../job_text.ts';
import { Command } from '../parts/command.tsx';
import { ConfirmDialog } from '../parts/confirm_dialog.tsx';
import { ErrorMessage } from '../parts/error_message.tsx';
import { Heading } from '../parts/heading.tsx';
import { LiveLevels } from '../parts/live_levels.tsx';
import { ProgressBar } from '../parts/progress_bar.tsx';
import { useJob, useJobLog } from '../use_job.ts';

function CancelButton({ job }: { job: Job }): VNode {
  const app = useApp();
  const [isAsking, setAsking] = useState(false);
  const [error, setError] = useState<ErrorDocument | null>(null);

  async function cancel(): Promise<void> {
    setAsking(false);
    setError(null);
    try {
      await app.source.cancelJob(job.id);
    } catch (reason) {
      setError(errorDocument(reason));
    }
  }

  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>Cancel the job</button>
      {isAsking && <ConfirmDialog title="Cancel this job?" action="Cancel the job" refusal="Let it run" onClose={() => setAsking(false)} onConfirm={() => { void cancel(); }}><p>What was measured so far is kept.</p></ConfirmDialog>}
      {error && <ErrorMessage error={error} />}
    </>
  );
}

function Facts({ job }: { job: Job }): VNode {
  const times: [string, string | null][] = [['Created', job.created], ['Started', job.started], ['Ended', job.ended]];
  return (
    <dl class="facts">
      <div><dt>User</dt><dd><bdi>{job.user}</bdi></dd></div>
      {times.map(([name, time]) => time && <div><dt>{name}</dt><dd>{date(time)}</dd></div>)}
      {job.exit_status !== null && <div><dt>Exit status</dt><dd>{job.exit_status}</dd></div>}
    </dl>
  );
}

function Log({ job }: { job: Job }): VNode {
  const { text, error } = useJobLog(job);
  return (
    <section aria-labelledby="log-title">
      <h2 id="log-title">Log</h2>
      {error && <ErrorMessage error={error} />}
      {text === '' ? <p class="note">{job.state === 'queued' ? 'The log begins when the job starts.' : 'Nothing is in the log.'}</p>
        : <pre class="log" tabIndex={0} role="region" aria-label="Log">{text}</pre>}
    </section>
  );
}

function Details({ job }: { job: Job }): VNode {
  const app = useApp();
  return (
    <>
      <p class="job-state" role="status"><span class={`state ${job.state}`}>{stateText(job)}</span></p>
      {!app.isConnected.value && !isOver(job) && <p class="gap" role="status">The connection to the server is lost. It is tried again by itself.</p>}
      {job.state === 'running' && <div class="job-progress"><ProgressBar label="Progress" fraction={job.progress?.fraction ?? null} /><span><bdi>{progressText(job)}</bdi></span></div>}
      {job.experiment && <p><a class="button primary" href={experimentAddress(job.experiment)}>Open the experiment <bdi>{job.experiment}</bdi></a></p>}
      {job.error && <ErrorMessage error={job.error} />}
      <Facts job={job} />
      <Command text={job.command} />
      {!isOver(job) && app.mayMeasure && <CancelButton job={job} />}
      {job.state === 'running' && <LiveLevels job={job} />}
      <Log job={job} />
    </>
  );
}

export function JobPage({ id }: { id: string }): VNode {
  const { job, error } = useJob(id);
  return (
    <>
      <Heading title={job ? `Job: ${job.operation}` : 'Job'} />
      {error && <ErrorMessage error={error} />}
      {job ? <Details job={job} /> : !error && <p class="note" role="status">Loading the job…</p>}
      <p><a href="/jobs">All jobs</a></p>
    </>
  );
}
