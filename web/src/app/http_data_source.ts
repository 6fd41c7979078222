// The data source of the application that `xsp serve` serves.
import { withFields } from './addresses.ts';
import { RequestError, type Credentials, type DataSource, type ErrorDocument, type Job, type JobListener, type LiveRun, type Operation, type Outcome, type Request, type Session, type Upload, type UploadProgress } from './data_source.ts';
import { watchJobs } from './job_events.ts';

const kApi = '/api/v1';
/** Rows of one part of a list. */
const kPartRows = 1000;
/** Longer requests are posted: servers and proxies limit the length of addresses. */
const kMaxAddress = 2000;

const kUnreachable: ErrorDocument = { kind: 'environment', what: 'The server cannot be reached', hint: 'Check that `xsp serve` is running, then try again.' };

/** The error of an answer: what the server wrote, or its status where it wrote nothing of use. `challenge`: its header
 *  WWW-Authenticate. */
export function errorOf(status: number, text: string, challenge: string | null = null): RequestError {
  const login = challenge === null ? {} : { login: /\bPassword\b/.test(challenge) ? 'users' as const : 'token' as const };
  try {
    const { error } = JSON.parse(text) as { error?: ErrorDocument };
    if (typeof error?.what === 'string') return new RequestError({ ...error, ...login });
  } catch {
    // Not JSON: a proxy answered.
  }
  return new RequestError({ kind: status === 401 ? 'unauthorized' : 'internal', what: `The server answered with status ${status}`, ...login });
}

/** The address of the next part in a Link header; null: there is none. */
export function nextPart(link: string | null): string | null {
  return /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? '')?.[1] ?? null;
}

async function answer(address: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(address, { credentials: 'same-origin', ...init });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new RequestError(kUnreachable);
  }
  if (!response.ok) throw errorOf(response.status, await response.text(), response.headers.get('WWW-Authenticate'));
  return response;
}

async function jsonAnswer<T>(address: string, init?: RequestInit): Promise<T> {
  const response = await answer(address, init);
  return await response.json() as T;
}

function posted(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

const jobPath = (id: string): string => `${kApi}/jobs/${encodeURIComponent(id)}`;

export class HttpDataSource implements DataSource {
  session(): Promise<Session> {
    return jsonAnswer(`${kApi}/session`);
  }

  logIn(credentials: Credentials): Promise<Session> {
    return jsonAnswer(`${kApi}/session`, posted(credentials));
  }

  async logOut(): Promise<void> {
    await answer(`${kApi}/session`, { method: 'DELETE' });
  }

  operations(): Promise<Operation[]> {
    return jsonAnswer(`${kApi}/operations`);
  }

  read<T>(operation: string, request: Request, stop?: AbortSignal): Promise<T> {
    const address = withFields(`${kApi}/${operation}`, request);
    const stopping = stop ? { signal: stop } : {};
    if (address.length <= kMaxAddress) return jsonAnswer(address, stopping);
    return jsonAnswer(`${kApi}/${operation}`, { ...posted(request), ...stopping });
  }

  async readRows<Row>(operation: string, request: Request, onRows: (rows: Row[], total: number | null) => void, stop?: AbortSignal): Promise<void> {
    let address: string | null = withFields(`${kApi}/${operation}`, { ...request, limit: kPartRows });
    while (address !== null) {
      const response: Response = await answer(address, stop ? { signal: stop } : {});
      const total = response.headers.get('X-Total-Count');
      onRows(await response.json() as Row[], total === null ? null : Number(total));
      const next = nextPart(response.headers.get('Link'));
      address = next === null ? null : new URL(next, new URL(address, location.origin)).href;
    }
  }

  async perform(operation: string, request: Request, stop?: AbortSignal): Promise<Outcome> {
    const response = await answer(`${kApi}/${operation}`, { ...posted(request), ...(stop ? { signal: stop } : {}) });
    const body: unknown = await response.json();
    return response.status === 202 ? { document: null, job: (body as { job: Job }).job } : { document: body, job: null };
  }

  job(id: string): Promise<Job> {
    return jsonAnswer(jobPath(id));
  }

  async jobLog(id: string): Promise<string> {
    const response = await answer(`${jobPath(id)}/log`);
    return response.text();
  }

  jobLevels(id: string): Promise<{ runs: LiveRun[] }> {
    return jsonAnswer(`${jobPath(id)}/levels`);
  }

  async cancelJob(id: string): Promise<void> {
    await answer(jobPath(id), { method: 'DELETE' });
  }

  watchJobs(listener: JobListener): () => void {
    return watchJobs(`${kApi}/jobs/events`, async () => (await jsonAnswer<{ jobs: Job[] }>(`${kApi}/jobs`)).jobs, listener);
  }

  /** By XMLHttpRequest: fetch does not report how much was sent. */
  upload(file: File, onProgress: (progress: UploadProgress) => void, stop?: AbortSignal): Promise<Upload> {
    return new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const abort = (): void => request.abort();
      request.open('POST', withFields(`${kApi}/uploads`, { name: file.name }));
      request.setRequestHeader('Content-Type', 'application/octet-stream');
      request.upload.onprogress = (event) => onProgress({ sent: event.loaded, bytes: file.size });
      request.onload = () => {
        if (request.status >= 200 && request.status < 300) resolve(JSON.parse(request.responseText) as Upload);
        else reject(errorOf(request.status, request.responseText));
      };
      request.onerror = () => reject(new RequestError(kUnreachable));
      request.onabort = () => reject(new DOMException('The upload was stopped', 'AbortError'));
      request.onloadend = () => stop?.removeEventListener('abort', abort);
      stop?.addEventListener('abort', abort);
      request.send(file);
    });
  }

  pageAddress(operation: string, request: Request): string {
    return withFields(`/pages/${operation}`, request);
  }
}
