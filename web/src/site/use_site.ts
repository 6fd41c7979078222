// What all pages of a site share: its index, and documents as hooks.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { useDocument, type UsedDocument } from '../app/use_document.ts';
import type { SiteExperiment } from './site_data.ts';
import type { StaticDataSource } from './static_data_source.ts';

export const SiteContext = createContext<StaticDataSource | null>(null);

export function useSite(): StaticDataSource {
  const site = useContext(SiteContext);
  if (site === null) throw new Error('this part of the site stands outside of it');
  return site;
}

/** The documents of experiments, in the order of their names. */
export function useSiteExperiments(names: readonly string[]): UsedDocument<SiteExperiment[]> {
  const site = useSite();
  return useDocument<SiteExperiment[]>(`experiments ${names.join('\n')}`, async (_source, report) => {
    report(await Promise.all(names.map((name) => site.experiment(name))));
  });
}
