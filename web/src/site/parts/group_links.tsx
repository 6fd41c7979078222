// The models, frameworks or machines of a site, each with the number of its experiments.
import type { VNode } from 'preact';
import { plural } from '../../format.ts';
import { siteAddress } from '../site_addresses.ts';
import type { ExperimentEntry } from '../site_data.ts';

interface Properties {
  folder: 'models' | 'frameworks' | 'machines';
  entries: readonly ExperimentEntry[];
  /** An empty one is left out. */
  namesOf: (entry: ExperimentEntry) => readonly string[];
  /** At most so many, and a link to all. */
  first?: number;
}

export function GroupLinks({ folder, entries, namesOf, first = Infinity }: Properties): VNode {
  const counts = new Map<string, number>();
  for (const entry of entries)
    for (const name of new Set(namesOf(entry))) if (name !== '') counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  if (names.length === 0) return <p class="note">None is known.</p>;
  return (
    <>
      <ul class="models">{names.slice(0, first).map((name) => <li><a href={siteAddress(folder, name)}><bdi>{name}</bdi></a> <span class="note">{plural(counts.get(name)!, 'experiment')}</span></li>)}</ul>
      {names.length > first && <p><a href={`#/${folder}`}>All {names.length}</a></p>}
    </>
  );
}
