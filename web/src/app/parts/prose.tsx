// Text in which `backticks` mark code.
import type { VNode } from 'preact';

export function Prose({ text }: { text: string }): VNode {
  return <>{text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? <code>{part}</code> : part))}</>;
}
