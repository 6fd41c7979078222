// A page that an operation wrote. It holds text of foreign files, so it has an origin of its own
// and no access to the application or the session.
import type { VNode } from 'preact';

export function DocumentFrame({ address, title }: { address: string; title: string }): VNode {
  return (
    <section class="document" aria-label={title}>
      <p class="note document-links"><a href={address} target="_blank" rel="noopener">Open the page in a tab of its own</a></p>
      <iframe src={address} title={title} sandbox="allow-scripts allow-downloads" allow="clipboard-write" referrerpolicy="no-referrer" />
    </section>
  );
}
