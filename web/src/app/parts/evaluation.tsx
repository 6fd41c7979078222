// How many findings of the store are known, and the job that evaluates the others.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { plural } from '../../format.ts';
import { jobAddress } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import { errorDocument, type ErrorDocument, type Job } from '../data_source.ts';
import { isOver, progressText, stateText } from '../job_text.ts';
import { knownText, type StoreFindings } from '../store_findings.ts';
import { ErrorMessage } from './error_message.tsx';
import { ProgressBar } from './progress_bar.tsx';

function Running({ job }: { job: Job }): VNode {
  const text = job.state === 'running' ? progressText(job) || stateText(job) : stateText(job);
  return (
    <div class="job-progress">
      {job.state === 'running' && <ProgressBar label="Evaluation of findings" fraction={job.progress?.fraction ?? null} />}
      <span><bdi>{text}</bdi></span>
      <a href={jobAddress(job.id)}>The job</a>
    </div>
  );
}

interface Properties {
  document: StoreFindings;
  /** The newest evaluation; null: there was none. */
  job: Job | null;
  /** Of the experiments that are shown. */
  request: Record<string, unknown>;
}

export function Evaluation({ document, job, request }: Properties): VNode {
  const app = useApp();
  const [isStarting, setStarting] = useState(false);
  const [error, setError] = useState<ErrorDocument | null>(null);
  const isRunning = job !== null && !isOver(job);

  async function start(): Promise<void> {
    setStarting(true);
    setError(null);
    try {
      await app.startJob('store/findings', request);
    } catch (reason) {
      setError(errorDocument(reason));
    }
    setStarting(false);
  }

  return (
    <div class="evaluation">
      <p role="status">{knownText(document)}</p>
      {document.not_known > 0 && !isRunning && app.mayMeasure && <p class="controls"><button type="button" class="primary" disabled={isStarting} onClick={() => { void start(); }}>Evaluate the findings of {plural(document.not_known, 'experiment')}</button> <span class="note">A job: about a second for each. Measurements wait for it.</span></p>}
      {document.not_known > 0 && !isRunning && !app.mayMeasure && <p class="note">Who has the role measure can evaluate the others here, or with <code>xsp store findings</code>.</p>}
      {isRunning && <Running job={job} />}
      {job?.state === 'failed' && document.not_known > 0 && job.error && <ErrorMessage error={job.error} />}
      {error && <ErrorMessage error={error} />}
      {document.unreadable.length > 0 && <details><summary>{plural(document.unreadable.length, 'experiment')} cannot be read</summary><ul class="plain">{document.unreadable.map(({ experiment, reason }) => <li><bdi>{experiment}</bdi>: <bdi>{reason}</bdi></li>)}</ul></details>}
    </div>
  );
}
