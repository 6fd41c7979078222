// The captured hardware and software, one folded group for each part.
import type { VNode } from 'preact';
import type { SiteExperiment } from '../site_data.ts';

export function StackView({ stack }: { stack: SiteExperiment['stack'] }): VNode {
  if (stack.length === 0) return <p class="note">Not captured.</p>;
  return (
    <>
      {stack.map(({ name, facts }) => (
        <details><summary>{name}</summary><dl class="facts">{facts.map((fact) => <div><dt>{fact.name}</dt><dd><bdi>{fact.value}</bdi></dd></div>)}</dl></details>
      ))}
    </>
  );
}
