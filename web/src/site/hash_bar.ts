// The address of a page behind the "#" of index.html: "#/models/resnet50", "#/experiments?tag=a=1".
import type { Address, AddressBar } from '../app/app_state.ts';

function read(): Address {
  const text = location.hash.startsWith('#/') ? location.hash.slice(1) : '/';
  const at = text.indexOf('?');
  return at < 0 ? { path: text, search: '' } : { path: text.slice(0, at), search: text.slice(at) };
}

const withHash = (address: string): string => (address.startsWith('#') ? address : `#${address}`);

export const kHashBar: AddressBar = {
  read,
  push: (address) => { if (withHash(address) !== location.hash) history.pushState(null, '', withHash(address)); },
  replace: (address) => { history.replaceState(null, '', withHash(address)); },
  onMove: (moved) => {
    // Links change the hash by themselves. Another anchor, such as that of "Skip to the content", is no page.
    addEventListener('hashchange', () => { if (location.hash === '' || location.hash.startsWith('#/')) moved(); });
  },
};
