// The application: the header, and the page of the address.
import type { VNode } from 'preact';
import { useApp } from './app_state.ts';
import { ComparePage } from './pages/compare_page.tsx';
import { ExperimentPage } from './pages/experiment_page.tsx';
import { ExperimentsPage } from './pages/experiments_page.tsx';
import { FindingsPage } from './pages/findings_page.tsx';
import { HistoryPage } from './pages/history_page.tsx';
import { ImportPage } from './pages/import_page.tsx';
import { JobPage } from './pages/job_page.tsx';
import { JobsPage } from './pages/jobs_page.tsx';
import { LoginPage } from './pages/login_page.tsx';
import { MachinePage } from './pages/machine_page.tsx';
import { MachinesPage } from './pages/machines_page.tsx';
import { MeasurePage } from './pages/measure_page.tsx';
import { ModelPage } from './pages/model_page.tsx';
import { ModelsPage } from './pages/models_page.tsx';
import { QueryPage } from './pages/query_page.tsx';
import { SuitePage } from './pages/suite_page.tsx';
import { TimelinePage } from './pages/timeline_page.tsx';
import { EmptyState } from './parts/empty_state.tsx';
import { ErrorMessage } from './parts/error_message.tsx';
import { Guard } from './parts/guard.tsx';
import { Header } from './parts/header.tsx';
import { Heading } from './parts/heading.tsx';

function Page(): VNode {
  const route = useApp().route.value;
  // A key for each thing shown: nothing typed for one appears in another.
  switch (route.page) {
    case 'experiments': return <ExperimentsPage />;
    case 'experiment': return <ExperimentPage key={route.name} name={route.name} />;
    case 'timeline': return <TimelinePage key={`${route.name}\n${route.view.run}`} name={route.name} view={route.view} />;
    case 'compare': return <ComparePage key={route.sides.join('\n')} sides={route.sides} />;
    case 'history': return <HistoryPage key={route.model} model={route.model} />;
    case 'models': return <ModelsPage />;
    case 'model': return <ModelPage key={route.model} model={route.model} />;
    case 'machines': return <MachinesPage />;
    case 'machine': return <MachinePage key={route.machine} machine={route.machine} />;
    case 'findings': return <FindingsPage />;
    case 'suite': return <SuitePage key={`${route.command ?? ''}${route.search}`} command={route.command} search={route.search} />;
    case 'measure': return <MeasurePage key={route.search} search={route.search} />;
    case 'jobs': return <JobsPage />;
    case 'job': return <JobPage key={route.id} id={route.id} />;
    case 'import': return <ImportPage />;
    case 'query': return <QueryPage run={route.run} />;
    case 'login': return <LoginPage />;
    case 'none': return <Heading title="No such page"><EmptyState>This address leads to no page. <a href="/">See the experiments</a>.</EmptyState></Heading>;
  }
}

function Content(): VNode {
  const app = useApp();
  if (app.failure.value) return <Heading title="XSP"><ErrorMessage error={app.failure.value} again={() => { void app.start(); }} /></Heading>;
  if (app.session.value === undefined) return <p class="note" role="status">Loading…</p>;
  if (app.session.value === null) return <LoginPage />;
  return <Guard key={app.address.value.path}><Page /></Guard>;
}

export function Application(): VNode {
  return (
    <>
      <a class="skip" href="#title">Skip to the content</a>
      <Header />
      <main class="app-main"><Content /></main>
    </>
  );
}
