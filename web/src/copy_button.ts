// A button that puts a text of the page on the clipboard.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { h } from './markup.ts';

/** `what` it copies, for screen readers: "the command". */
export function CopyButton({ what, text }: { what: string; text: string }): VNode {
  const [copied, setCopied] = useState<string | null>(null);
  const [isRefused, setRefused] = useState(false);
  const isCopied = copied === text;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
      setRefused(false);
    } catch {
      // No clipboard without https, or in a frame that may not use it.
      setRefused(true);
    }
  };
  return h('button', {
    type: 'button', class: 'copy', 'aria-label': isRefused ? `The browser does not copy ${what}: select it` : `${isCopied ? 'Copied' : 'Copy'} ${what}`,
    onClick: () => { void copy(); },
  }, isCopied ? 'Copied' : isRefused ? 'Select the text to copy it' : 'Copy');
}
