// A list of experiments, the newest first: name, date, what ran.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { experimentAddress } from '../../app/addresses.ts';
import { date, plural } from '../../format.ts';
import type { ExperimentEntry } from '../site_data.ts';

const kFirst = 20;

export function ExperimentLinks({ entries, first = kFirst }: { entries: readonly ExperimentEntry[]; first?: number }): VNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? entries : entries.slice(0, first);
  return (
    <>
      <ul class="plain entries">
        {shown.map(({ name, created, model, backend }) => (
          <li><span class="note">{date(created)}</span> <a href={experimentAddress(name)}><bdi>{name}</bdi></a> <span class="note"><bdi>{[model, backend].filter((part) => part !== '').join(', ')}</bdi></span></li>
        ))}
      </ul>
      {shown.length < entries.length && <button type="button" onClick={() => setWhole(true)}>Show all {plural(entries.length, 'experiment')}</button>}
    </>
  );
}
