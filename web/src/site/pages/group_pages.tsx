// Lists of models, frameworks and machines; the page of one framework and of one machine.
import type { VNode } from 'preact';
import { EmptyState } from '../../app/parts/empty_state.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { Loading } from '../../app/parts/loading.tsx';
import { groupBy } from '../../columns.ts';
import { plural, quantity } from '../../format.ts';
import { batchesOf, frameworkOf, measuredPoints, modelsOf } from '../leaderboard.ts';
import { ExperimentLinks } from '../parts/experiment_links.tsx';
import { GroupLinks } from '../parts/group_links.tsx';
import { LeaderboardTable } from '../parts/leaderboard_table.tsx';
import { SimpleTable } from '../parts/simple_table.tsx';
import { StackView } from '../parts/stack_view.tsx';
import type { ExperimentEntry } from '../site_data.ts';
import { siteAddress } from '../site_addresses.ts';
import { useSite, useSiteExperiments } from '../use_site.ts';

export function ModelsPage(): VNode {
  const { experiments } = useSite().index;
  return <><Heading title="Models" /><GroupLinks folder="models" entries={experiments} namesOf={modelsOf} /></>;
}

const frameworksOf = ({ points }: ExperimentEntry): string[] => points.map(({ backend }) => frameworkOf(backend));

export function FrameworksPage(): VNode {
  const { experiments } = useSite().index;
  return <><Heading title="Frameworks" /><GroupLinks folder="frameworks" entries={experiments} namesOf={frameworksOf} /></>;
}

export function MachinesPage(): VNode {
  const { experiments } = useSite().index;
  return <><Heading title="Machines" /><GroupLinks folder="machines" entries={experiments} namesOf={({ machine }) => [machine]} /></>;
}

/** A leaderboard for each model at its smallest batch size; the model's page has the others. */
function Leaderboards({ entries, isShown }: { entries: readonly ExperimentEntry[]; isShown: (backend: string) => boolean }): VNode {
  const points = measuredPoints(entries).filter(({ point }) => isShown(point.backend));
  const models = [...groupBy(points, ({ point }) => point.model)].sort(([a], [b]) => a.localeCompare(b, 'en', { numeric: true }));
  if (models.length === 0) return <p class="note">No latency of a model is known here.</p>;
  return (
    <>
      {models.map(([model, own]) => {
        const [batch = null] = batchesOf(own);
        return (
          <section>
            <h3><a href={siteAddress('models', model)}><bdi>{model}</bdi></a>{batch !== null && `, batch ${batch}`}</h3>
            <LeaderboardTable label={`Latencies of ${model}`} points={own.filter(({ point }) => point.batch === batch)} />
          </section>
        );
      })}
    </>
  );
}

function NotThere({ title }: { title: string }): VNode {
  return <Heading title={title}><EmptyState>This site has no experiment of it. <a href="#/">See the first page</a>.</EmptyState></Heading>;
}

export function FrameworkPage({ name }: { name: string }): VNode {
  const entries = useSite().index.experiments.filter((entry) => frameworksOf(entry).includes(name));
  if (entries.length === 0) return <NotThere title={name} />;
  const versions = [...new Set(entries.flatMap(({ points }) => points.map(({ backend }) => backend)).filter((backend) => frameworkOf(backend) === name))];
  return (
    <>
      <Heading title={name}><p>{plural(entries.length, 'experiment')} with {versions.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).join(', ')}.</p></Heading>
      <section><h2>Latencies</h2><Leaderboards entries={entries} isShown={(backend) => frameworkOf(backend) === name} /></section>
      <section><h2>Experiments</h2><ExperimentLinks entries={entries} /></section>
    </>
  );
}

function MachineParts({ newest }: { newest: ExperimentEntry }): VNode {
  const used = useSiteExperiments([newest.name]);
  return (
    <Loading what="the machine" used={used}>
      {([experiment]) => {
        const roofs = experiment!.roofs.filter(({ used: isUsed }) => isUsed);
        return (
          <>
            <section><h2>Roofs</h2>
              {roofs.length === 0 ? <p class="note">They were not measured: <code>xsp system</code> measures those of the machine it runs on.</p>
                : <SimpleTable label="Roofs" rows={roofs} columns={[
                  { title: 'Roof', cell: (roof) => <bdi>{roof.name}</bdi> },
                  { title: 'Peak', isNumber: true, cell: (roof) => quantity(roof.value, roof.kind === 'flops' ? 'flop/s' : 'byte/s') },
                  { title: 'Cores', isNumber: true, cell: (roof) => roof.cores ?? '' },
                  { title: 'From', cell: (roof) => <bdi>{roof.provenance}</bdi> },
                ]} />}
            </section>
            <section><h2>Hardware and software</h2><p class="note">As captured in the newest experiment, <bdi>{newest.name}</bdi>.</p><StackView stack={experiment!.stack} /></section>
          </>
        );
      }}
    </Loading>
  );
}

export function MachinePage({ name }: { name: string }): VNode {
  const entries = useSite().index.experiments.filter(({ machine }) => machine === name);
  if (entries.length === 0) return <NotThere title={name} />;
  return (
    <>
      <Heading title={name === 'not known' ? 'Machines that are not known' : name}><p>{plural(entries.length, 'experiment')}{name === 'not known' && ' of files that do not name their machine'}.</p></Heading>
      <section><h2>Latencies</h2><Leaderboards entries={entries} isShown={() => true} /></section>
      {name !== 'not known' && <MachineParts newest={entries[0]!} />}
      <section><h2>Experiments</h2><ExperimentLinks entries={entries} /></section>
    </>
  );
}
