// The findings of the store, and the job that evaluates what is not known of them.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from './app_state.ts';
import type { Job } from './data_source.ts';
import { isOver } from './job_text.ts';
import type { FindingRow, StoreFindings } from './store_findings.ts';
import { useDocument, useOperation, type UsedDocument } from './use_document.ts';

const kEvaluation = 'store/findings';
/** Times that the page reads again while a job runs. */
const kReadings = 20;
/** The most that the operation answers of a rule. */
const kAllRows = 10_000;

/** The newest job that evaluates findings; null: there is none. */
export function useEvaluation(): Job | null {
  return useApp().jobs.value?.find(({ operation }) => operation === kEvaluation) ?? null;
}

/** Changes when more findings are known. */
export function evaluationStage(job: Job | null): string {
  if (job === null) return '';
  return `${job.id} ${isOver(job) ? 'over' : Math.floor((job.progress?.fraction ?? 0) * kReadings)}`;
}

/** As of the newest stage of the evaluation; until it has arrived, that of the stage before. */
export function useStoreFindings(request: Record<string, unknown>, stage: string): UsedDocument<StoreFindings> {
  const key = JSON.stringify(request);
  const before = useRef<{ key: string; document: StoreFindings } | null>(null);
  const used = useOperation<StoreFindings>('store/known', request, stage);
  if (used.loaded.state === 'ready') before.current = { key, document: used.loaded.document };
  if (used.loaded.state === 'loading' && before.current?.key === key) return { ...used, loaded: { state: 'ready', document: before.current.document } };
  return used;
}

/** All rows of `rules`; a rule is missing until they have arrived. No rule is no request. */
export function useAllRows(rules: readonly string[], request: Record<string, unknown>, stage: string): ReadonlyMap<string, FindingRow[]> {
  const all = { ...request, rule: rules, rows: kAllRows };
  const { loaded } = useDocument<StoreFindings | null>(`${JSON.stringify(all)} ${stage}`, async (source, report, stop) => {
    report(rules.length === 0 ? null : await source.read<StoreFindings>('store/known', all, stop));
  });
  const groups = loaded.state === 'ready' ? loaded.document?.rules ?? [] : [];
  return new Map(groups.filter(({ rows, experiments }) => rows.length === experiments).map(({ id, rows }) => [id, rows]));
}

/** `value` as it was when it last stayed the same for so long. */
export function useSettled<T>(value: T, key: string, milliseconds: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}
