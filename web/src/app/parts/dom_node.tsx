// An element that was made without Preact, such as those of the report pages, inside a component.
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

export function DomNode({ make, of }: { make: () => Node; /** It is made again when this changes. */ of: unknown }): VNode {
  const host = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    host.current?.replaceChildren(make());
  }, [of]);
  return <span class="dom-node" ref={host} />;
}
