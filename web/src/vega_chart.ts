// A Vega-Lite chart on the page: drawn when near or idle, and again when its width or rows change.
import { append, clear, h, whenIdle, whenNear } from './dom.ts';
import { fitSpec } from './chart_spec.ts';
import type { Palette } from './palette.ts';
import type { Cell } from './report_data.ts';
import { hideTip, showTip, type Fact } from './tooltip.ts';

/** What is drawn; its rows come apart. */
export interface Picture {
  title: string;
  /** Vega-Lite whose data is named "rows", or lies in it. */
  spec: Readonly<Record<string, unknown>>;
  palette: Palette;
  /** How a value under the pointer is shown; without it, or null: as in the chart. */
  fact?: (name: string, value: unknown) => Fact | null;
}

/** Draws `picture` of `rows` into `host`; called again for other rows. The outcome stands in
    data-state: waiting, drawn or failed. */
export function drawChart(host: HTMLElement, picture: Picture, rows: readonly Record<string, Cell>[]): void {
  host.dataset['state'] = 'waiting';
  const chart = charts.get(host) ?? new Chart(picture, host);
  charts.set(host, chart);
  chart.rows = rows;
  chart.drawn = -1;
  chart.draw();
}

const charts = new WeakMap<HTMLElement, Chart>();

let vegaAwake = false;

/** Runs the sleeping second script, once. */
function wakeVega(): boolean {
  if (!vegaAwake) {
    vegaAwake = true;
    const code = document.getElementById('vega-code')?.textContent ?? '';
    document.head.append(h('script', {}, code));
  }
  return window.xspVega !== undefined;
}

const kFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

class Chart {
  rows: readonly Record<string, Cell>[] = [];
  drawn = -1;
  private readonly picture: Picture;
  private readonly host: HTMLElement;
  private handle: { finalize(): void } | null = null;
  private awake = false;
  private turn = 0;

  constructor(picture: Picture, host: HTMLElement) {
    this.picture = picture;
    this.host = host;
    const wake = (): void => {
      this.awake = true;
      this.draw();
    };
    new ResizeObserver(() => this.draw()).observe(host);
    whenNear(host, wake);
    whenIdle(wake);
  }

  draw(): void {
    const width = Math.floor(this.host.clientWidth);
    if (!this.awake || width === 0 || width === this.drawn) return;
    this.drawn = width;
    void this.render(width);
  }

  /** Drawn into a box of its own, which is not on the page yet. */
  private async attempt(width: number): Promise<{ box: HTMLElement; handle: { finalize(): void } }> {
    const { spec, palette, fact } = this.picture;
    const box = h('div', {});
    const handle = await window.xspVega!.draw(fitSpec(spec, this.rows, width, palette, kFont), box, (event, value) => tip(event, value, fact));
    return { box, handle };
  }

  private async render(width: number): Promise<void> {
    const turn = (this.turn += 1);
    try {
      if (!wakeVega()) throw new Error('the chart library is not in this page');
      let { box, handle } = await this.attempt(width);
      // How wide the names beside a plot of several parts are, only the drawing tells.
      const excess = Math.ceil(Number(box.querySelector('svg')?.getAttribute('width') ?? 0) - width);
      if (excess > 0 && turn === this.turn) {
        handle.finalize();
        ({ box, handle } = await this.attempt(width - excess));
      }
      if (turn !== this.turn) return handle.finalize();
      this.handle?.finalize();
      this.handle = handle;
      this.host.replaceChildren(box);
      const svg = box.querySelector('svg');
      svg?.setAttribute('role', 'img');
      svg?.setAttribute('aria-label', `Chart: ${this.picture.title}. The table below has the numbers.`);
      this.host.dataset['state'] = 'drawn';
    } catch (error) {
      if (turn !== this.turn) return;
      clear(this.host);
      append(this.host, h('p', { class: 'gap' }, `The chart of ${this.picture.title} cannot be drawn: ${error instanceof Error ? error.message : String(error)}. The table has its numbers.`));
      this.host.dataset['state'] = 'failed';
    }
  }
}

function tip(event: MouseEvent, value: unknown, fact: Picture['fact']): void {
  if (value === null || value === undefined || value === '') return hideTip();
  const facts = typeof value === 'object' ? Object.entries(value).filter(([name]) => !name.startsWith('_')).map(([name, item]) => fact?.(name, item) ?? { name, value: String(item) }) : [];
  showTip(event.clientX, event.clientY, typeof value === 'object' ? '' : String(value), facts);
}
