// One job as it changes, its log, and what it records.
import { useEffect, useState } from 'preact/hooks';
import { useApp } from './app_state.ts';
import { errorDocument, type ErrorDocument, type Job, type LiveRun } from './data_source.ts';
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

/** Between two readings of what grows while a job runs. */
const kIntervalMs = 1500;

/** What `read` gives of a job: again while the job runs, and once after it ended. Not in a hidden tab. */
function usePolled<Value>(job: Job, first: Value, read: (id: string) => Promise<Value>): { value: Value; error: ErrorDocument | null } {
  const [polled, setPolled] = useState<{ value: Value; error: ErrorDocument | null }>({ value: first, error: null });
  const { id, state } = job;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isEnded = false;
    async function poll(): Promise<void> {
      try {
        const value = await read(id);
        if (!isEnded) setPolled({ value, error: null });
      } catch (error) {
        if (!isEnded) setPolled((before) => ({ ...before, error: errorDocument(error) }));
      }
      again();
    }
    function again(): void {
      if (isEnded || state !== 'running') return;
      timer = setTimeout(() => { if (document.hidden) again(); else void poll(); }, kIntervalMs);
    }
    if (state === 'running' || isOver(job)) void poll();
    return () => {
      isEnded = true;
      if (timer !== null) clearTimeout(timer);
    };
  }, [id, state]);
  return polled;
}

export function useJobLog(job: Job): { text: string; error: ErrorDocument | null } {
  const app = useApp();
  const { value, error } = usePolled(job, '', (id) => app.source.jobLog(id));
  return { text: value, error };
}

/** What a job records; a failure shows nothing new: the log and the state say what is wrong. */
export function useJobLevels(job: Job): LiveRun[] {
  const app = useApp();
  return usePolled(job, { runs: [] }, (id) => app.source.jobLevels(id)).value.runs;
}
