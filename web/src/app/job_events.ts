// Jobs as they change: server-sent events, with a new connection when one ends.
import { errorDocument, type Job, type JobListener } from './data_source.ts';

const kFirstDelayMs = 1_000;
const kMaxDelayMs = 30_000;

const isHidden = (): boolean => globalThis.document?.hidden === true;

/**
 * Watches the events at `address`. `list` reads all jobs: what changed while there was no
 * connection is in no event. A hidden tab has no connection: a browser gives all tabs of a server
 * six together, and more tabs than that could read nothing.
 */
export function watchJobs(address: string, list: () => Promise<Job[]>, listener: JobListener): () => void {
  let events: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let delayMs = kFirstDelayMs;
  let isEnded = false;
  /** What arrived since the list was asked for: the list may be older. null: it is there. */
  let since: Job[] | null = null;

  async function refresh(): Promise<void> {
    const mine: Job[] = [];
    since = mine;
    const jobs = await list();
    // A later request has a newer list.
    if (isEnded || since !== mine) return;
    since = null;
    listener.onJobs(jobs);
    for (const job of mine) listener.onJob(job);
  }

  function retry(): void {
    if (isEnded || timer !== null || isHidden()) return;
    timer = setTimeout(() => {
      timer = null;
      connect();
    }, delayMs);
    delayMs = Math.min(kMaxDelayMs, delayMs * 2);
  }

  /** Why the browser gave up is not in the event: a request shows whether the session ended. */
  async function afterFailure(): Promise<void> {
    listener.onConnection(false);
    try {
      await refresh();
    } catch (error) {
      if (errorDocument(error).kind === 'unauthorized' && !isEnded) {
        end();
        listener.onLoggedOut();
        return;
      }
    }
    retry();
  }

  function connect(): void {
    if (isEnded || isHidden()) return;
    events = new EventSource(address);
    events.addEventListener('open', () => {
      delayMs = kFirstDelayMs;
      listener.onConnection(true);
      refresh().catch(() => {
        // The next event or connection brings the jobs.
      });
    });
    events.addEventListener('job', (event) => {
      const job = JSON.parse((event as MessageEvent<string>).data) as Job;
      since?.push(job);
      listener.onJob(job);
    });
    events.addEventListener('error', () => {
      disconnect();
      void afterFailure();
    });
  }

  function disconnect(): void {
    events?.close();
    events = null;
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  function followVisibility(): void {
    if (isHidden()) disconnect();
    else if (events === null && timer === null) connect();
  }

  function end(): void {
    isEnded = true;
    disconnect();
    globalThis.document?.removeEventListener('visibilitychange', followVisibility);
  }

  globalThis.document?.addEventListener('visibilitychange', followVisibility);
  connect();
  return end;
}
