// What every page of XSP has around its parts: the switch of colours, the list of sections that
// follows the reader, the menu of small screens, printing.
import { append, h } from './dom.ts';
import { themeChanged } from './state.ts';

export function themeButton(): HTMLElement {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = (): boolean => (root.dataset['theme'] ? root.dataset['theme'] === 'dark' : dark.matches);
  const button = h('button', { type: 'button', class: 'theme' });
  const label = (): void => {
    button.textContent = isDark() ? 'Light' : 'Dark';
    button.setAttribute('aria-label', `Switch to ${isDark() ? 'light' : 'dark'} colours`);
    themeChanged();
  };
  button.addEventListener('click', () => {
    root.dataset['theme'] = isDark() ? 'light' : 'dark';
    label();
  });
  dark.addEventListener('change', label);
  matchMedia('print').addEventListener('change', themeChanged);
  label();
  return button;
}

/** Marks the section in sight in the list of sections. */
export function followScroll(nav: HTMLElement): void {
  const byId = new Map([...nav.querySelectorAll('a')].map((link) => [link.getAttribute('href')!.slice(1), link]));
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of byId.values()) link.removeAttribute('aria-current');
      byId.get(entry.target.id)?.setAttribute('aria-current', 'location');
    }
  }, { rootMargin: '-20% 0px -75% 0px' });
  for (const id of byId.keys()) {
    const target = document.getElementById(id);
    if (target) observer.observe(target);
  }
}

/** Once all parts are there: the menu closes by itself, paper shows what is folded, the page stands
    at the anchor of its address. */
export function finishPage(bar: HTMLElement): void {
  const menu = bar.querySelector('details')!;
  menu.addEventListener('click', (event) => {
    if ((event.target as Element).tagName === 'A') menu.open = false;
  });
  // On paper nothing can be opened: the explanations are.
  addEventListener('beforeprint', () => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('details.how')) details.open = true;
  });
  // The sections did not exist when the browser looked for the anchor in the address.
  if (location.hash.length > 1) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
}

/** In place of a page that cannot be made. */
export function showFailure(error: unknown): void {
  append(document.body, h('p', { class: 'gap', role: 'alert' }, `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
}
