// What all pages share: who is logged in, the jobs, the address.
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { jobAddress, routeOf, type Route } from './addresses.ts';
import { errorDocument, type DataSource, type ErrorDocument, type Job, type LogInWay, type Operation, type Request, type Session } from './data_source.ts';
import { runningJob, withJob } from './job_text.ts';

export interface Address {
  path: string;
  search: string;
}

/** Where the address of the page stands. */
export interface AddressBar {
  read(): Address;
  /** A new entry in the history of the browser. */
  push(address: string): void;
  replace(address: string): void;
  /** Called when the browser went to another entry. */
  onMove(moved: () => void): void;
}

const kPathBar: AddressBar = {
  read: () => ({ path: location.pathname, search: location.search }),
  push: (address) => { if (address !== location.pathname + location.search) history.pushState(null, '', address); },
  replace: (address) => { history.replaceState(null, '', address); },
  onMove: (moved) => { addEventListener('popstate', moved); },
};

export class App {
  readonly source: DataSource;
  private readonly bar: AddressBar;
  /** null: not logged in; undefined: not known yet. */
  readonly session: Signal<Session | null | undefined> = signal(undefined);
  /** How to log in. */
  readonly logInWay: Signal<LogInWay> = signal('token');
  /** Why the session is not known. */
  readonly failure: Signal<ErrorDocument | null> = signal(null);
  /** Newest first; undefined: not known yet. */
  readonly jobs: Signal<Job[] | undefined> = signal(undefined);
  /** Whether changes of jobs arrive. */
  readonly isConnected = signal(true);
  readonly address: Signal<Address>;
  readonly route: ReadonlySignal<Route>;
  readonly measuring: ReadonlySignal<Job | null> = computed(() => runningJob(this.jobs.value ?? []));
  private operationList: Promise<Operation[]> | null = null;
  private endWatch: (() => void) | null = null;

  constructor(source: DataSource, bar: AddressBar = kPathBar) {
    this.source = source;
    this.bar = bar;
    this.address = signal(bar.read());
    this.route = computed(() => routeOf(this.address.value.path, this.address.value.search));
    bar.onMove(() => { this.address.value = bar.read(); });
  }

  async start(): Promise<void> {
    this.failure.value = null;
    try {
      this.enter(await this.source.session());
    } catch (error) {
      const document = errorDocument(error);
      if (document.login) this.logInWay.value = document.login;
      if (document.kind === 'unauthorized') this.session.value = null;
      else this.failure.value = document;
    }
  }

  /** Called with the session of a user who logged in. */
  enter(session: Session): void {
    this.session.value = session;
    this.logInWay.value = session.login;
    this.endWatch?.();
    this.endWatch = this.source.watchJobs({
      onJobs: (jobs) => { this.jobs.value = jobs; },
      onJob: (job) => { this.keepJob(job); },
      onConnection: (isConnected) => { this.isConnected.value = isConnected; },
      onLoggedOut: () => { this.leave(); },
    });
    const { route } = this;
    if (route.value.page === 'login') this.replace(route.value.next);
  }

  /** The session ended: the page asks to log in, then continues where it was. */
  leave(): void {
    this.endWatch?.();
    this.endWatch = null;
    this.session.value = null;
    this.jobs.value = undefined;
    this.isConnected.value = true;
    this.operationList = null;
  }

  async logOut(): Promise<void> {
    try {
      await this.source.logOut();
    } catch (error) {
      this.failure.value = errorDocument(error);
      return;
    }
    this.leave();
    this.go('/login');
  }

  keepJob(job: Job): void {
    this.jobs.value = withJob(this.jobs.value ?? [], job);
  }

  async startJob(operation: string, request: Request): Promise<Job> {
    const { job } = await this.source.perform(operation, request);
    if (job === null) throw new Error('the server did not start a job');
    // Events may already know more of it than the answer.
    if (!this.jobs.value?.some(({ id }) => id === job.id)) this.keepJob(job);
    return job;
  }

  openJob(job: Job): void {
    this.go(jobAddress(job.id));
  }

  /** Asked for once. */
  operations(): Promise<Operation[]> {
    this.operationList ??= this.source.operations().catch((error: unknown) => {
      this.operationList = null;
      throw error;
    });
    return this.operationList;
  }

  get mayMeasure(): boolean {
    return this.session.value?.role === 'measure';
  }

  get mayUploadModels(): boolean {
    return this.session.value?.model_uploads === true;
  }

  /** A new entry in the history of the browser. */
  go(address: string): void {
    this.bar.push(address);
    this.address.value = this.bar.read();
    scrollTo(0, 0);
  }

  /** Another address of the same place: filters, for example. */
  replace(address: string): void {
    this.bar.replace(address);
    this.address.value = this.bar.read();
  }
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error('this part of the application stands outside of it');
  return app;
}
