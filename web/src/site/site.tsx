// The pages of a published site: the bar, and the page of the address.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useApp } from '../app/app_state.ts';
import { ExperimentsPage } from '../app/pages/experiments_page.tsx';
import { EmptyState } from '../app/parts/empty_state.tsx';
import { Guard } from '../app/parts/guard.tsx';
import { Heading } from '../app/parts/heading.tsx';
import { ThemeSwitch } from '../app/parts/theme_switch.tsx';
import { DownloadsPage } from './pages/downloads_page.tsx';
import { FrontPage } from './pages/front_page.tsx';
import { FrameworkPage, FrameworksPage, MachinePage, MachinesPage, ModelsPage } from './pages/group_pages.tsx';
import { ModelPage } from './pages/model_page.tsx';
import { ReportPage } from './pages/report_page.tsx';
import { SiteComparePage } from './pages/site_compare_page.tsx';
import { SiteExperimentPage } from './pages/site_experiment_page.tsx';
import { siteRouteOf, type SiteRoute } from './site_addresses.ts';
import { useSite } from './use_site.ts';

const kPlaces: { name: string; address: string; pages: SiteRoute['page'][] }[] = [
  { name: 'Models', address: '#/models', pages: ['models', 'model'] },
  { name: 'Frameworks', address: '#/frameworks', pages: ['frameworks', 'framework'] },
  { name: 'Machines', address: '#/machines', pages: ['machines', 'machine'] },
  { name: 'Experiments', address: '#/experiments', pages: ['experiments', 'experiment', 'report'] },
  { name: 'Compare', address: '#/compare', pages: ['compare'] },
  { name: 'Downloads', address: '#/downloads', pages: ['downloads'] },
];

function useRoute(): SiteRoute {
  const { path, search } = useApp().address.value;
  return siteRouteOf(path, search);
}

function Places({ page }: { page: SiteRoute['page'] }): VNode {
  return <>{kPlaces.map(({ name, address, pages }) => <a href={address} aria-current={pages.includes(page) ? 'page' : undefined}>{name}</a>)}</>;
}

function Menu({ page, path }: { page: SiteRoute['page']; path: string }): VNode {
  const menu = useRef<HTMLDetailsElement>(null);
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
      <nav aria-label="Pages, small screens"><Places page={page} /></nav>
    </details>
  );
}

function Page({ route }: { route: SiteRoute }): VNode {
  switch (route.page) {
    case 'front': return <FrontPage />;
    case 'experiments': return <ExperimentsPage />;
    case 'experiment': return <SiteExperimentPage key={route.name} name={route.name} />;
    case 'report': return <ReportPage key={route.name} name={route.name} />;
    case 'models': return <ModelsPage />;
    case 'model': return <ModelPage key={route.name} model={route.name} />;
    case 'frameworks': return <FrameworksPage />;
    case 'framework': return <FrameworkPage key={route.name} name={route.name} />;
    case 'machines': return <MachinesPage />;
    case 'machine': return <MachinePage key={route.name} name={route.name} />;
    case 'compare': return <SiteComparePage key={route.sides.join('\n')} sides={route.sides} />;
    case 'downloads': return <DownloadsPage />;
    case 'none': return <Heading title="No such page"><EmptyState>This address leads to no page. <a href="#/">See the first page</a>.</EmptyState></Heading>;
  }
}

export function Site(): VNode {
  const app = useApp();
  const { index } = useSite();
  const route = useRoute();
  const { path } = app.address.value;
  useEffect(() => { scrollTo(0, 0); }, [path]);
  const skip = (event: Event): void => {
    // The hash is the address of the page: following "#title" would leave it.
    event.preventDefault();
    document.getElementById('title')?.focus();
  };
  return (
    <>
      <a class="skip" href="#/" onClick={skip}>Skip to the content</a>
      <div class="bar app-bar">
        <a class="brand" href="#/"><bdi>{index.title}</bdi></a>
        <Menu page={route.page} path={path} />
        <nav class="places" aria-label="Pages"><Places page={route.page} /></nav>
        <span class="push" />
        <ThemeSwitch />
      </div>
      <main class="app-main">{app.session.value ? <Guard key={path}><Page route={route} /></Guard> : null}</main>
    </>
  );
}
