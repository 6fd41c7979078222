// Fitting an analysis's Vega-Lite specification to the page: its rows, its width, the page's
// colours for layer types, and a configuration that follows the theme.
import { kHues, kOther, type Palette } from './palette.ts';
import type { Cell } from './report_data.ts';

type Spec = Record<string, unknown>;

const kTypeFields = new Set(['type', 'layer_type', 'kernel_layer_type']);

/** Colours are `currentColor` with an opacity, so that one drawing serves light, dark and print. */
export function chartConfig(font: string, narrow = false): Spec {
  const text = { labelColor: 'currentColor', titleColor: 'currentColor', labelFontSize: 11, titleFontSize: 11, titleFontWeight: 'normal', labelOpacity: 0.75, titleOpacity: 0.75 };
  return {
    background: 'transparent',
    font,
    view: { stroke: 'transparent' },
    axis: { ...text, labelSeparation: 6, gridColor: 'currentColor', gridOpacity: 0.1, domainColor: 'currentColor', domainOpacity: 0.4, tickColor: 'currentColor', tickOpacity: 0.4 },
    legend: narrow ? { ...text, orient: 'bottom', columns: 2 } : text,
    header: { labelColor: 'currentColor', titleColor: 'currentColor', titleFontWeight: 'normal' },
    title: { color: 'currentColor', fontSize: 12, fontWeight: 600, anchor: 'start' },
    text: { color: 'currentColor', fill: 'currentColor' },
    rule: { color: 'currentColor' },
    mark: { color: kHues[0], tooltip: true },
    range: { category: [...kHues, kOther] },
  };
}

export function fitSpec(
  chart: Readonly<Spec>, rows: readonly Record<string, Cell>[], width: number, palette: Palette, font: string,
): Spec {
  let spec = structuredClone(chart) as Spec;
  delete spec['$schema'];
  const own = (spec['config'] ?? {}) as Spec;
  paint(spec, palette, new Set(rows.flatMap((row) => [row['type'], row['layer_type']]).filter((cell): cell is string => typeof cell === 'string')));
  calmAxes(spec, rows);
  spellSorts(spec);
  spec = fitWidth(spec, width);
  return {
    ...spec,
    ...(usesRows(spec) ? {} : { data: { name: 'rows' } }),
    datasets: { ...(spec['datasets'] as Spec | undefined), rows },
    config: merge(chartConfig(font, width < 560), own),
  };
}

/** Whether any encoding places its marks by fields that are known: else the picture is empty axes. */
export function hasMarks(spec: unknown, unknown: ReadonlySet<string>): boolean {
  const placed: boolean[] = [];
  // The views of a layer take over what stands above them.
  const visit = (value: unknown, above: boolean): void => {
    if (Array.isArray(value)) value.forEach((item) => visit(item, above));
    if (!isObject(value)) return;
    const encoding = value['encoding'];
    let known = above;
    if (isObject(encoding)) {
      const fields = [encoding['x'], encoding['y']].map((channel) => (isObject(channel) ? channel['field'] : undefined)).filter((field) => typeof field === 'string');
      known &&= !fields.some((field) => unknown.has(field));
    }
    if (value['mark'] !== undefined) placed.push(known);
    Object.values(value).forEach((item) => visit(item, known));
  };
  visit(spec, true);
  return placed.length === 0 || placed.some(Boolean);
}

function usesRows(spec: Spec): boolean {
  return typeof spec['data'] === 'object' && spec['data'] !== null;
}

function merge(base: Spec, over: Spec): Spec {
  const out: Spec = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = out[key];
    out[key] = isObject(value) && isObject(below) ? merge(below, value) : value;
  }
  return out;
}

function isObject(value: unknown): value is Spec {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Gives every colour channel on a layer type the page's colours, unless it has a range. */
function paint(value: unknown, palette: Palette, present: ReadonlySet<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) paint(item, palette, present);
    return;
  }
  if (!isObject(value)) return;
  for (const channel of ['color', 'fill', 'stroke']) {
    const definition = value[channel];
    if (!isObject(definition)) continue;
    if (isObject(definition['condition'])) paint({ [channel]: definition['condition'] }, palette, present);
    const scale = isObject(definition['scale']) ? definition['scale'] : {};
    if (Array.isArray(scale['domain']) && definition['type'] === 'nominal') giveHues(definition, scale, scale['domain']);
    if (!kTypeFields.has(String(definition['field']))) continue;
    if (definition['scale'] === null || scale['range'] !== undefined || scale['domain'] !== undefined) continue;
    const domain = [...palette.types.filter((type) => present.has(type)), ...[...present].filter((type) => !palette.types.includes(type)).sort()];
    delete scale['scheme'];
    definition['scale'] = { ...scale, domain, range: domain.map((type) => palette.of(type)) };
  }
  for (const item of Object.values(value)) paint(item, palette, present);
}

/** The first values of a chart's own order have the hues, the others one grey and no legend. */
function giveHues(definition: Spec, scale: Spec, domain: readonly unknown[]): void {
  if (scale['range'] !== undefined || scale['scheme'] !== undefined) return;
  scale['range'] = domain.map((_, index) => kHues[index] ?? kOther);
  if (domain.length <= kHues.length || definition['legend'] === null) return;
  definition['legend'] = { values: domain.slice(0, kHues.length), ...(isObject(definition['legend']) ? definition['legend'] : {}) };
  if (typeof definition['title'] === 'string') definition['title'] += ' (others grey)';
}

/** Axes that stay readable: numbers along a discrete x stand upright, logarithmic ones are thinned. */
function calmAxes(value: unknown, rows: readonly Record<string, Cell>[]): void {
  if (Array.isArray(value)) for (const item of value) calmAxes(item, rows);
  if (!isObject(value)) return;
  for (const channel of ['x', 'y']) {
    const definition = value[channel];
    // Few ticks asked of a logarithmic scale are its powers of ten.
    if (isObject(definition) && isObject(definition['scale']) && definition['scale']['type'] === 'log' && definition['axis'] !== null)
      definition['axis'] = { tickCount: 3, ...(isObject(definition['axis']) ? definition['axis'] : {}) };
  }
  const x = value['x'];
  if (isObject(x) && x['type'] === 'ordinal' && x['axis'] !== null && rows.some((row) => typeof row[String(x['field'])] === 'number'))
    x['axis'] = { labelAngle: 0, labelOverlap: true, ...(isObject(x['axis']) ? x['axis'] : {}) };
  for (const item of Object.values(value)) calmAxes(item, rows);
}

/**
 * "sort": "-x" as the field that it means. In a layered chart Vega-Lite gives each layer an order of
 * its own for the short form, finds them in conflict and drops both.
 */
function spellSorts(value: unknown): void {
  if (Array.isArray(value)) for (const item of value) spellSorts(item);
  if (!isObject(value)) return;
  for (const [channel, other] of [['x', 'y'], ['y', 'x']] as const) {
    const [definition, by] = [value[channel], value[other]];
    // Bars would be summed, other marks not: one order for both.
    if (isObject(definition) && isObject(definition['sort']) && definition['sort']['field'] !== undefined)
      definition['sort'] = { op: 'max', ...definition['sort'] };
    if (!isObject(definition) || !isObject(by) || by['field'] === undefined || by['aggregate'] !== undefined) continue;
    if (definition['sort'] === other || definition['sort'] === `-${other}`)
      definition['sort'] = { field: by['field'], op: 'max', order: definition['sort'] === other ? 'ascending' : 'descending' };
  }
  for (const item of Object.values(value)) spellSorts(item);
}

/** Room that axes and legends of a part of a concatenation take beside its plot, pixels. */
const kBeside = 70;

/** Between the parts of a picture, and the least width at which one can be read. */
const kBetween = 20;
const kLeast = 120;

/** Side by side becomes one below the other where the page is narrow. */
export function fitWidth(spec: Spec, width: number): Spec {
  const across = spec['hconcat'];
  if (Array.isArray(across)) {
    const narrow = width < 340 * across.length;
    const each = Math.max(kLeast, Math.floor(narrow ? width : (width - kBetween * (across.length - 1)) / across.length) - kBeside);
    const parts = across.map((part) => ({ ...(part as Spec), width: each }));
    const { hconcat: _taken, ...rest } = spec;
    return narrow ? { ...rest, vconcat: parts } : { ...rest, hconcat: parts };
  }
  const down = spec['vconcat'];
  if (Array.isArray(down)) return { ...spec, vconcat: down.map((part) => (isObject(part) && ('hconcat' in part || 'vconcat' in part) ? fitWidth(part, width) : { ...(part as Spec), width: Math.max(kLeast, width - kBeside) })) };
  if ('facet' in spec) return fitFacet(spec, width);
  if ('repeat' in spec || 'concat' in spec) return spec;
  if (hasFacetChannel(spec)) return 'row' in (spec['encoding'] as Spec) && !('column' in (spec['encoding'] as Spec)) ? { ...spec, width: Math.max(kLeast, width - kBeside) } : spec;
  return { ...spec, width, autosize: { type: 'fit', contains: 'padding' }, ...('height' in spec ? {} : { height: 260 }) };
}

/** As many parts beside each other as the page has room for, up to the chart's own number. */
function fitFacet(spec: Spec, width: number): Spec {
  const inner = spec['spec'];
  const facet = spec['facet'];
  if (!isObject(inner) || !isObject(facet)) return spec;
  if ('column' in facet) return spec;
  if ('row' in facet) return { ...spec, spec: { ...inner, width: Math.max(kLeast, width - kBeside) } };
  const wanted = typeof inner['width'] === 'number' ? inner['width'] : 220;
  const most = typeof spec['columns'] === 'number' && spec['columns'] > 0 ? spec['columns'] : 4;
  const columns = Math.max(1, Math.min(most, Math.floor((width - kBeside + kBetween) / (wanted + kBetween))));
  return { ...spec, columns, spec: { ...inner, width: Math.max(kLeast, Math.floor((width - kBeside - kBetween * (columns - 1)) / columns)) } };
}

function hasFacetChannel(spec: Spec): boolean {
  const encoding = spec['encoding'];
  return isObject(encoding) && ['row', 'column', 'facet'].some((channel) => channel in encoding);
}
