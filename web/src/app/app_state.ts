// What all pages share: who is logged in, the jobs, the address.
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { routeOf, type Route } from './addresses.ts';
import { errorDocument, type DataSource, type ErrorDocument, type Job, type Operation, type Session } from './data_source.ts';
import { runningJob, withJob } from './job_text.ts';

export interface Address {
  path: string;
  search: string;
}

export class App {
  readonly source: DataSource;
  /** null: not logged in; undefined: not known yet. */
  readonly session: Signal<Session | null | undefined> = signal(undefined);
  /** Why the session is not known. */
  readonly failure: Signal<ErrorDocument | null> = signal(null);
  /** Newest first; undefined: not known yet. */
  readonly jobs: Signal<Job[] | undefined> = signal(undefined);
  /** Whether changes of jobs arrive. */
  readonly isConnected = signal(true);
  readonly address: Signal<Address> = signal({ path: location.pathname, search: location.search });
  readonly route: ReadonlySignal<Route> = computed(() => routeOf(this.address.value.path, this.address.value.search));
  readonly measuring: ReadonlySignal<Job | null> = computed(() => runningJob(this.jobs.value ?? []));
  private operationList: Promise<Operation[]> | null = null;
  private endWatch: (() => void) | null = null;

  constructor(source: DataSource) {
    this.source = source;
    addEventListener('popstate', () => {
      this.address.value = { path: location.pathname, search: location.search };
    });
  }

  async start(): Promise<void> {
    this.failure.value = null;
    try {
      this.enter(await this.source.session());
    } catch (error) {
      const document = errorDocument(error);
      if (document.kind === 'unauthorized') this.session.value = null;
      else this.failure.value = document;
    }
  }

  /** Called with the session of a user who logged in. */
  enter(session: Session): void {
    this.session.value = session;
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
    await this.source.logOut();
    this.leave();
    this.go('/login');
  }

  keepJob(job: Job): void {
    this.jobs.value = withJob(this.jobs.value ?? [], job);
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

  /** A new entry in the history of the browser. */
  go(address: string): void {
    if (address !== location.pathname + location.search) history.pushState(null, '', address);
    this.address.value = { path: location.pathname, search: location.search };
    scrollTo(0, 0);
  }

  /** Another address of the same place: filters, for example. */
  replace(address: string): void {
    history.replaceState(null, '', address);
    this.address.value = { path: location.pathname, search: location.search };
  }
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = useContext(AppContext);
  if (app === null) throw new Error('this part of the application stands outside of it');
  return app;
}
