// One job as it changes, and its log.
import { useEffect, useState } from 'preact/hooks';
import { useApp } from './app_state.ts';
import { errorDocument, type ErrorDocument, type Job } from './data_source.ts';
import { isOver } from './job_text.ts';

export interface UsedJob {
  job: Job | null;
  error: ErrorDocument | null;
}

/** From the list of jobs; one that is too old for it is asked for. */
export function useJob(id: string): UsedJob {
  const app = useApp();
  const [fetched, setFetched] = useState<UsedJob>({ job: null, error: null });
  const jobs = app.jobs.value;
  const listed = jobs?.find((job) => job.id === id) ?? null;
  const isMissing = jobs !== undefined && listed === null;
  useEffect(() => {
    if (!isMissing) return;
    app.source.job(id).then((job) => setFetched({ job, error: null }), (error: unknown) => setFetched({ job: null, error: errorDocument(error) }));
  }, [id, isMissing]);
  return listed ? { job: listed, error: null } : fetched;
}

/** Between two readings of a log that grows. */
const kLogIntervalMs = 1500;

/** Read again while the job runs, and once after it ended. */
export function useJobLog(job: Job): { text: string; error: ErrorDocument | null } {
  const app = useApp();
  const [log, setLog] = useState<{ text: string; error: ErrorDocument | null }>({ text: '', error: null });
  const { id, state } = job;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isEnded = false;
    async function read(): Promise<void> {
      try {
        const text = await app.source.jobLog(id);
        if (!isEnded) setLog({ text, error: null });
      } catch (error) {
        if (!isEnded) setLog((before) => ({ ...before, error: errorDocument(error) }));
      }
      if (!isEnded && state === 'running') timer = setTimeout(() => { void read(); }, kLogIntervalMs);
    }
    if (state === 'running' || isOver(job)) void read();
    return () => {
      isEnded = true;
      if (timer !== null) clearTimeout(timer);
    };
  }, [id, state]);
  return log;
}
