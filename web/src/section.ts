// The frame that all sections share: a heading, the sentence of what is missing, the evidence.
import type { VNode } from 'preact';
import { useId, useState } from 'preact/hooks';
import { h, prose, type Child } from './markup.ts';
import type { Palette } from './palette.ts';
import type { Model } from './model.ts';
import type { ReportData } from './report_data.ts';
import type { Selection } from './state.ts';
import { shortName } from './short_name.ts';

/** What every section is given. */
export interface Context {
  data: ReportData;
  model: Model;
  palette: Palette;
  /** A component that reads the chosen point is drawn again when another is chosen. */
  selection: Selection;
}

/** A part of the page. Each file `*_section.ts` exports one as `kSection`; the page needs no list of them. */
export interface PageSection {
  /** The file's name without `_section.ts`: the anchor, and how the document names the section. */
  id: string;
  /** In the lists of sections. */
  name: string;
  /** Sections stand in ascending order of it. */
  position: number;
  /** Draws a `Section` with that id. */
  Component: (properties: { context: Context }) => VNode;
  /** Whether the document holds what it shows; without it: always. */
  isShown?: (data: ReportData) => boolean;
}

export function Section({ context, id, title, children }: { context: Context; id: string; title: string; children?: Child }): VNode {
  return h('section', { id, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title),
    context.data.gaps.filter((gap) => gap.section === id).map((gap) => h('p', { class: 'gap' }, prose(gap.text))),
    cutNotes(context, id), children);
}

/** What was cut from a table to keep the page small. */
export function cutNotes(context: Context, table: string): VNode[] {
  return context.data.cuts.filter((cut) => cut.table === table).map((cut) => h('p', { class: 'note' }, prose(cut.text)));
}

/** The sentence for an empty section, unless the document itself explains why it is empty. */
export function nothing(context: Context, id: string, text: string): VNode | null {
  return context.data.gaps.some((gap) => gap.section === id) ? null : h('p', { class: 'gap' }, prose(text));
}

/** Something behind a summary line: a table behind a chart, SQL. Made when first opened. */
export function behind(summary: Child, make: () => Child): VNode {
  return h(Behind, { summary, make });
}

function Behind({ summary, make }: { summary: Child; make: () => Child }): VNode {
  const [wasOpened, setOpened] = useState(false);
  return h('details', { onToggle: (event: Event) => (event.currentTarget as HTMLDetailsElement).open && setOpened(true) },
    h('summary', {}, summary), wasOpened && make());
}

interface Choice<T extends string> {
  label: string;
  options: readonly { value: T; text: string; title?: string }[];
  chosen: T;
  onChange: (value: T) => void;
}

/** A choice of one among few, as a row of radio buttons. */
export function Segmented<T extends string>({ label, options, chosen, onChange }: Choice<T>): VNode {
  const name = useId();
  return h('fieldset', { class: 'segmented' }, h('legend', { class: 'hidden-text' }, label),
    options.map((option) => h('label', { title: option.title },
      h('input', { type: 'radio', name, value: option.value, checked: option.value === chosen, onChange: () => onChange(option.value) }),
      h('span', {}, option.text))));
}

/** Names and colours of the layer types that have one of their own. */
export function legend(palette: Palette, present: ReadonlySet<string>, title = ''): VNode {
  const item = (colour: string, text: string): VNode =>
    h('li', {}, h('span', { class: 'swatch', style: `background:${colour}` }), text);
  const rest = palette.rest.filter((type) => present.has(type));
  return h('ul', { class: 'legend', 'aria-label': 'Colours of layer types' },
    title !== '' && h('li', {}, title),
    palette.named.filter((type) => present.has(type)).map((type) => item(palette.of(type), shortName(type))),
    rest.length > 0 && item(palette.of(null), rest.length > 3 ? `${rest.length} other types` : rest.map((type) => shortName(type)).join(', ')));
}
