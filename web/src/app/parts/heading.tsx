// The heading of a page: it is the title of the window, and has the focus after a link was
// followed, so that a screen reader begins here.
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

let isFirst = true;

export function Heading({ title, children }: { title: string; children?: ComponentChildren }): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title.length > 80 ? `${title.slice(0, 79)}…` : title} · XSP`;
    // The browser chooses the focus of a page that was just loaded.
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, [title]);
  return (
    <header class="title">
      <h1 tabIndex={-1} ref={heading} id="title"><bdi>{title}</bdi></h1>
      {children}
    </header>
  );
}
