// The bar above every page: where one can go, who measures now, who is logged in.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { jobAddress } from '../addresses.ts';
import { useApp } from '../app_state.ts';
import { progressText } from '../job_text.ts';
import type { Job } from '../data_source.ts';
import { ThemeSwitch } from './theme_switch.tsx';

interface Place {
  name: string;
  address: string;
  pages: string[];
  needsMeasure?: boolean;
}

const kPlaces: Place[] = [
  { name: 'Experiments', address: '/', pages: ['experiments', 'experiment'] },
  { name: 'Models', address: '/models', pages: ['models', 'model'] },
  { name: 'Machines', address: '/machines', pages: ['machines', 'machine'] },
  { name: 'Findings', address: '/findings', pages: ['findings'] },
  { name: 'Compare', address: '/compare', pages: ['compare'] },
  { name: 'History', address: '/history', pages: ['history'] },
  { name: 'Suite', address: '/suite', pages: ['suite'] },
  { name: 'SQL', address: '/query', pages: ['query'] },
  { name: 'Measure', address: '/measure', pages: ['measure'], needsMeasure: true },
  { name: 'Import', address: '/import', pages: ['import'], needsMeasure: true },
  { name: 'Jobs', address: '/jobs', pages: ['jobs', 'job'] },
];

function Places(): VNode {
  const app = useApp();
  const { page } = app.route.value;
  return <>{kPlaces.filter((place) => !place.needsMeasure || app.mayMeasure).map(({ name, address, pages }) =>
    <a href={address} aria-current={pages.includes(page) ? 'page' : undefined}>{name}</a>)}</>;
}

function MeasuringNow({ job }: { job: Job }): VNode {
  const progress = progressText(job);
  return <a class="now" href={jobAddress(job.id)} title={`${job.command}${progress === '' ? '' : `: ${progress}`}`}><span class="now-mark" aria-hidden="true" /><bdi>{job.user}</bdi> runs <bdi>{job.command}</bdi></a>;
}

/** The places of small screens; closed by a choice and by Escape. */
function Menu(): VNode {
  const app = useApp();
  const menu = useRef<HTMLDetailsElement>(null);
  const { path } = app.address.value;
  useEffect(() => {
    if (menu.current) menu.current.open = false;
  }, [path]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !menu.current?.open) return;
    menu.current.open = false;
    menu.current.querySelector('summary')?.focus();
  };
  return (
    <details class="menu" ref={menu} onKeyDown={onKeyDown}>
      <summary>Menu</summary>
      <nav aria-label="Pages, small screens"><Places /><button type="button" onClick={() => { void app.logOut(); }}>Log out</button></nav>
    </details>
  );
}

export function Header(): VNode {
  const app = useApp();
  const session = app.session.value;
  const job = app.measuring.value;
  return (
    <div class="bar app-bar">
      <a class="brand" href="/">XSP</a>
      {session && <Menu />}
      {session && <nav class="places" aria-label="Pages"><Places /></nav>}
      <span class="push" />
      {session && <span class="measuring" role="status">{job ? <MeasuringNow job={job} /> : <span class="note">{app.isConnected.value ? 'Nothing is running' : 'Connection lost, connecting again'}</span>}</span>}
      {session && <span class="user note" title={`Role ${session.role}; store ${session.store}; XSP ${session.version}`}><bdi>{session.user}</bdi></span>}
      {session && <button type="button" class="log-out" onClick={() => { void app.logOut(); }}>Log out</button>}
      <ThemeSwitch />
    </div>
  );
}
