// What components do with elements of the page themselves.

/** An element outside of any component, such as the canvas of the timeline. An attribute of `true` is set empty; of
    false, null or undefined left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Record<string, string | number | boolean | null | undefined> = {}, ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === 'style') element.style.cssText = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
  return element;
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
