// Names beside points, without overlaps: what Vega-Lite cannot say and Vega can. A text mark of the
// style "beside" names the points of the layer before it, or with the style "of-NAME" of the layer
// NAME. Each name takes the first free place around its point, in the order of the channel "order";
// those without a place are left out. Runs on what Vega-Lite compiled: elsewhere than on our page
// such a chart shows every name.

interface Mark {
  type: string;
  name?: string;
  style?: string | string[];
  sort?: { field: string | string[]; order?: string | string[] };
  from?: unknown;
  interactive?: boolean;
  encode?: { update?: Record<string, unknown> };
  transform?: unknown[];
  marks?: Mark[];
}

const kBeside = 'beside';

/** Styles beside "beside" that say where names may stand, first choice first. */
const kAnchors: Record<string, readonly string[]> = {
  'before-above': ['top-left'],
};
const kAround = ['right', 'left', 'top', 'bottom', 'top-right', 'bottom-right', 'top-left', 'bottom-left'];

/** Changes the compiled specification in place. */
export function placeLabels(spec: { marks?: unknown }): void {
  const marks = spec.marks as Mark[] | undefined;
  if (!Array.isArray(marks)) return;
  marks.forEach((mark, index) => {
    placeLabels(mark);
    const styles = [mark.style ?? []].flat();
    if (mark.type !== 'text' || !styles.includes(kBeside)) return;
    const before = marks.slice(0, index);
    const wanted = styles.find((style) => style.startsWith('of-'))?.slice('of-'.length);
    const points = before.findLast(({ type, name }) => type === 'symbol' && name !== undefined && (wanted === undefined || name === `${wanted}_marks`));
    if (points) makeBeside(mark, points, before, styles);
  });
}

function makeBeside(mark: Mark, points: Mark, before: readonly Mark[], styles: readonly string[]): void {
  // The datum of a name is its point now, whose datum is the row.
  const update = JSON.parse(JSON.stringify(mark.encode?.update ?? {}).replaceAll('datum[', 'datum.datum[')) as Record<string, unknown>;
  for (const channel of ['x', 'y', 'dx', 'dy', 'align', 'baseline', 'opacity']) delete update[channel];
  mark.encode = { ...mark.encode, update };
  mark.from = { data: points.name };
  // A name without a place is still there, unseen: the pointer is for the points.
  mark.interactive = false;
  const order = mark.sort;
  delete mark.sort;
  mark.transform = [{
    type: 'label',
    size: { signal: '[width, height]' },
    anchor: styles.map((style) => kAnchors[style]).find((anchors) => anchors !== undefined) ?? kAround,
    offset: [4],
    // Lines would take most of the places; they can be told from letters that cross them.
    avoidMarks: before.filter(({ type, name }) => name !== undefined && name !== points.name && (type === 'symbol' || type === 'text' || type === 'rule')).map(({ name }) => name),
    ...(order ? { sort: { field: [order.field].flat().map((field) => field.replace(/^datum/, 'datum.datum')), order: order.order } } : {}),
  }];
}
