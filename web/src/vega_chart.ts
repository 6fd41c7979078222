// A Vega-Lite chart on the page: drawn when near or idle, and again when its width or rows change.
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { h as element, whenIdle, whenNear } from './dom.ts';
import { h } from './markup.ts';
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

interface Properties {
  picture: Picture;
  rows: readonly Record<string, Cell>[];
  /** When it changes, or the rows do, the chart is drawn again. */
  of?: unknown;
}

/** The outcome stands in data-state: waiting, drawn or failed. */
export function VegaChart({ picture, rows, of }: Properties): VNode {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  useLayoutEffect(() => {
    host.current!.dataset['state'] = 'waiting';
    chart.current ??= new Chart(host.current!);
    chart.current.show(picture, rows);
  }, [of ?? rows]);
  useLayoutEffect(() => () => chart.current?.end(), []);
  return h('div', { class: 'vega', ref: host });
}

let vegaAwake = false;

/** Runs the sleeping second script, once. */
function wakeVega(): boolean {
  if (!vegaAwake) {
    vegaAwake = true;
    const code = document.getElementById('vega-code')?.textContent ?? '';
    document.head.append(element('script', {}, code));
  }
  return window.xspVega !== undefined;
}

const kFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';

class Chart {
  private rows: readonly Record<string, Cell>[] = [];
  private picture: Picture | null = null;
  private drawn = -1;
  private readonly host: HTMLElement;
  private readonly observer = new ResizeObserver(() => this.draw());
  private handle: { finalize(): void } | null = null;
  private awake = false;
  private turn = 0;

  constructor(host: HTMLElement) {
    this.host = host;
    const wake = (): void => {
      this.awake = true;
      this.draw();
    };
    this.observer.observe(host);
    whenNear(host, wake);
    whenIdle(wake);
  }

  show(picture: Picture, rows: readonly Record<string, Cell>[]): void {
    this.picture = picture;
    this.rows = rows;
    this.drawn = -1;
    this.draw();
  }

  /** Its component left the page. */
  end(): void {
    this.turn += 1;
    this.awake = false;
    this.observer.disconnect();
    this.handle?.finalize();
    this.handle = null;
  }

  draw(): void {
    const width = Math.floor(this.host.clientWidth);
    if (!this.awake || this.picture === null || width === 0 || width === this.drawn) return;
    this.drawn = width;
    void this.render(this.picture, width);
  }

  /** Drawn into a box of its own, which is not on the page yet. */
  private async attempt(picture: Picture, width: number): Promise<{ box: HTMLElement; handle: { finalize(): void } }> {
    const { spec, palette, fact } = picture;
    const box = element('div');
    const handle = await window.xspVega!.draw(fitSpec(spec, this.rows, width, palette, kFont), box, (event, value) => tip(event, value, fact));
    return { box, handle };
  }

  private async render(picture: Picture, width: number): Promise<void> {
    const turn = (this.turn += 1);
    try {
      if (!wakeVega()) throw new Error('the chart library is not in this page');
      let { box, handle } = await this.attempt(picture, width);
      // How wide the names beside a plot of several parts are, only the drawing tells.
      const excess = Math.ceil(Number(box.querySelector('svg')?.getAttribute('width') ?? 0) - width);
      if (excess > 0 && turn === this.turn) {
        handle.finalize();
        ({ box, handle } = await this.attempt(picture, width - excess));
      }
      if (turn !== this.turn) return handle.finalize();
      this.handle?.finalize();
      this.handle = handle;
      this.host.replaceChildren(box);
      const svg = box.querySelector('svg');
      svg?.setAttribute('role', 'img');
      svg?.setAttribute('aria-label', `Chart: ${picture.title}. The table below has the numbers.`);
      this.host.dataset['state'] = 'drawn';
    } catch (error) {
      if (turn !== this.turn) return;
      this.host.replaceChildren(element('p', { class: 'gap' }, `The chart of ${picture.title} cannot be drawn: ${error instanceof Error ? error.message : String(error)}. The table has its numbers.`));
      this.host.dataset['state'] = 'failed';
    }
  }
}

function tip(event: MouseEvent, value: unknown, fact: Picture['fact']): void {
  if (value === null || value === undefined || value === '') return hideTip();
  const facts = typeof value === 'object' ? Object.entries(value).filter(([name]) => !name.startsWith('_')).map(([name, item]) => fact?.(name, item) ?? { name, value: String(item) }) : [];
  showTip(event.clientX, event.clientY, typeof value === 'object' ? '' : String(value), facts);
}
