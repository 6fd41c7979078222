// In place of rows that do not exist yet: what makes the first.
import type { ComponentChildren, VNode } from 'preact';
import { Command } from './command.tsx';

export function EmptyState({ children, command }: { children: ComponentChildren; command?: string }): VNode {
  return (
    <div class="gap empty">
      <p>{children}</p>
      {command && <Command text={command} />}
    </div>
  );
}
