// One experiment: its facts, what stands out, its stack and its files.
import type { VNode } from 'preact';
import { compareAddress } from '../../app/addresses.ts';
import { factsOf, pointTexts, tagTexts, type ExperimentDocument } from '../../app/experiment_facts.ts';
import { quoted } from '../../app/command_line.ts';
import { Command } from '../../app/parts/command.tsx';
import { ErrorMessage } from '../../app/parts/error_message.tsx';
import { Findings } from '../../app/parts/findings.tsx';
import { Heading } from '../../app/parts/heading.tsx';
import { Loading } from '../../app/parts/loading.tsx';
import { errorDocument } from '../../app/data_source.ts';
import { useOperation } from '../../app/use_document.ts';
import { count, quantity } from '../../format.ts';
import { SimpleTable } from '../parts/simple_table.tsx';
import { StackView } from '../parts/stack_view.tsx';
import { listAddress, siteAddress } from '../site_addresses.ts';
import type { ExperimentEntry, SiteTable } from '../site_data.ts';
import { useSite, useSiteExperiments } from '../use_site.ts';

function Facts({ entry, document }: { entry: ExperimentEntry; document: ExperimentDocument }): VNode {
  const tags = tagTexts(document);
  const points = pointTexts(document.points);
  return (
    <>
      <dl class="facts">
        {factsOf(document).map((fact) => <div><dt>{fact.name}</dt><dd><bdi>{fact.value}</bdi></dd></div>)}
        <div><dt>Machine</dt><dd><a href={siteAddress('machines', entry.machine)}><bdi>{entry.machine}</bdi></a></dd></div>
        {tags.length > 0 && <div><dt>Tags</dt><dd>{tags.map((tag) => <a class="tag" href={listAddress({ tag })}><bdi>{tag}</bdi></a>)}</dd></div>}
      </dl>
      <p class="controls">
        {entry.report && <a class="button primary" href={siteAddress('reports', entry.name)}>Open the report</a>}
        {entry.model !== '' && <a href={siteAddress('models', entry.model)}>Leaderboard and history of <bdi>{entry.model}</bdi></a>}
        <a href={compareAddress([entry.name])}>Compare with another</a>
      </p>
      {points.length > 0 && <SimpleTable label="Latencies" rows={points} columns={[
        { title: 'Point', cell: ({ name }) => <bdi>{name}</bdi> },
        { title: 'Latency (95\u00a0% interval)', isNumber: true, cell: ({ latency }) => latency },
        { title: 'Peak memory', isNumber: true, cell: ({ memory }) => memory },
      ]} />}
      {document.experiment?.command && <details><summary>The command that made it</summary><Command text={document.experiment.command} /></details>}
    </>
  );
}

function Downloads({ entry, files }: { entry: ExperimentEntry; files: readonly SiteTable[] }): VNode {
  const link = (file: SiteTable, format: string): VNode | string => {
    const bytes = file.formats[format];
    if (bytes === undefined) return '';
    return <a href={`experiments/${entry.folder}/${file.name}.${format}`} download={`${entry.name}-${file.name}.${format}`}>{format === 'parquet' ? 'Parquet' : format.toUpperCase()} <span class="note">{quantity(bytes, 'byte')}</span></a>;
  };
  return (
    <SimpleTable label="Downloads" rows={files} columns={[
      { title: 'Table', cell: ({ name }) => <code>{name}</code> },
      { title: 'Rows', isNumber: true, cell: ({ rows }) => count(rows) },
      { title: 'Parquet', cell: (file) => link(file, 'parquet') },
      { title: 'CSV', cell: (file) => link(file, 'csv') },
      { title: 'JSON', cell: (file) => link(file, 'json') },
    ]} />
  );
}

function Experiment({ entry }: { entry: ExperimentEntry }): VNode {
  const shown = useOperation<ExperimentDocument>('show', { run: entry.name });
  const used = useSiteExperiments([entry.name]);
  return (
    <>
      <Heading title={entry.name}>
        <Loading what="the experiment" used={shown}>{(document) => <Facts entry={entry} document={document} />}</Loading>
      </Heading>
      {entry.report ? <Findings name={entry.name} />
        : <section><h2>Findings</h2><p class="note">The findings and the report of this experiment are not on the site. With its store:</p><Command text={`xsp report ${quoted(entry.name)}`} /></section>}
      <Loading what="its tables" used={used}>
        {([experiment]) => (
          <>
            <section><h2>Hardware and software</h2><StackView stack={experiment!.stack} /></section>
            <section><h2>Downloads</h2><Downloads entry={entry} files={experiment!.files} /></section>
          </>
        )}
      </Loading>
    </>
  );
}

export function SiteExperimentPage({ name }: { name: string }): VNode {
  const site = useSite();
  try {
    return <Experiment entry={site.entry(name)} />;
  } catch (error) {
    return <Heading title={name}><ErrorMessage error={errorDocument(error)} /></Heading>;
  }
}
