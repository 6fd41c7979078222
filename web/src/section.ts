// The frame that all sections share: a heading, the sentence of what is missing, the evidence.
import { append, h, prose, type Child } from './dom.ts';
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
  selection: Selection;
}

/** A part of the page. Each file `*_section.ts` exports one as `kSection`; main.ts needs no list of them. */
export interface PageSection {
  /** The file's name without `_section.ts`: the anchor, and how the document names the section. */
  id: string;
  /** In the lists of sections. */
  name: string;
  /** Sections stand in ascending order of it. */
  position: number;
  make: (context: Context) => HTMLElement;
  /** Whether the document holds what it shows; without it: always. */
  isShown?: (data: ReportData) => boolean;
}

export function section(context: Context, id: string, title: string, ...children: Child[]): HTMLElement {
  const element = h('section', { id, 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title));
  for (const gap of context.data.gaps)
    if (gap.section === id) append(element, h('p', { class: 'gap' }, prose(gap.text)));
  append(element, ...cutNotes(context, id), ...children);
  return element;
}

/** What was cut from a table to keep the page small. */
export function cutNotes(context: Context, table: string): HTMLElement[] {
  return context.data.cuts.filter((cut) => cut.table === table).map((cut) => h('p', { class: 'note' }, prose(cut.text)));
}

/** Whether the document itself explains why a section is empty. */
export function hasGap(context: Context, id: string): boolean {
  return context.data.gaps.some((gap) => gap.section === id);
}

/** The sentence for an empty section that the document says nothing about. */
export function nothing(context: Context, id: string, text: string): HTMLElement | null {
  return hasGap(context, id) ? null : h('p', { class: 'gap' }, prose(text));
}

/** Something behind a summary line: a table behind a chart, SQL. Made when first opened. */
export function behind(summary: string, make: () => Node): HTMLDetailsElement {
  const details = h('details', {}, h('summary', {}, summary));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(make());
  });
  return details;
}

/** A choice of one among few, as a row of radio buttons. */
export function segmented<T extends string>(
  label: string, options: readonly { value: T; text: string; title?: string }[], chosen: T,
  onChange: (value: T) => void,
): HTMLFieldSetElement {
  const name = `choice-${(choices += 1)}`;
  const set = h('fieldset', { class: 'segmented' }, h('legend', { class: 'hidden-text' }, label));
  for (const option of options) {
    const input = h('input', { type: 'radio', name, value: option.value, checked: option.value === chosen });
    input.addEventListener('change', () => onChange(option.value));
    append(set, h('label', { title: option.title ?? null }, input, h('span', {}, option.text)));
  }
  return set;
}

let choices = 0;

/** Names and colours of the layer types that have one of their own. */
export function legend(palette: Palette, present: ReadonlySet<string>, title = ''): HTMLElement {
  const item = (colour: string, text: string): HTMLElement =>
    h('li', {}, h('span', { class: 'swatch', style: `background:${colour}` }), text);
  const rest = palette.rest.filter((type) => present.has(type));
  return h('ul', { class: 'legend', 'aria-label': 'Colours of layer types' },
    title !== '' && h('li', {}, title),
    ...palette.named.filter((type) => present.has(type)).map((type) => item(palette.of(type), shortName(type))),
    rest.length > 0 && item(palette.of(null), rest.length > 3 ? `${rest.length} other types` : rest.map((type) => shortName(type)).join(', ')));
}
