// Text in which `backticks` mark code; no line breaks between a number and its unit.
import type { VNode } from 'preact';
import { unbrokenUnits } from '../../unbroken_units.ts';

export function Prose({ text }: { text: string }): VNode {
  return <>{text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? <code>{part}</code> : unbrokenUnits(part)))}</>;
}
