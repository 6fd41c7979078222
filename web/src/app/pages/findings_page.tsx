// What stands out in all experiments of the store: by rule, with the experiments that have it.
import type { VNode } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { gainText } from '../../finding_text.ts';
import { date, plural } from '../../format.ts';
import { SeverityMark } from '../../severity_mark.ts';
import { useApp } from '../app_state.ts';
import { EmptyState } from '../parts/empty_state.tsx';
import { Evaluation } from '../parts/evaluation.tsx';
import { ExperimentFilters } from '../parts/experiment_filters.tsx';
import { Heading } from '../parts/heading.tsx';
import { Loading } from '../parts/loading.tsx';
import { Prose } from '../parts/prose.tsx';
import { findingAddress, findingsAddress, findingsRequest, findingsView, gainsText, hasOnlyLimits, kOrders, kSeverities, limitsText, ordered, spreadText, type FindingRow, type FindingsView, type RuleGroup, type RuleOrder, type StoreFindings } from '../store_findings.ts';
import { useKnownExperiments } from '../use_experiments.ts';
import { evaluationStage, useAllRows, useEvaluation, useSettled, useStoreFindings } from '../use_store_findings.ts';

/** Experiments of a rule that are shown at first, and how many more each time. */
const kRows = 50;
/** After the last letter of a filter. */
const kSettledMs = 250;

const kSeverityNames = { warning: 'warnings', notice: 'notices', info: 'information' } as const;

function Row({ row, rule }: { row: FindingRow; rule: string }): VNode {
  const gain = gainText(row);
  return (
    <li>
      <p><a href={findingAddress(row.experiment, rule)}><bdi>{row.experiment}</bdi></a> <span class="note">{[row.model, row.point].filter((part) => part !== '').map((part) => <><bdi>{part}</bdi>, </>)}{date(row.created)}</span></p>
      <p class="found"><Prose text={row.sentence} />{gain !== null && <span class="gain"> {gain}.</span>}</p>
    </li>
  );
}

function Rows({ group, request, stage }: { group: RuleGroup; request: Record<string, unknown>; stage: string }): VNode {
  const [shown, setShown] = useState(kRows);
  const used = useStoreFindings({ ...request, rule: [group.id], rows: shown }, stage);
  return (
    <Loading what="the experiments" used={used}>
      {({ rules: [found] }) => found === undefined ? <p class="note">No experiment has it any more.</p> : (
        <>
          <ul class="plain finding-rows">{found.rows.map((row) => <Row key={row.experiment} row={row} rule={group.id} />)}</ul>
          {found.rows.length < found.experiments && <button type="button" onClick={() => setShown(shown + kRows)}>Show more of {plural(found.experiments, 'experiment')}</button>}
        </>
      )}
    </Loading>
  );
}

interface GroupProperties {
  group: RuleGroup;
  /** What it saves; null: nothing that is known. */
  gains: string | null;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  request: Record<string, unknown>;
  stage: string;
}

function Group({ group, gains, isOpen, onToggle, request, stage }: GroupProperties): VNode {
  return (
    <li>
      <details open={isOpen} onToggle={(event) => { if (event.currentTarget.open !== isOpen) onToggle(event.currentTarget.open); }}>
        <summary>
          <span class="finding"><SeverityMark severity={group.severity} />{group.title}</span>
          <span class="rule-facts"><bdi>{spreadText(group)}</bdi>{gains !== null && <span class="gain">{gains}</span>}</span>
        </summary>
        {isOpen && <Rows group={group} request={request} stage={stage} />}
      </details>
    </li>
  );
}

interface GroupsProperties {
  document: StoreFindings;
  view: FindingsView;
  onToggle: (id: string, isOpen: boolean) => void;
  request: Record<string, unknown>;
  stage: string;
}

function Groups({ document, view, onToggle, request, stage }: GroupsProperties): VNode {
  const limited = useAllRows(document.rules.filter(hasOnlyLimits).map(({ id }) => id), request, stage);
  return (
    <ul class="findings rules">
      {ordered(document.rules, view.order).map((group) => <Group key={group.id} group={group} gains={gainsText(group) ?? limitsText(limited.get(group.id) ?? [])}
        isOpen={view.open.includes(group.id)} onToggle={(isOpen) => onToggle(group.id, isOpen)} request={request} stage={stage} />)}
    </ul>
  );
}

function NoRules({ document, isFiltered }: { document: StoreFindings; isFiltered: boolean }): VNode {
  if (document.experiments === 0 && !isFiltered) return <EmptyState command="xsp run resnet50">The store has no experiments yet.</EmptyState>;
  if (document.experiments === 0) return <EmptyState>No experiment has all of this. Clear a filter to see more.</EmptyState>;
  if (document.known === 0) return <EmptyState command="xsp store findings">No findings are known yet. On the command line, this evaluates them for the store:</EmptyState>;
  return <EmptyState>No rule of this severity holds in the experiments whose findings are known.</EmptyState>;
}

interface ChoiceProperties {
  view: FindingsView;
  show: (view: FindingsView) => void;
}

function Choices({ view, show }: ChoiceProperties): VNode {
  return (
    <div class="filters">
      <label class="filter">Severity
        <select value={view.severity} onChange={(event) => show({ ...view, severity: event.currentTarget.value })}>
          <option value="">all</option>
          {kSeverities.map((severity) => <option value={severity}>{kSeverityNames[severity]}</option>)}
        </select>
      </label>
      <label class="filter">Order
        <select value={view.order} onChange={(event) => show({ ...view, order: event.currentTarget.value as RuleOrder })}>
          {Object.entries(kOrders).map(([order, name]) => <option value={order}>{name}</option>)}
        </select>
      </label>
    </div>
  );
}

export function FindingsPage(): VNode {
  const app = useApp();
  const view = findingsView(app.address.value.search);
  const experiments = useKnownExperiments();
  const job = useEvaluation();
  const stage = evaluationStage(job);
  const wanted = findingsRequest(view.filter, view.severity);
  const request = useSettled(wanted, JSON.stringify(wanted), kSettledMs);
  const used = useStoreFindings(request, stage);
  const show = (next: FindingsView): void => app.replace(findingsAddress(next));
  const isFiltered = Object.keys(wanted).length > 0;
  // Of a job, all rules: the severity is only of what is shown.
  const evaluated = useMemo(() => findingsRequest(view.filter, ''), [JSON.stringify(view.filter)]);
  const toggle = (id: string, isOpen: boolean): void => {
    const { open } = findingsView(app.address.value.search);
    show({ ...view, open: isOpen ? [...open, id] : open.filter((other) => other !== id) });
  };
  return (
    <>
      <Heading title="Findings"><p class="note">What stands out in the experiments of the store, by rule.</p></Heading>
      <ExperimentFilters rows={experiments} filter={view.filter} onChange={(filter) => show({ ...view, filter })} />
      <Choices view={view} show={show} />
      <Loading what="the findings" used={used}>
        {(document) => (
          <>
            <Evaluation document={document} job={job} request={evaluated} />
            {document.rules.length === 0 ? <NoRules document={document} isFiltered={isFiltered} />
              : <Groups document={document} view={view} onToggle={toggle} request={request} stage={stage} />}
          </>
        )}
      </Loading>
    </>
  );
}
