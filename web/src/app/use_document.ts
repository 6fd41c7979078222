// A document that a part of a page shows: it is loading, there, or failed.
import { useEffect, useState } from 'preact/hooks';
import { useApp } from './app_state.ts';
import { errorDocument, type DataSource, type ErrorDocument } from './data_source.ts';

export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'ready'; document: T }
  | { state: 'failed'; error: ErrorDocument };

export interface UsedDocument<T> {
  loaded: Loaded<T>;
  again: () => void;
}

export function wasStopped(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/**
 * Loads when `key` changes; `load` reports a document, or several growing ones. A request for an
 * earlier key is stopped.
 */
export function useDocument<T>(key: string, load: (source: DataSource, report: (document: T) => void, stop: AbortSignal) => Promise<void>): UsedDocument<T> {
  const app = useApp();
  const [loaded, setLoaded] = useState<{ key: string; loaded: Loaded<T> }>({ key, loaded: { state: 'loading' } });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    const report = (document: T): void => {
      if (!stop.signal.aborted) setLoaded({ key, loaded: { state: 'ready', document } });
    };
    load(app.source, report, stop.signal).catch((error: unknown) => {
      if (wasStopped(error) || stop.signal.aborted) return;
      const document = errorDocument(error);
      if (document.kind === 'unauthorized') app.leave();
      setLoaded({ key, loaded: { state: 'failed', error: document } });
    });
    return () => stop.abort();
  }, [key, turn, app]);
  return {
    loaded: loaded.key === key ? loaded.loaded : { state: 'loading' },
    again: () => setTurn((value) => value + 1),
  };
}

/** The document of one operation that reads; read again when `stage` changes. */
export function useOperation<T>(operation: string, request: Record<string, unknown>, stage = ''): UsedDocument<T> {
  return useDocument<T>(`${operation} ${JSON.stringify(request)} ${stage}`, async (source, report, stop) => {
    report(await source.read<T>(operation, request, stop));
  });
}
