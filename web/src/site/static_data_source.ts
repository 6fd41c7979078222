// The data source of a published site: its files. What needs a server or a measurement is refused.
import type { ExperimentDocument } from '../app/experiment_facts.ts';
import type { ExperimentRow } from '../app/experiment_filter.ts';
import { RequestError, type DataSource, type Job, type Operation, type Outcome, type Request, type Session, type Upload } from '../app/data_source.ts';
import { documentOf, documentText } from './documents.ts';
import type { ExperimentEntry, SiteExperiment, SiteHistory, SiteIndex } from './site_data.ts';

export class StaticDataSource implements DataSource {
  readonly index: SiteIndex;
  private readonly byName: Map<string, ExperimentEntry>;

  constructor(index: SiteIndex) {
    this.index = index;
    this.byName = new Map(index.experiments.map((entry) => [entry.name, entry]));
  }

  /** Throws a RequestError when the site has no such experiment. */
  entry(name: string): ExperimentEntry {
    const entry = this.byName.get(name);
    if (!entry) throw new RequestError({ kind: 'bad_input', what: `The site has no experiment ${name}`, hint: 'It may have been removed or renamed; the list of experiments has those that there are.' });
    return entry;
  }

  experiment(name: string): Promise<SiteExperiment> {
    return documentOf(`experiments/${this.entry(name).folder}/experiment`);
  }

  /** The self-contained page of an experiment's report. */
  async reportPage(name: string): Promise<string> {
    const { folder } = this.entry(name);
    const [page, data] = await Promise.all([
      documentText('report-page', document.documentElement.dataset['reportPage']!),
      documentText(`experiments/${folder}/report`),
    ]);
    // As src/answer/report/html.cc: inside a script element, "<" may end it.
    return page.replace('__XSP_REPORT_DATA__', () => data.replaceAll('<', '\\u003c'));
  }

  session(): Promise<Session> {
    return Promise.resolve({ user: '', role: 'view', version: this.index.xsp_version, store: this.index.title, login: 'token' });
  }

  operations(): Promise<Operation[]> {
    return Promise.resolve([]);
  }

  async read<Document>(operation: string, request: Request): Promise<Document> {
    switch (operation) {
      case 'show': return await this.shown(String(request['run'])) as Document;
      case 'findings': return await documentOf(`experiments/${this.entry(String(request['run'])).folder}/findings`);
      case 'history': return await this.history(String(request['model'])) as Document;
      default: return refused();
    }
  }

  async readRows<Row>(operation: string, _request: Request, onRows: (rows: Row[], total: number | null) => void): Promise<void> {
    if (operation !== 'list') refused();
    const rows = this.index.experiments.map(rowOf);
    onRows(rows as Row[], rows.length);
    await Promise.resolve();
  }

  private async shown(name: string): Promise<ExperimentDocument> {
    const entry = this.entry(name);
    const { command, conditions, run_rows } = await this.experiment(name);
    return {
      path: name,
      experiment: { created: entry.created, command, tags: entry.tags, status: entry.status, conditions },
      points: entry.points,
      runs: run_rows,
      diagnostics: [],
    };
  }

  private history(model: string): Promise<SiteHistory> {
    const file = this.index.histories[model];
    if (!file) return Promise.resolve({ unit: 'ns', series: [] });
    return documentOf(file.replace(/\.js$/, ''));
  }

  logIn(): Promise<Session> { return Promise.reject(kRefused()); }
  logOut(): Promise<void> { return Promise.reject(kRefused()); }
  perform(): Promise<Outcome> { return Promise.reject(kRefused()); }
  job(): Promise<Job> { return Promise.reject(kRefused()); }
  jobLog(): Promise<string> { return Promise.reject(kRefused()); }
  jobLevels(): Promise<never> { return Promise.reject(kRefused()); }
  cancelJob(): Promise<void> { return Promise.reject(kRefused()); }
  upload(): Promise<Upload> { return Promise.reject(kRefused()); }
  watchJobs(): () => void { return () => {}; }
  pageAddress(): string { return refused(); }
}

const kRefused = (): RequestError => new RequestError({ kind: 'not_possible', what: 'A published site has no server', hint: 'Run `xsp serve` on the store.' });

function refused(): never {
  throw kRefused();
}

export function rowOf({ name, created, model, backend, runs, status, tags, machine }: ExperimentEntry): ExperimentRow {
  return { name, created, model, backend, runs, status, machine, tags: Object.entries(tags).map(([key, value]) => `${key}=${value}`).join(' ') };
}
