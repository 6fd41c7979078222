// The second script of the page: Vega-Lite, asleep as text until the first chart is near. Runs
// specifications through the interpreter, so that the page needs no eval.
import { parse, View, type Spec } from 'vega';
import { expressionInterpreter } from 'vega-interpreter';
import { compile, type TopLevelSpec } from 'vega-lite';
import { placeLabels } from './chart_labels.ts';

export interface ChartHandle {
  finalize(): void;
}

/** Draws a Vega-Lite chart into `host` as SVG. Rejects when the specification is not one. */
async function draw(
  spec: unknown, host: HTMLElement,
  onTip: (event: MouseEvent, value: unknown) => void,
): Promise<ChartHandle> {
  const compiled = compile(spec as TopLevelSpec, { logger: quiet() }).spec as Spec;
  placeLabels(compiled);
  const view = new View(parse(compiled, undefined, { ast: true }), {
    expr: expressionInterpreter,
    renderer: 'svg',
    container: host,
    hover: false,
    logger: quiet(),
    // Nothing may be fetched: a report reads no file and no network.
    loader: {
      load: () => Promise.reject(new Error('a report loads nothing')),
      sanitize: () => Promise.reject(new Error('a report links nothing')),
      http: () => Promise.reject(new Error('a report loads nothing')),
      file: () => Promise.reject(new Error('a report loads nothing')),
    },
  } as ConstructorParameters<typeof View>[1]);
  view.tooltip((_handler: unknown, event: MouseEvent, _item: unknown, value: unknown) => onTip(event, value));
  await view.runAsync();
  return { finalize: () => void view.finalize() };
}

function quiet() {
  const logger = {
    level: () => logger, error: () => logger, warn: () => logger, info: () => logger, debug: () => logger,
  };
  return logger as unknown as NonNullable<Parameters<typeof compile>[1]> extends { logger?: infer L } ? L & object : never;
}

declare global {
  interface Window {
    xspVega?: { draw: typeof draw };
  }
}
window.xspVega = { draw };
