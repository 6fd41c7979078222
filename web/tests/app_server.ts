// A server with the contract of `xsp serve` for the tests of the application: the same addresses, headers and errors,
// documents from app_documents.ts. Jobs change when a test says so.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { withFields } from '../src/app/addresses.ts';
import type { ErrorDocument, Job, LiveRun, LogInWay, Role } from '../src/app/data_source.ts';
import type { ExperimentRow } from '../src/app/experiment_filter.ts';
import type { StoredPoint } from '../src/app/point_list.ts';
import type { Finding } from '../src/report_data.ts';
import { comparison, experimentRows, found, history, job, kOperations, kSuiteAnswer, kZoo, queried, runPlan, shown, storedPoints, storeFindings } from './app_documents.ts';
import { timelineDocument } from './app_timeline_document.ts';
import { kWeb } from './browser.ts';

const kApplicationPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const kPagePolicy = 'sandbox allow-scripts allow-downloads';
export const kToken = 'secret-token';
const kStatus: Record<string, number> = { usage: 400, bad_input: 404, unauthorized: 401, forbidden: 403, not_possible: 409, too_large: 413 };

/** What can also be posted: requests that are too long for an address. */
const kReads = ['list', 'show', 'findings', 'compare', 'history', 'query', 'timeline', 'store/known'];

class Refusal extends Error {
  readonly document: ErrorDocument;

  constructor(kind: string, what: string, more: Partial<ErrorDocument> = {}) {
    super(what);
    this.document = { kind, what, ...more };
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

export class AppServer {
  rows: ExperimentRow[] = experimentRows();
  /** Newest first. */
  jobs: Job[] = [];
  logs = new Map<string, string>();
  levels = new Map<string, LiveRun[]>();
  role: Role = 'measure';
  login: LogInWay = 'token';
  uploads: { name: string; bytes: number }[] = [];
  /** Whether the user may upload models. */
  modelUploads = false;
  mostUploadBytes = Infinity;
  /** Bodies of operations that change or measure, in order. */
  performed: { operation: string; request: Record<string, unknown> }[] = [];
  /** Requests that were planned only, in order. */
  planned: Record<string, unknown>[] = [];
  /** Of no experiment is there a timeline. */
  hasTimelines = true;
  /** Requests of timelines, in order. */
  timelines: URLSearchParams[] = [];
  /** Experiments whose findings are known. */
  known = new Set(this.rows.map(({ name }) => name));
  /** In place of all known gains of the findings. */
  gain: Finding['gain_ns'] = null;
  private readonly listeners = new Set<ServerResponse>();
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      this.answer(request, response).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        const ways = this.login === 'users' ? 'Bearer, Password realm="/api/v1/session"' : 'Bearer';
        const headers: Record<string, string> = error.document.kind === 'unauthorized' ? { 'WWW-Authenticate': ways } : {};
        send(response, kStatus[error.document.kind] ?? 500, { error: error.document }, headers);
      });
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  async close(): Promise<void> {
    this.dropEvents();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Ends all event streams, as a network does. */
  dropEvents(): void {
    for (const listener of this.listeners) listener.destroy();
    this.listeners.clear();
  }

  get listenerCount(): number {
    return this.listeners.size;
  }

  /** A new or changed job; every event stream gets it. */
  change(part: Partial<Job> & { id: string }): void {
    const known = this.jobs.find(({ id }) => id === part.id);
    const changed = known ? Object.assign(known, part) : job(part);
    if (!known) this.jobs.unshift(changed);
    for (const listener of this.listeners) listener.write(`event: job\ndata: ${JSON.stringify(changed)}\n\n`);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = new URL(request.url!, this.origin);
    const path = decodeURIComponent(address.pathname);
    if (path.startsWith('/api/v1/')) return this.api(path.slice('/api/v1/'.length), address, request, response);
    if (path.startsWith('/pages/')) {
      if (!this.isLoggedIn(request)) throw new Refusal('unauthorized', 'Not logged in');
      return this.page(path.slice('/pages/'.length), address, response);
    }
    if (path === '/' && address.searchParams.get('token') === kToken) {
      response.writeHead(303, { 'Location': '/', 'Set-Cookie': `xsp=${kToken}; HttpOnly; SameSite=Strict; Path=/` });
      response.end();
      return;
    }
    const isAsset = path.startsWith('/assets/');
    const file = join(kWeb, 'dist/app', isAsset ? path : 'index.html');
    const type = file.endsWith('.js') ? 'text/javascript' : file.endsWith('.css') ? 'text/css' : 'text/html';
    response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': kApplicationPolicy, 'X-Content-Type-Options': 'nosniff' });
    response.end(readFileSync(file));
  }

  private page(operation: string, address: URL, response: ServerResponse): void {
    // As a report does: its script runs, in an origin of its own, and asks for places on the timeline once it is offered;
    // to be offered it again changes nothing.
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': kPagePolicy });
    response.end(`<!doctype html><title>page</title><p id="page">${operation} ${encodeURIComponent(address.search)}</p><script>
      document.getElementById('page').dataset.origin = self.origin;
      addEventListener('message', ({ data }) => {
        if (data.type !== 'xsp-timeline-offered' || document.querySelector('button')) return;
        document.body.append(Object.assign(document.createElement('button'), { textContent: 'jump', onclick: () => parent.postMessage({ type: 'xsp-timeline-jump', search: 'cudaLaunchKernel', nth: 3, run: 'kernel-1' }, '*') }));
      });
    </script>`);
  }

  private isLoggedIn(request: IncomingMessage): boolean {
    return request.headers.cookie?.includes(`xsp=${kToken}`) ?? false;
  }

  private async session(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const document = { user: 'ada', role: this.role, version: '1.0.0', store: 'store', login: this.login, model_uploads: this.modelUploads };
    if (request.method === 'DELETE') return send(response, 200, {}, { 'Set-Cookie': 'xsp=; Max-Age=0; Path=/' });
    if (request.method === 'POST') {
      const body = JSON.parse((await bodyOf(request)).toString()) as { token?: string; password?: string };
      if ((body.token ?? body.password) !== kToken) throw new Refusal('unauthorized', 'The token is wrong', { hint: 'Copy it from the output of `xsp serve`.' });
      return send(response, 200, document, { 'Set-Cookie': `xsp=${kToken}; HttpOnly; SameSite=Strict; Path=/` });
    }
    if (!this.isLoggedIn(request)) throw new Refusal('unauthorized', 'Not logged in');
    send(response, 200, document);
  }

  private async api(path: string, address: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (path === 'session') return this.session(request, response);
    if (!this.isLoggedIn(request)) throw new Refusal('unauthorized', 'Not logged in');
    if (path === 'operations') return send(response, 200, kOperations);
    if (path === 'jobs') return send(response, 200, { jobs: this.jobs });
    if (path.startsWith('jobs/')) return this.jobAnswer(path.split('/').slice(1), request, response);
    if (path === 'uploads') {
      const upload = { name: address.searchParams.get('name') ?? '', bytes: (await bodyOf(request)).length };
      if (upload.bytes > this.mostUploadBytes) throw new Refusal('too_large', `uploads may have ${this.mostUploadBytes} bytes together`);
      this.uploads.push(upload);
      return send(response, 201, { upload: `upload:${this.uploads.length}`, ...upload });
    }
    if (request.method === 'POST') return this.perform(path, JSON.parse((await bodyOf(request)).toString()) as Record<string, unknown>, response);
    this.read(path, address.searchParams, response);
  }

  private jobAnswer([id = '', part]: string[], request: IncomingMessage, response: ServerResponse): void {
    if (id === 'events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      response.write(': connected\n\n');
      this.listeners.add(response);
      request.on('close', () => this.listeners.delete(response));
      return;
    }
    const found = this.jobs.find((item) => item.id === id);
    if (!found) throw new Refusal('bad_input', `no job ${id}`, { hint: 'Jobs of earlier servers are not listed.' });
    if (part === 'levels') {
      send(response, 200, { runs: found.state === 'running' ? this.levels.get(id) ?? [] : [] });
    } else if (part === 'log') {
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(this.logs.get(id) ?? '');
    } else if (request.method === 'DELETE') {
      this.change({ id, state: 'cancelled', position: null, ended: '2026-11-26T10:05:00Z', exit_status: 130 });
      send(response, 200, found);
    } else {
      send(response, 200, found);
    }
  }

  private row(name: string): ExperimentRow {
    const row = name === 'latest' ? this.rows.at(-1) : this.rows.find((item) => item.name === name) ?? this.rows.find((item) => name.startsWith(`${item.name}/`));
    if (!row) throw new Refusal('bad_input', `no experiment ${name}`, { hint: 'List them with `xsp list`.' });
    return row;
  }

  private points(fields: URLSearchParams): StoredPoint[] {
    const [model, machine] = [fields.get('model') ?? '', fields.get('machine') ?? ''];
    return storedPoints(this.rows).filter((point) => (model === '' || point.model === model) && (machine === '' || point.machine === machine));
  }

  private read(operation: string, fields: URLSearchParams, response: ServerResponse): void {
    const run = fields.get('run') ?? 'latest';
    switch (operation) {
      case 'list': return this.list(fields, response);
      case 'suite/similarity': return send(response, 200, kSuiteAnswer);
      case 'points': return send(response, 200, this.points(fields));
      case 'show': return send(response, 200, shown(this.row(run)));
      case 'findings': return send(response, 200, found(this.row(run).name));
      case 'store/known': return send(response, 200, storeFindings(this.rows, this.known, fields, this.gain));
      case 'compare': return send(response, 200, comparison(fields.getAll('side').map((side) => this.row(side).name)));
      case 'history': return send(response, 200, history(this.rows.filter(({ model }) => model === fields.get('model'))));
      case 'timeline':
        if (!this.hasTimelines) throw new Refusal('not_possible', 'no run has spans');
        this.timelines.push(fields);
        return send(response, 200, timelineDocument(fields));
      case 'zoo/list': return send(response, 200, kZoo);
      case 'query': return this.query(fields.get('sql') ?? '', response);
      default: throw new Refusal('usage', `no operation ${operation}`);
    }
  }

  private list(fields: URLSearchParams, response: ServerResponse): void {
    const [limit, from] = [Number(fields.get('limit') ?? 100), Number(fields.get('cursor') ?? 0)];
    const next = from + limit;
    const headers: Record<string, string> = { 'X-Total-Count': String(this.rows.length) };
    if (next < this.rows.length) headers['Link'] = `</api/v1/list?limit=${limit}&cursor=${next}>; rel="next"`;
    send(response, 200, this.rows.slice(from, next), headers);
  }

  private query(sql: string, response: ServerResponse): void {
    if (sql.includes('wrong')) throw new Refusal('usage', 'no column "wrong" in table layer', { hint: 'The tables are beside the query.', field: 'sql' });
    send(response, 200, queried(sql));
  }

  private perform(operation: string, request: Record<string, unknown>, response: ServerResponse): void {
    if (kReads.includes(operation)) return this.read(operation, new URL(withFields('/', request), this.origin).searchParams, response);
    if (this.role !== 'measure') throw new Refusal('forbidden', 'You may only read');
    const isPlan = operation === 'run' && request['plan'] === true;
    if (isPlan) this.planned.push(request);
    else this.performed.push({ operation, request });
    if (operation === 'run' || operation === 'import' || operation === 'store/findings') {
      if (request['model'] === 'missing.onnx') throw new Refusal('bad_input', 'no such file: missing.onnx', { hint: 'Give a path on the server.', field: 'model' });
      if (isPlan) return send(response, 200, runPlan(request));
      this.change({ id: `job-${this.jobs.length + 1}`, operation, command: `xsp ${operation} ...` });
      return send(response, 202, { job: this.jobs[0] });
    }
    if (operation === 'remove') this.rows = this.rows.filter(({ name }) => !(request['name'] as string[]).includes(name));
    if (operation === 'rename') this.row(String(request['name'])).name = String(request['new_name']);
    if (operation === 'tag') this.row(String(request['name'])).tags = (request['tags'] as string[]).filter((tag) => !tag.endsWith('=')).join(' ');
    send(response, 200, {});
  }
}
