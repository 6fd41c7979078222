// From a layer or a finding to its place on the timeline. A report does not hold the timeline: the application that
// shows the report in a frame does, and says so; anywhere else there is nothing to jump to. The frame has an origin of
// its own, so that both sides send messages, and each checks what it gets.
import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { h } from './markup.ts';

/** A span to look for. */
export interface TimelinePlace {
  /** Its name. */
  search: string;
  /** Which of the spans with that name, from 1. */
  nth: number;
  /** The run that shows it; null: the one with the most spans. */
  run: string | null;
}

const kOffer = 'xsp-timeline-offered';
const kJump = 'xsp-timeline-jump';
/** Longer than names that can be found in an address. */
const kLongest = 1000;

/** Whether the page around this one has the timeline. */
export const isTimelineOffered = signal(false);

/** Waits for the offer of the page around this one. */
export function awaitTimelineOffer(): void {
  if (window.parent === window) return;
  addEventListener('message', ({ source, data }) => {
    if (source === window.parent && (data as { type?: unknown } | null)?.type === kOffer) isTimelineOffered.value = true;
  });
}

/** Offers the timeline to the page in `frame`, once it is loaded. */
export function offerTimeline(frame: HTMLIFrameElement): void {
  // Its origin is its own and has no name.
  frame.contentWindow?.postMessage({ type: kOffer }, '*');
}

/** The place that a message of the page in `frame` asks for; null: it is another message, or not as it should be. */
export function jumpOf({ source, data }: MessageEvent<unknown>, frame: HTMLIFrameElement): TimelinePlace | null {
  if (source !== frame.contentWindow || typeof data !== 'object' || data === null) return null;
  const { type, search, nth, run } = data as Record<string, unknown>;
  const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= kLongest;
  if (type !== kJump || !isText(search) || !Number.isSafeInteger(nth) || (nth as number) < 1) return null;
  return { search, nth: nth as number, run: isText(run) ? run : null };
}

/** Nothing where there is no timeline. `what`: for people who do not see what it belongs to. */
export function TimelineButton({ place, what }: { place: TimelinePlace; what: string }): VNode | null {
  if (!isTimelineOffered.value) return null;
  const jump = (): void => window.parent.postMessage({ type: kJump, ...place }, '*');
  return h('button', { type: 'button', class: 'timeline-jump', 'aria-label': `Show ${what} on the timeline`, onClick: jump }, 'Timeline');
}
