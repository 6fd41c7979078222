// The watch of jobs, with an event source and a list that the test answers.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { App } from '../src/app/app_state.ts';
import { RequestError, type DataSource, type Job } from '../src/app/data_source.ts';
import { watchJobs } from '../src/app/job_events.ts';
import { withJob } from '../src/app/job_text.ts';
import { job } from './app_documents.ts';

class FakeEventSource extends EventTarget {
  static last: FakeEventSource;
  isClosed = false;

  constructor() {
    super();
    FakeEventSource.last = this;
  }

  close(): void {
    this.isClosed = true;
  }

  open(): void {
    this.dispatchEvent(new Event('open'));
  }

  send(changed: Job): void {
    this.dispatchEvent(Object.assign(new Event('job'), { data: JSON.stringify(changed) }));
  }
}

/** Everything that waits for a settled promise has run. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

describe('the watch of jobs', () => {
  const before = globalThis.EventSource;
  let jobs: Job[];
  let isLoggedOut: boolean;
  let lists: { resolve: (jobs: Job[]) => void; reject: (error: unknown) => void }[];
  let end: () => void;

  beforeEach(() => {
    globalThis.EventSource = FakeEventSource as unknown as typeof EventSource;
    [jobs, isLoggedOut, lists] = [[], false, []];
    end = watchJobs('/events', () => new Promise<Job[]>((resolve, reject) => lists.push({ resolve, reject })), {
      onJobs: (all) => { jobs = all; }, onJob: (changed) => { jobs = withJob(jobs, changed); }, onConnection: () => undefined, onLoggedOut: () => { isLoggedOut = true; },
    });
  });
  afterEach(() => {
    end();
    globalThis.EventSource = before;
  });

  test('a change that arrives before an older list is kept', async () => {
    FakeEventSource.last.open();
    FakeEventSource.last.send(job({ id: 'new', state: 'running' }));
    lists[0]!.resolve([job({ id: 'old' })]);
    await settled();
    assert.deepEqual(jobs.map(({ id }) => id), ['new', 'old']);
  });

  test('of two lists the one that was asked for later counts', async () => {
    FakeEventSource.last.open();
    FakeEventSource.last.dispatchEvent(new Event('error'));
    lists[1]!.resolve([job({ id: 'later' })]);
    await settled();
    lists[0]!.resolve([job({ id: 'earlier' })]);
    await settled();
    assert.deepEqual(jobs.map(({ id }) => id), ['later']);
    assert.ok(FakeEventSource.last.isClosed);
  });

  test('a hidden tab has no connection, and reads the list again when it is seen', async () => {
    const page = Object.assign(new EventTarget(), { hidden: true });
    globalThis.document = page as unknown as Document;
    try {
      end();
      end = watchJobs('/events', () => new Promise<Job[]>((resolve, reject) => lists.push({ resolve, reject })), {
        onJobs: (all) => { jobs = all; }, onJob: () => undefined, onConnection: () => undefined, onLoggedOut: () => undefined,
      });
      const earlier = FakeEventSource.last;
      page.hidden = false;
      page.dispatchEvent(new Event('visibilitychange'));
      const seen = FakeEventSource.last;
      assert.notEqual(seen, earlier);
      seen.open();
      lists.at(-1)!.resolve([job({ id: 'one' })]);
      await settled();
      assert.deepEqual(jobs.map(({ id }) => id), ['one']);
      page.hidden = true;
      page.dispatchEvent(new Event('visibilitychange'));
      assert.ok(seen.isClosed);
      assert.equal(FakeEventSource.last, seen);
    } finally {
      end();
      Reflect.deleteProperty(globalThis, 'document');
    }
  });

  test('a session that ended ends the watch', async () => {
    FakeEventSource.last.dispatchEvent(new Event('error'));
    lists[0]!.reject(new RequestError({ kind: 'unauthorized', what: 'Not logged in' }));
    await settled();
    assert.ok(isLoggedOut);
  });
});

test('an answer to the start of a job does not take back what events said of it', async () => {
  const source = { perform: () => Promise.resolve({ job: job({ id: 'new', state: 'queued' }) }) } as unknown as DataSource;
  const app = new App(source, { read: () => ({ path: '/', search: '' }), push: () => undefined, replace: () => undefined, onMove: () => undefined });
  await app.startJob('run', {});
  assert.deepEqual(app.jobs.value?.map(({ state }) => state), ['queued']);
  app.keepJob(job({ id: 'new', state: 'failed' }));
  await app.startJob('run', {});
  assert.deepEqual(app.jobs.value?.map(({ state }) => state), ['failed']);
});
