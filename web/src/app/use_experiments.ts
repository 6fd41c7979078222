// All experiments of the store, part by part.
import type { ExperimentRow } from './experiment_filter.ts';
import { useDocument, type UsedDocument } from './use_document.ts';

export interface ExperimentList {
  rows: ExperimentRow[];
  /** Of the store; null: not known. */
  total: number | null;
}

const kNone: ExperimentRow[] = [];

/** Those that are known by now, for suggestions: a name can be typed without them. */
export function useKnownExperiments(): ExperimentRow[] {
  const { loaded } = useExperiments();
  return loaded.state === 'ready' ? loaded.document.rows : kNone;
}

export function useExperiments(): UsedDocument<ExperimentList> {
  return useDocument<ExperimentList>('experiments', async (source, report, stop) => {
    let rows: ExperimentRow[] = [];
    await source.readRows<ExperimentRow>('list', {}, (part, total) => {
      rows = [...rows, ...part];
      report({ rows, total });
    }, stop);
  });
}
