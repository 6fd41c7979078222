// The report of an experiment: the same page as `xsp report` writes, put together in the browser.
import type { VNode } from 'preact';
import { experimentAddress } from '../../app/addresses.ts';
import { Heading } from '../../app/parts/heading.tsx';
import { Loading } from '../../app/parts/loading.tsx';
import { useDocument } from '../../app/use_document.ts';
import { offer } from '../../download.ts';
import { useSite } from '../use_site.ts';

export function ReportPage({ name }: { name: string }): VNode {
  const site = useSite();
  const used = useDocument<string>(`report ${name}`, async (_source, report) => { report(await site.reportPage(name)); });
  return (
    <>
      <Heading title={`Report of ${name}`} />
      <Loading what="the report" used={used}>
        {(page) => (
          <section class="document" aria-label="Report">
            <p class="controls"><a href={experimentAddress(name)}>Facts and downloads</a><button type="button" onClick={() => offer(`${name}.html`, 'text/html', page)}>Save the report as one HTML file</button></p>
            {/* It holds text of foreign files: it has an origin of its own. */}
            <iframe srcdoc={page} title={`Report of ${name}`} sandbox="allow-scripts allow-downloads" allow="clipboard-write" referrerpolicy="no-referrer" />
          </section>
        )}
      </Loading>
    </>
  );
}
