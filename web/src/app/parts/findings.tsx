// What stands out in an experiment: the sentences, the largest gain first.
import type { VNode } from 'preact';
import { SeverityMark } from '../../severity_mark.ts';
import type { Severity } from '../../report_data.ts';
import { spanOf, type Evidence } from '../../finding_place.ts';
import { timelineAddress } from '../addresses.ts';
import { useOperation } from '../use_document.ts';
import { Loading } from './loading.tsx';
import { Prose } from './prose.tsx';

interface FindingsDocument {
  findings: { id: string; severity: Severity; sentence: string; gain: { text?: string } | null; evidence?: Evidence }[];
}

/** Shown at first. */
const kFirst = 5;

/** `hasTimeline`: findings about a layer or kernel lead to it. */
export function Findings({ name, hasTimeline = false }: { name: string; hasTimeline?: boolean }): VNode {
  const used = useOperation<FindingsDocument>('findings', { run: name });
  return (
    <section aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      <Loading what="the findings" used={used}>
        {({ findings }) => {
          const lines = findings.map(({ id, severity, sentence, gain, evidence }) => {
            const span = hasTimeline ? spanOf(evidence) : null;
            return (
              <li key={id}><p class="finding"><SeverityMark severity={severity} /><Prose text={sentence} />{gain?.text && <span class="gain"> Gain: {gain.text}.</span>}
                {span !== null && <> <a class="timeline-jump" href={timelineAddress(name, { search: span })} aria-label={`Show ${span} on the timeline`}>Timeline</a></>}</p></li>
            );
          });
          if (lines.length === 0) return <p>Nothing stands out.</p>;
          return (
            <>
              <ul class="findings">{lines.slice(0, kFirst)}</ul>
              {lines.length > kFirst && <details><summary>{lines.length - kFirst} more</summary><ul class="findings">{lines.slice(kFirst)}</ul></details>}
            </>
          );
        }}
      </Loading>
    </section>
  );
}
