// Making elements without ever parsing text as markup: every string becomes a text node or an
// attribute value, so a name from a foreign file stays a name.

export type Child = Node | string | number | null | undefined | false;
export type Attributes = Record<string, string | number | boolean | null | undefined>;

const kSvg = 'http://www.w3.org/2000/svg';

/** An HTML element. An attribute of `true` is set empty; of false, null or undefined left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element, as `h`. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(kSvg, tag), attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'style') (element as unknown as HTMLElement).style.cssText = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, ...children);
  return element;
}

export function append(parent: Node, ...children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

export function clear(element: Element): void {
  element.replaceChildren();
}

/** Text in which `backticks` mark code. */
export function prose(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  text.split(/`([^`]+)`/).forEach((part, index) => {
    if (part) append(fragment, index % 2 ? h('code', {}, part) : part);
  });
  return fragment;
}

/**
 * Calls `draw` with the width of `host` now and whenever it changes, and puts what it returns into
 * `host`. Returns a function that draws again (for new data).
 */
export function responsive(host: HTMLElement, draw: (width: number) => Node): () => void {
  let width = 0;
  const again = (): void => {
    if (width > 0) host.replaceChildren(draw(width));
  };
  new ResizeObserver((entries) => {
    const now = Math.floor(entries[entries.length - 1]!.contentRect.width);
    if (now !== width) {
      width = now;
      again();
    }
  }).observe(host);
  return again;
}

/** Runs `action` once, when `element` comes near the visible part of the page. */
export function whenNear(element: Element, action: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    action();
  }, { rootMargin: '400px' });
  observer.observe(element);
}

const idleQueue: (() => void)[] = [];

/** Runs `action` when the page has nothing better to do, in order of the calls. */
export function whenIdle(action: () => void): void {
  idleQueue.push(action);
  if (idleQueue.length > 1) return;
  const schedule = (): void => {
    // Safari has no requestIdleCallback.
    if ('requestIdleCallback' in window) requestIdleCallback(step, { timeout: 2000 });
    else setTimeout(step, 30);
  };
  const step = (): void => {
    const next = idleQueue[0];
    try {
      next?.();
    } finally {
      idleQueue.shift();
      if (idleQueue.length > 0) schedule();
    }
  };
  schedule();
}
