// The plan of the measurement that a form describes, asked for again while the form is filled.
import { useEffect, useState } from 'preact/hooks';
import { useApp } from './app_state.ts';
import { errorDocument, type ErrorDocument, type Request } from './data_source.ts';
import type { RunPlan } from './run_plan.ts';
import { wasStopped } from './use_document.ts';

/** A form that is being filled changes with each key. */
const kWaitMs = 500;

export type UsedPlan =
  | { state: 'none' }
  | { state: 'loading' }
  | { state: 'ready'; plan: RunPlan }
  | { state: 'failed'; error: ErrorDocument };

/** `request`: null: there is nothing to plan yet. */
export function useRunPlan(request: Request | null): UsedPlan {
  const app = useApp();
  const key = request === null ? null : JSON.stringify(request);
  const [used, setUsed] = useState<{ key: string | null; plan: UsedPlan }>({ key: null, plan: { state: 'none' } });
  useEffect(() => {
    if (key === null) return undefined;
    const stop = new AbortController();
    const set = (plan: UsedPlan): void => { if (!stop.signal.aborted) setUsed({ key, plan }); };
    const timer = setTimeout(() => {
      app.source.perform('run', { ...JSON.parse(key) as Request, plan: true }, stop.signal)
        .then(({ document }) => set({ state: 'ready', plan: document as RunPlan }))
        .catch((reason: unknown) => { if (!wasStopped(reason)) set({ state: 'failed', error: errorDocument(reason) }); });
    }, kWaitMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, app]);
  if (key === null) return { state: 'none' };
  return used.key === key ? used.plan : { state: 'loading' };
}
