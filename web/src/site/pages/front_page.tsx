// The first page: what the site holds, and where to begin.
import type { VNode } from 'preact';
import { EmptyState } from '../../app/parts/empty_state.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { date, plural } from '../../format.ts';
import { frameworkOf, modelsOf } from '../leaderboard.ts';
import { ExperimentLinks } from '../parts/experiment_links.tsx';
import { GroupLinks } from '../parts/group_links.tsx';
import { useSite } from '../use_site.ts';

const kNewest = 10;

export function FrontPage(): VNode {
  const { index } = useSite();
  const { experiments } = index;
  if (experiments.length === 0)
    return <Heading title={index.title}><EmptyState command="xsp run resnet50">No experiment is on this site yet.</EmptyState></Heading>;
  return (
    <>
      <Heading title={index.title}>
        <p>Measured latencies of machine-learning models, with the layers, kernels and findings behind them: {plural(experiments.length, 'experiment')}, published on {date(index.published)} by XSP {index.xsp_version}.</p>
        <p class="note">Leaderboards compare frameworks and machines. <a href="#/compare">Compare any two experiments</a> layer by layer, or <a href="#/downloads">download the tables</a>.{index.has_feed && <> <a href="feed.xml">Feed of new experiments</a>.</>}</p>
      </Heading>
      <div class="site-columns">
        <section aria-labelledby="models-title"><h2 id="models-title">Models</h2><GroupLinks folder="models" entries={experiments} namesOf={modelsOf} first={12} /></section>
        <section aria-labelledby="frameworks-title"><h2 id="frameworks-title">Frameworks</h2><GroupLinks folder="frameworks" entries={experiments} namesOf={({ points }) => points.map(({ backend }) => frameworkOf(backend))} first={12} /></section>
        <section aria-labelledby="machines-title"><h2 id="machines-title">Machines</h2><GroupLinks folder="machines" entries={experiments} namesOf={({ machine }) => [machine]} first={12} /></section>
      </div>
      <section aria-labelledby="newest-title"><h2 id="newest-title">Newest experiments</h2><ExperimentLinks entries={experiments} first={kNewest} /></section>
    </>
  );
}
