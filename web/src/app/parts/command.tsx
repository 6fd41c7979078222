// A command to paste into a shell.
import type { VNode } from 'preact';
import { copyButton } from '../../copy_button.ts';
import { DomNode } from './dom_node.tsx';

export function Command({ text, label = 'the command' }: { text: string; label?: string }): VNode {
  return (
    <div class="command">
      <pre tabIndex={0} role="region" aria-label="Command line"><code>{text}</code></pre>
      <DomNode of={text} make={() => copyButton(label, text)} />
    </div>
  );
}
