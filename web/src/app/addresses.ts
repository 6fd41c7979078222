// The addresses of the application's pages, and of requests with fields.

/** What of a timeline an address shows. */
export interface TimelineView {
  /** A run of the experiment; null: the one with the most spans. */
  run: string | null;
  /** ns from the first span; null: the whole run. */
  from: number | null;
  to: number | null;
  /** The selected span; null: none. */
  span: number | null;
  search: string;
  /** Which of the spans that are called as the search says is shown first, from 1. */
  nth: number;
}

export type Route =
  | { page: 'experiments' }
  | { page: 'experiment'; name: string }
  | { page: 'timeline'; name: string; view: TimelineView }
  | { page: 'compare'; sides: string[] }
  | { page: 'history'; model: string | null }
  | { page: 'models' }
  | { page: 'model'; model: string }
  | { page: 'machines' }
  | { page: 'machine'; machine: string }
  | { page: 'findings' }
  | { page: 'suite'; command: string | null; search: string }
  | { page: 'measure'; search: string }
  | { page: 'jobs' }
  | { page: 'job'; id: string }
  | { page: 'import' }
  | { page: 'query'; run: string | null }
  | { page: 'login'; next: string }
  | { page: 'none' };

/** One part of a path; a damaged escape stays as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function routeOf(path: string, search: string): Route {
  const fields = new URLSearchParams(search);
  const [first = '', ...rest] = path.split('/').slice(1);
  const tail = rest.join('/').replace(/\/$/, '');
  const name = tail === '' ? null : decoded(tail);
  switch (first) {
    case '': return { page: 'experiments' };
    case 'experiments':
      if (rest.length === 2 && rest[1] === 'timeline') return { page: 'timeline', name: decoded(rest[0]!), view: timelineView(fields) };
      return name === null ? { page: 'experiments' } : { page: 'experiment', name };
    case 'compare': return { page: 'compare', sides: fields.getAll('side').filter((side) => side !== '') };
    case 'history': return { page: 'history', model: name };
    case 'models': return name === null ? { page: 'models' } : { page: 'model', model: name };
    case 'machines': return name === null ? { page: 'machines' } : { page: 'machine', machine: name };
    case 'findings': return name === null ? { page: 'findings' } : { page: 'none' };
    case 'suite': return { page: 'suite', command: name, search };
    case 'measure': return { page: 'measure', search };
    case 'jobs': return name === null ? { page: 'jobs' } : { page: 'job', id: name };
    case 'import': return { page: 'import' };
    case 'query': return { page: 'query', run: fields.get('run') };
    case 'login': return { page: 'login', next: localAddress(fields.get('next')) };
    default: return { page: 'none' };
  }
}

function timelineView(fields: URLSearchParams): TimelineView {
  const number = (name: string): number | null => {
    const value = Number(fields.get(name) ?? '');
    return Number.isFinite(value) && value > 0 ? value : null;
  };
  const to = number('to');
  return { run: fields.get('run') || null, from: to === null ? null : number('from') ?? 0, to, span: number('span'), search: fields.get('search') ?? '', nth: Math.floor(number('nth') ?? 1) || 1 };
}

/** An address of this site to go to after logging in; anything else becomes the first page. */
export function localAddress(text: string | null): string {
  if (text === null || !/^\/(?![/\\])[^\\\s]*$/.test(text)) return '/';
  return text.startsWith('/login') ? '/' : text;
}

/** What stands before each address that leads to a page: nothing, or "#" where no server knows the pages. */
let prefix: '' | '#' = '';

/** The addresses of pages then stand behind the "#" of one page. */
export function putAddressesInHash(): void {
  prefix = '#';
}

export function experimentAddress(name: string): string {
  return `${prefix}/experiments/${encodeURIComponent(name)}`;
}

export function timelineAddress(name: string, view: Partial<TimelineView> = {}): string {
  return withFields(`${experimentAddress(name)}/timeline`, { run: view.run, from: view.from, to: view.to, span: view.span, search: view.search, nth: view.nth === 1 ? null : view.nth });
}

export function historyAddress(model: string): string {
  return `${prefix}/history/${encodeURIComponent(model)}`;
}

export function modelAddress(model: string): string {
  return `/models/${encodeURIComponent(model)}`;
}

export function machineAddress(machine: string): string {
  return `/machines/${encodeURIComponent(machine)}`;
}

export function jobAddress(id: string): string {
  return `/jobs/${encodeURIComponent(id)}`;
}

export function compareAddress(sides: readonly string[]): string {
  return `${prefix}${withFields('/compare', { side: sides })}`;
}

/** `path?field=value&...`: a list repeats its field; what is null, undefined, false or empty is left out. */
export function withFields(path: string, fields: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    const values: unknown[] = Array.isArray(value) ? value : [value];
    for (const item of values)
      if (item !== null && item !== undefined && item !== false && item !== '') query.append(name, String(item));
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}
