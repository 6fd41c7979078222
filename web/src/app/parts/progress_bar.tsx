// How far something is.
import type { VNode } from 'preact';

/** `fraction` is null where it is not known. */
export function ProgressBar({ label, fraction }: { label: string; fraction: number | null }): VNode {
  // Without a value the element shows that something moves.
  return fraction === null || fraction < 0
    ? <progress class="progress" aria-label={label} />
    : <progress class="progress" aria-label={label} max={1} value={Math.min(1, fraction)} />;
}
