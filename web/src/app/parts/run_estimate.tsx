// What the measurement of a form will take, and what of it the store already has.
import type { VNode } from 'preact';
import { quantity } from '../../format.ts';
import { experimentAddress } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import type { Request } from '../data_source.ts';
import { pointTime, rungsText, timeText, type PlannedPoint, type RunPlan } from '../run_plan.ts';
import { useRunPlan } from '../use_run_plan.ts';
import { Prose } from './prose.tsx';

function Stored({ point }: { point: PlannedPoint }): VNode {
  if (point.stored.length === 0) return <>–</>;
  return (
    <ul class="plain">
      {point.stored.map(({ experiment, latency_ns }) => (
        <li><a href={experimentAddress(experiment)}><bdi>{experiment}</bdi></a>{latency_ns !== null && ` ${quantity(latency_ns, 'ns')}`}</li>
      ))}
    </ul>
  );
}

function Row({ point }: { point: PlannedPoint }): VNode {
  return (
    <tr>
      <td><bdi>{point.backend}</bdi></td>
      <td class="number">{point.batch}</td>
      <td>{point.refused ? <>not possible: {point.refused.what}</> : rungsText(point.rungs)}</td>
      <td class="number">{point.refused ? '–' : pointTime(point.rungs)}</td>
      <td><Stored point={point} /></td>
    </tr>
  );
}

function Plan({ plan }: { plan: RunPlan }): VNode {
  return (
    <>
      <p><strong>{timeText(plan)}</strong></p>
      {plan.sentences.map((sentence) => <p class="note">{sentence}</p>)}
      <div class="scroll" tabIndex={0} role="region" aria-label="What is measured">
        <table>
          <thead><tr><th scope="col" class="plain-head">Backend</th><th scope="col" class="plain-head number">Batch</th><th scope="col" class="plain-head">Rungs</th><th scope="col" class="plain-head number">Time</th><th scope="col" class="plain-head">In the store</th></tr></thead>
          <tbody>{plan.points.map((point) => <Row point={point} />)}</tbody>
        </table>
      </div>
    </>
  );
}

/** `request`: null: the form has no model yet, or errors. */
export function RunEstimate({ request }: { request: Request | null }): VNode {
  const app = useApp();
  // Planning asks the frameworks what they can do, which would disturb what is measured.
  const isMeasuring = app.measuring.value !== null;
  const used = useRunPlan(isMeasuring ? null : request);
  return (
    <section class="estimate" aria-labelledby="estimate-title">
      <h2 id="estimate-title">What it takes</h2>
      <div aria-live="polite" aria-busy={used.state === 'loading'}>
        {request === null ? <p class="note">Choose a model: then this shows how long the measurement takes, and what the store already has.</p>
          : isMeasuring ? <p class="note">A job is running, which an estimate would disturb. It appears once the job has ended.</p>
            : used.state === 'loading' ? <p class="note">Estimating…</p>
              : used.state === 'failed' ? <p class="note"><Prose text={used.error.what + (used.error.hint ? `. ${used.error.hint}` : '')} /></p>
                : used.state === 'ready' && <Plan plan={used.plan} />}
      </div>
    </section>
  );
}
