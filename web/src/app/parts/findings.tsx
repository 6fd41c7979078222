// What stands out in an experiment: the sentences, the largest gain first.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { SeverityMark } from '../../severity_mark.ts';
import type { Severity } from '../../report_data.ts';
import { useApp } from '../app_state.ts';
import { spanOf, type Evidence } from '../../finding_place.ts';
import { unbrokenUnits } from '../../unbroken_units.ts';
import { timelineAddress } from '../addresses.ts';
import { useOperation } from '../use_document.ts';
import { Loading } from './loading.tsx';
import { Prose } from './prose.tsx';

interface FindingsDocument {
  findings: { id: string; severity: Severity; sentence: string; gain: { text?: string } | null; evidence?: Evidence }[];
}

/** Shown at first. */
const kFirst = 5;

/** The list; the finding that the address names is open and in sight. */
function List({ name, findings, hasTimeline }: FindingsDocument & { name: string; hasTimeline: boolean }): VNode {
  const { search } = useApp().address.value;
  const wanted = new URLSearchParams(search).get('finding');
  const place = useRef<HTMLLIElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'center' });
    place.current?.focus({ preventScroll: true });
  }, [wanted]);
  const lines = findings.map(({ id, severity, sentence, gain, evidence }) => {
    const span = hasTimeline ? spanOf(evidence) : null;
    return (
      <li key={id} id={`finding-${id}`} class={id === wanted ? 'wanted' : undefined} tabIndex={id === wanted ? -1 : undefined} ref={id === wanted ? place : null}>
        <p class="finding"><SeverityMark severity={severity} /><Prose text={sentence} />{gain?.text && <span class="gain"> Gain: {unbrokenUnits(gain.text)}.</span>}
          {span !== null && <> <a class="timeline-jump" href={timelineAddress(name, { search: span })} aria-label={`Show ${span} on the timeline`}>Timeline</a></>}</p>
      </li>
    );
  });
  const isLater = findings.findIndex(({ id }) => id === wanted) >= kFirst;
  return (
    <>
      <ul class="findings">{lines.slice(0, kFirst)}</ul>
      {lines.length > kFirst && <details open={isLater}><summary>{lines.length - kFirst} more</summary><ul class="findings">{lines.slice(kFirst)}</ul></details>}
    </>
  );
}

/** `hasTimeline`: findings about a layer or kernel lead to it. */
export function Findings({ name, hasTimeline = false }: { name: string; hasTimeline?: boolean }): VNode {
  const used = useOperation<FindingsDocument>('findings', { run: name });
  return (
    <section aria-labelledby="findings-title">
      <h2 id="findings-title">Findings</h2>
      <Loading what="the findings" used={used}>
        {({ findings }) => (findings.length === 0 ? <p>Nothing stands out.</p> : <List name={name} findings={findings} hasTimeline={hasTimeline} />)}
      </Loading>
    </section>
  );
}
