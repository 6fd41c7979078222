// The list of findings: one line of prose each, its evidence behind a disclosure; and the rules that
// could not be evaluated.
import type { VNode } from 'preact';
import { h, prose } from './markup.ts';
import { findingEvidence } from './finding_evidence.ts';
import { spanOf } from './finding_place.ts';
import { gainText } from './finding_text.ts';
import { count } from './format.ts';
import type { Abstention, Finding, ReportData } from './report_data.ts';
import { behind, type Context } from './section.ts';
import { SeverityMark } from './severity_mark.ts';
import { TimelineButton } from './timeline_jump.ts';

/** Findings that are not behind "more". */
const kShown = 9;

export function findingList(context: Context): VNode[] {
  const { findings } = context.data;
  if (findings.length === 0) return [];
  const items = findings.map((finding) => listItem(context, finding));
  const out: VNode[] = [h('ol', { class: 'findings' }, ...items.slice(0, kShown))];
  const left = findings.length - kShown;
  if (left > 0)
    out.push(h('details', { class: 'more-findings' }, h('summary', {}, `${count(left)} more finding${left === 1 ? '' : 's'}`),
      h('ol', { class: 'findings', start: kShown + 1 }, ...items.slice(kShown))));
  return out;
}

function listItem(context: Context, finding: Finding): VNode {
  const gain = gainText(finding);
  const span = spanOf(finding.evidence);
  return h('li', { id: `finding-${finding.id}` },
    h('p', { class: 'finding' }, h(SeverityMark, { severity: finding.severity }), prose(finding.sentence),
      gain !== null && ' ', gain !== null && h('span', { class: 'gain' }, `${gain}.`), ' ',
      seeLink(context.data, finding),
      span !== null && h(TimelineButton, { place: { search: span, nth: 1, run: context.model.timelineRun(context.data.findings_point_id) }, what: span })),
    behind(['Evidence', h('span', { class: 'hidden-text' }, `: ${finding.title}`)], () => findingEvidence(context, finding)));
}

/** To the part of the page that shows more; null: this page does not have it. */
function seeLink({ absent, analyses }: ReportData, { see, title }: Finding): VNode | null {
  const isThere = see.startsWith('analysis-') ? analyses.some(({ id }) => see === `analysis-${id}`) : !absent.includes(see);
  return isThere ? h('a', { class: 'evidence', href: `#${see}`, 'aria-label': `See more: ${title}` }, '\u2192') : null;
}

/** Why rules say nothing, closed: what is missing is not a result. */
export function abstainedList(abstained: readonly Abstention[]): VNode | null {
  if (abstained.length === 0) return null;
  return h('details', { class: 'abstained' }, h('summary', {}, `Not evaluated (${count(abstained.length)})`),
    h('ul', { class: 'plain' }, ...abstained.map(({ id, reason }) => h('li', {}, h('code', {}, id), ': ', prose(reason)))));
}
