// Where the application gets its data from: a server today, files of a static site later.
import type { Schema } from './schema.ts';

/** What a user may do: `view` reads, `measure` also measures and changes the store. */
export type Role = 'view' | 'measure';

/** How users log in: with the server's token, or each with a name and a password. */
export type LogInWay = 'token' | 'users';

export interface Session {
  user: string;
  role: Role;
  /** Of XSP. */
  version: string;
  /** Name of the store. */
  store: string;
  login: LogInWay;
  /** Whether this user may upload models; servers of earlier versions do not say. */
  model_uploads?: boolean;
}

export type Credentials = { token: string } | { user: string; password: string };

export interface Operation {
  name: string;
  summary: string;
  /** A command line. */
  example: string;
  effect: 'reads' | 'changes' | 'measures';
  /** Whether it runs as a job. */
  job: boolean;
  /** Whether it writes a page. */
  page: boolean;
  /** The role that it needs. */
  role: Role;
  request: Schema;
  result: Schema;
}

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';

export interface Job {
  id: string;
  operation: string;
  /** A command line that does the same. */
  command: string;
  user: string;
  state: JobState;
  /** RFC 3339, as the two below. */
  created: string;
  started: string | null;
  ended: string | null;
  /** Place in the queue, from 1; null: not queued. */
  position: number | null;
  progress: { step: string; fraction: number | null; remaining_s: number | null } | null;
  exit_status: number | null;
  error: ErrorDocument | null;
  /** Name of the experiment that it stored. */
  experiment: string | null;
}

export interface ErrorDocument {
  kind: string;
  what: string;
  hint?: string | null;
  /** The field of the request that is wrong. */
  field?: string | null;
  /** How to log in, where nobody is. */
  login?: LogInWay;
}

/** Why a request was not answered. */
export class RequestError extends Error {
  readonly document: ErrorDocument;

  constructor(document: ErrorDocument) {
    super(document.what);
    this.document = document;
  }
}

/** The document of any failure: also of a bug in the application. */
export function errorDocument(error: unknown): ErrorDocument {
  if (error instanceof RequestError) return error.document;
  return { kind: 'internal', what: error instanceof Error ? error.message : String(error) };
}

export type Request = Record<string, unknown>;

/** The document of an operation, or the job that will make it. */
export type Outcome = { document: unknown; job: null } | { document: null; job: Job };

/** What of an upload arrived. */
export interface UploadProgress {
  sent: number;
  bytes: number;
}

export interface Upload {
  /** The name for requests: upload:ID. */
  upload: string;
  name: string;
  bytes: number;
}

/** Spans of one level that were recorded so far. */
export interface LiveLevel {
  level: string;
  spans: number;
  time_ns: number;
  /** Those with the most time of their own: without spans of the same level within. */
  names: { name: string; spans: number; time_ns: number }[];
  /** How many names are not listed. */
  other_names: number;
}

export interface LiveRun {
  run: string;
  levels: LiveLevel[];
}

export interface JobListener {
  /** All jobs, newest first: at the start and after each interruption of the connection. */
  onJobs(jobs: Job[]): void;
  /** A job is new or changed. */
  onJob(job: Job): void;
  onConnection(isConnected: boolean): void;
  /** The session ended. */
  onLoggedOut(): void;
}

/** Every promise rejects with a RequestError; one that was stopped rejects with an AbortError. */
export interface DataSource {
  session(): Promise<Session>;
  logIn(credentials: Credentials): Promise<Session>;
  logOut(): Promise<void>;
  operations(): Promise<Operation[]>;
  /** The document of an operation that only reads. */
  read<Document>(operation: string, request: Request, stop?: AbortSignal): Promise<Document>;
  /** Likewise a document that is a list, part by part; `total` is null where it is not known. */
  readRows<Row>(operation: string, request: Request, onRows: (rows: Row[], total: number | null) => void, stop?: AbortSignal): Promise<void>;
  perform(operation: string, request: Request, stop?: AbortSignal): Promise<Outcome>;
  job(id: string): Promise<Job>;
  jobLog(id: string): Promise<string>;
  /** What a running job is recording. Without runs: nothing yet. Its process sums only while this is asked. */
  jobLevels(id: string): Promise<{ runs: LiveRun[] }>;
  cancelJob(id: string): Promise<void>;
  /** Returns a function that ends the watch. */
  watchJobs(listener: JobListener): () => void;
  upload(file: File, onProgress: (progress: UploadProgress) => void, stop?: AbortSignal): Promise<Upload>;
  /** The address of the page that an operation writes. */
  pageAddress(operation: string, request: Request): string;
}
