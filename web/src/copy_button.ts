// A button that puts a text of the page on the clipboard.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { h } from './markup.ts';

/** `what` it copies, for screen readers: "the command". */
export function CopyButton({ what, text }: { what: string; text: string }): VNode {
  const [copied, setCopied] = useState<string | null>(null);
  const isCopied = copied === text;
  return h('button', {
    type: 'button', class: 'copy', 'aria-label': `${isCopied ? 'Copied' : 'Copy'} ${what}`,
    onClick: () => { void navigator.clipboard?.writeText(text).then(() => setCopied(text)); },
  }, isCopied ? 'Copied' : 'Copy');
}
