// Describing elements to Preact without ever reading text as markup: every string becomes a text node
// or the value of an attribute, so that a name from a foreign file stays a name.
import { createElement, type ComponentChildren, type ComponentType, type VNode } from 'preact';
import { unbrokenUnits } from './unbroken_units.ts';

export type Child = ComponentChildren;

/** Of an element: attributes as HTML and SVG spell them, listeners ("onClick"), `ref` and `key`. */
export type Attributes = Record<string, unknown>;

interface Keyed {
  /** Another one makes the component anew. */
  key?: string | number;
}

/** An element of HTML, or of SVG below `svg`; or a component. An attribute of null, undefined or false is left out. */
export function h<Properties>(component: (properties: Properties) => VNode | null, properties: Properties & Keyed, ...children: Child[]): VNode;
export function h(tag: string, attributes?: Attributes, ...children: Child[]): VNode;
export function h(what: unknown, attributes: object = {}, ...children: Child[]): VNode {
  if (typeof what !== 'string') return createElement(what as ComponentType<object>, attributes, ...children) as VNode;
  const given: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'dangerouslySetInnerHTML') throw new Error('text is never read as markup');
    if (value !== null && value !== undefined && value !== false) given[name] = value;
  }
  return createElement(what, given, ...children) as VNode;
}

/** Text in which `backticks` mark code; no line breaks between a number and its unit. */
export function prose(text: string): Child {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? h('code', {}, part) : unbrokenUnits(part))).filter((part) => part !== '');
}
