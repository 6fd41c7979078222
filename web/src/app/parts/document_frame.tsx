// A page that an operation wrote. It holds text of foreign files, so it has an origin of its own
// and no access to the application or the session.
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { jumpOf, offerTimeline, type TimelinePlace } from '../../timeline_jump.ts';

interface Properties {
  address: string;
  title: string;
  /** Called when the page asks for a place on the timeline; without it, there is none. */
  onJump?: ((place: TimelinePlace) => void) | undefined;
}

export function DocumentFrame({ address, title, onJump }: Properties): VNode {
  const frame = useRef<HTMLIFrameElement>(null);
  const isLoaded = useRef(false);
  useEffect(() => {
    if (!onJump) return undefined;
    if (isLoaded.current) offerTimeline(frame.current!);
    const onMessage = (event: MessageEvent<unknown>): void => {
      const place = jumpOf(event, frame.current!);
      if (place) onJump(place);
    };
    addEventListener('message', onMessage);
    return () => removeEventListener('message', onMessage);
  }, [onJump]);
  const onLoad = (): void => {
    isLoaded.current = true;
    if (onJump) offerTimeline(frame.current!);
  };
  return (
    <section class="document" aria-label={title}>
      <p class="note document-links"><a href={address} target="_blank" rel="noopener">Open the page in a tab of its own</a></p>
      <iframe ref={frame} onLoad={onLoad} src={address} title={title} sandbox="allow-scripts allow-downloads" allow="clipboard-write" referrerpolicy="no-referrer" />
    </section>
  );
}
