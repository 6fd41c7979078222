// The addresses of a site's pages: behind the "#", so that the one index.html needs no server.
import { withFields } from '../app/addresses.ts';

export type SiteRoute =
  | { page: 'front' | 'experiments' | 'models' | 'frameworks' | 'machines' | 'downloads' | 'none' }
  | { page: 'experiment' | 'report' | 'model' | 'framework' | 'machine'; name: string }
  | { page: 'compare'; sides: string[] };

const kLists: Record<string, SiteRoute['page']> = { '': 'front', experiments: 'experiments', models: 'models', history: 'models', frameworks: 'frameworks', machines: 'machines', downloads: 'downloads' };
/** `history` is where the pages of the application lead for a model. */
const kNamed: Record<string, 'experiment' | 'report' | 'model' | 'framework' | 'machine'> = { experiments: 'experiment', reports: 'report', models: 'model', history: 'model', frameworks: 'framework', machines: 'machine' };

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function siteRouteOf(path: string, search: string): SiteRoute {
  const [first = '', ...rest] = path.split('/').slice(1);
  const name = decoded(rest.join('/'));
  if (first === 'compare') return { page: 'compare', sides: new URLSearchParams(search).getAll('side').filter((side) => side !== '') };
  if (name !== '' && Object.hasOwn(kNamed, first)) return { page: kNamed[first]!, name };
  if (name === '' && Object.hasOwn(kLists, first)) return { page: kLists[first]! } as SiteRoute;
  return { page: 'none' };
}

/** "#/models/resnet50". */
export function siteAddress(folder: 'reports' | 'models' | 'frameworks' | 'machines', name: string): string {
  return `#/${folder}/${encodeURIComponent(name)}`;
}

/** The list of experiments with one filter set. */
export function listAddress(filter: Record<string, string>): string {
  return `#${withFields('/experiments', filter)}`;
}
