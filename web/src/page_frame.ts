// What every page of XSP has around its parts: the switch of colours, the list of sections that
// follows the reader, the menu of small screens, printing.
import { render, type VNode } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef } from 'preact/hooks';
import type { DocumentSource } from './document_source.ts';
import { h, type Child } from './markup.ts';
import { themeChanged } from './state.ts';

/** Switches between light and dark colours; `onSwitch` is called when a reader does. */
export function ThemeButton({ onSwitch }: { onSwitch?: (theme: 'light' | 'dark') => void }): VNode {
  const root = document.documentElement;
  const [, again] = useReducer<number, void>((turn) => turn + 1, 0);
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = root.dataset['theme'] ? root.dataset['theme'] === 'dark' : dark.matches;
  useEffect(() => {
    const change = (): void => {
      again();
      themeChanged();
    };
    const print = matchMedia('print');
    dark.addEventListener('change', change);
    print.addEventListener('change', themeChanged);
    return () => {
      dark.removeEventListener('change', change);
      print.removeEventListener('change', themeChanged);
    };
  }, []);
  return h('button', {
    type: 'button', class: 'theme', 'aria-label': `Switch to ${isDark ? 'light' : 'dark'} colours`,
    onClick: () => {
      const theme = isDark ? 'light' : 'dark';
      root.dataset['theme'] = theme;
      onSwitch?.(theme);
      again();
      themeChanged();
    },
  }, isDark ? 'Light' : 'Dark');
}

/** A place of the page to which the lists of sections lead. */
export interface Place {
  id: string;
  name: string;
}

interface FrameProperties {
  /** In the bar; leads to #title. */
  name: string;
  places: readonly Place[];
  /** For keyboards: the first thing to read. */
  skip: { to: string; text: string };
  /** In the bar, before the switch of colours. */
  tools?: Child;
  children?: Child;
}

/** The bar, the lists of sections and the page beside them. */
export function PageFrame({ name, places, skip, tools, children }: FrameProperties): VNode {
  const side = useRef<HTMLElement>(null);
  const menu = useRef<HTMLDetailsElement>(null);
  const ids = places.map(({ id }) => id).join(' ');
  useEffect(() => followScroll(side.current!), [ids]);
  useLayoutEffect(finishPage, []);
  const links = places.map(({ id, name: text }) => h('a', { href: `#${id}` }, text));
  const close = (event: Event): void => {
    if ((event.target as Element).tagName === 'A') menu.current!.open = false;
  };
  return h('div', {},
    h('a', { class: 'skip', href: skip.to }, skip.text),
    h('div', { class: 'bar' },
      h('a', { class: 'bar-name', href: '#title' }, name),
      h('details', { class: 'menu', ref: menu, onClick: close }, h('summary', {}, 'Sections'), h('nav', { 'aria-label': 'Sections, small screens' }, links)),
      h('span', { class: 'push' }), tools, h(ThemeButton, {})),
    h('div', { class: 'page' }, h('nav', { class: 'side', 'aria-label': 'Sections', ref: side }, links), h('main', {}, children)));
}

/** Marks the section in sight in the list of sections. Returns what ends that. */
function followScroll(nav: HTMLElement): () => void {
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
  return () => observer.disconnect();
}

/** Once all parts are there: paper shows what is folded, the page stands at the anchor of its address. */
function finishPage(): () => void {
  // On paper nothing can be opened: the explanations are.
  const unfold = (): void => {
    for (const details of document.querySelectorAll<HTMLDetailsElement>('details.how')) details.open = true;
  };
  addEventListener('beforeprint', unfold);
  // The sections did not exist when the browser looked for the anchor in the address.
  if (location.hash.length > 1) document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  document.documentElement.dataset['ready'] = String(Math.round(performance.now()));
  return () => removeEventListener('beforeprint', unfold);
}

/** Shows the document of `source` as a page of its own, or why that is not possible. */
export function showPage<Document>(source: DocumentSource<Document>, title: (document: Document) => string, Page: (properties: { data: Document }) => VNode): void {
  const root = document.createElement('div');
  const fail = (error: unknown): never => {
    render(h('p', { class: 'gap', role: 'alert' }, `This report cannot be shown: ${error instanceof Error ? error.message : String(error)}`), root);
    throw error;
  };
  const show = (data: Document): void => {
    document.title = title(data);
    render(h(Page, { data }), root);
  };
  document.body.append(root);
  try {
    const data = source.read();
    if (data instanceof Promise) void data.then(show).catch(fail);
    else show(data as Document);
  } catch (error) {
    fail(error);
  }
}
