// What a job is recording, level by level, while it records.
import type { VNode } from 'preact';
import { count, duration, plural } from '../../format.ts';
import type { Job, LiveLevel, LiveRun } from '../data_source.ts';
import { useJobLevels } from '../use_job.ts';

function LevelRows({ level }: { level: LiveLevel }): VNode {
  return (
    <tbody>
      <tr class="level-head"><th scope="rowgroup" colSpan={2}>{level.level}</th><td class="number">{count(level.spans)}</td><td class="number">{duration(level.time_ns)}</td></tr>
      {level.names.map(({ name, spans, time_ns }) => <tr key={name}><td title={name}><bdi>{name}</bdi></td><td><progress class="progress" max={Math.max(1, level.time_ns)} value={time_ns} aria-hidden="true" /></td><td class="number">{count(spans)}</td><td class="number">{duration(time_ns)}</td></tr>)}
      {level.other_names > 0 && <tr><td colSpan={4} class="note">and {plural(level.other_names, 'name')} more</td></tr>}
    </tbody>
  );
}

function LiveTable({ run }: { run: LiveRun }): VNode {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`Levels of ${run.run}`}>
      <table class="live-levels">
        <caption><bdi>{run.run}</bdi></caption>
        <colgroup><col class="name" /><col class="share" /><col /><col /></colgroup>
        <thead><tr><th scope="col" class="plain-head" colSpan={2}>Level and name</th><th scope="col" class="plain-head number">Spans</th><th scope="col" class="plain-head number">Time</th></tr></thead>
        {run.levels.map((level) => <LevelRows key={level.level} level={level} />)}
      </table>
    </div>
  );
}

/** Nothing before something is recorded: not every job records. */
export function LiveLevels({ job }: { job: Job }): VNode | null {
  const runs = useJobLevels(job);
  if (runs.length === 0) return null;
  return (
    <section aria-labelledby="levels-title">
      <h2 id="levels-title">Recorded so far</h2>
      <p class="note">All calls of the runs that are being measured, summed by name. A name's time is without that of spans of its level within it. Spans are summed only while somebody looks at this page, because that takes time of the machine that measures.</p>
      <div class="live-runs">{runs.map((run) => <LiveTable key={run.run} run={run} />)}</div>
    </section>
  );
}
