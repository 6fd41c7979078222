// A command to paste into a shell.
import type { VNode } from 'preact';
import { CopyButton } from '../../copy_button.ts';

export function Command({ text, label = 'the command' }: { text: string; label?: string }): VNode {
  return (
    <div class="command">
      <pre tabIndex={0} role="region" aria-label="Command line"><code>{text}</code></pre>
      <CopyButton what={label} text={text} />
    </div>
  );
}
