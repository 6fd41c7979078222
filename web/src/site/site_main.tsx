// The entry of a published site.
import { render } from 'preact';
import { App, AppContext } from '../app/app_state.ts';
import { putAddressesInHash } from '../app/addresses.ts';
import { restoreTheme } from '../app/parts/theme_switch.tsx';
import { givenText, receiveDocuments } from './documents.ts';
import { kHashBar } from './hash_bar.ts';
import { Site } from './site.tsx';
import { kSiteVersion, type SiteIndex } from './site_data.ts';
import { StaticDataSource } from './static_data_source.ts';
import { SiteContext } from './use_site.ts';

receiveDocuments();
putAddressesInHash();
restoreTheme();

// The index is in the script after this one.
document.addEventListener('DOMContentLoaded', () => {
  const text = givenText('index');
  const index = text === undefined ? null : JSON.parse(text) as SiteIndex;
  if (index?.format_version !== kSiteVersion) {
    document.body.textContent = 'This site cannot be shown: a part of its folder is missing, or it was being copied. Reload the page, or publish it again.';
    return;
  }
  const source = new StaticDataSource(index);
  const app = new App(source, kHashBar);
  render(<AppContext.Provider value={app}><SiteContext.Provider value={source}><Site /></SiteContext.Provider></AppContext.Provider>, document.body);
  void app.start();
});
