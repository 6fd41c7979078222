// Describing elements to Preact without ever reading text as markup: every string becomes a text node
// or the value of an attribute, so that a name from a foreign file stays a name.
import { createElement, Fragment, type ComponentChildren, type ComponentType, type RefObject, type VNode } from 'preact';

export type Child = ComponentChildren;

type Attribute = string | number | boolean | null | undefined;
type Listener = (event: never) => void;

export interface Attributes {
  [name: string]: Attribute | Listener | RefObject<Element> | object;
}

/** Attributes that React and Preact would read as markup. */
const kForbidden = 'dangerouslySetInnerHTML';

/** An element of HTML, or of SVG below `svg`; or a component. An attribute of null, undefined or false is left out. */
export function h<Properties extends object>(component: ComponentType<Properties>, properties: Properties, ...children: Child[]): VNode;
export function h(tag: string, attributes?: Attributes, ...children: Child[]): VNode;
export function h(what: string | ComponentType<any>, attributes: object = {}, ...children: Child[]): VNode {
  if (typeof what !== 'string') return createElement(what, attributes, ...children) as VNode;
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (name === kForbidden) throw new Error('text is never read as markup');
    if (value !== null && value !== undefined && value !== false) given[name] = value;
  }
  return createElement(what, given, ...children) as VNode;
}

/** Several children where one is expected. */
export function group(...children: Child[]): VNode {
  return createElement(Fragment, null, ...children) as VNode;
}

/** Text in which `backticks` mark code. */
export function prose(text: string): Child {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? h('code', {}, part) : part)).filter((part) => part !== '');
}
