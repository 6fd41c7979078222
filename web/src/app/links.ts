// Links between pages of the application are followed without loading it again.
import type { App } from './app_state.ts';

/** Served by the server itself, not pages of the application. */
const kServed = /^\/(api|pages|assets)\//;

export function followLinks(app: App): void {
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.('a');
    if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin || kServed.test(link.pathname)) return;
    // An anchor on this page: the browser goes there.
    if (link.hash !== '' && link.pathname === location.pathname) return;
    event.preventDefault();
    app.go(link.pathname + link.search);
  });
}
