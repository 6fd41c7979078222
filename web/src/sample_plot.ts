// A dot for every model call of a run, in order; disturbed ones as rings.
import type { VNode } from 'preact';
import { ChartHost } from './chart_host.ts';
import { linearTicks, tickText, yAxis, type Frame } from './axis.ts';
import { axisScale, duration, percent, plural } from './format.ts';
import { h } from './markup.ts';
import type { Run } from './model.ts';
import { hideTip, showTip } from './tooltip.ts';

export interface Samples {
  latency: number[];
  disturbed: boolean[];
  reason: (string | null)[];
}

const kHeight = 92;
const kMostDots = 3000;

export function samplePlot(run: Run, data: Samples): VNode {
  const scale = axisScale(data.latency, 'ns');
  const disturbed = data.disturbed.filter(Boolean).length;
  const draw = (width: number): VNode => {
    const frame: Frame = { left: 46, right: width - 8, top: 8, bottom: kHeight - 6 };
    let most = 0;
    for (const value of data.latency) most = Math.max(most, value);
    const top = (most * scale.factor || 1) * 1.08;
    const x = (index: number): number => frame.left + ((index + 0.5) / data.latency.length) * (frame.right - frame.left);
    const y = (shown: number): number => frame.bottom - (shown / top) * (frame.bottom - frame.top);
    // Very long runs: every nth undisturbed dot, every disturbed one.
    const every = Math.ceil(data.latency.length / kMostDots);
    const dots = data.latency.map((value, index) => (index % every !== 0 && !data.disturbed[index] ? null
      : h('circle', { class: data.disturbed[index] ? 'sample disturbed' : 'sample', cx: x(index).toFixed(1), cy: y(value * scale.factor).toFixed(1), r: data.disturbed[index] ? 3.5 : 2.2 })));
    const onPointerMove = (event: PointerEvent): void => {
      const index = Math.floor(((event.clientX - (event.currentTarget as Element).getBoundingClientRect().left - frame.left) / (frame.right - frame.left)) * data.latency.length);
      const value = data.latency[index];
      if (value === undefined) return hideTip();
      showTip(event.clientX, event.clientY, `iteration ${index}`, [{ name: 'latency', value: duration(value) }, { name: 'all digits', value: scale.full(value) }],
        data.disturbed[index] ? `Interference: ${data.reason[index] ?? 'source unknown'}.` : '');
    };
    return h('svg', { width, height: kHeight, viewBox: `0 0 ${width} ${kHeight}`, role: 'img', 'aria-label': `${plural(data.latency.length, 'sample')} of the ${run.rung} run, ${disturbed} with interference`, onPointerMove, onPointerLeave: hideTip },
      yAxis(frame, linearTicks(top, 3), y, tickText),
      run.latency_ns !== null && h('line', { class: 'mean', x1: frame.left, x2: frame.right, y1: y(run.latency_ns * scale.factor), y2: y(run.latency_ns * scale.factor) }),
      dots);
  };
  return h('figure', {}, h('figcaption', { class: 'chart-title' }, `${run.rung} `,
    h('span', { class: 'unit' }, `latency, ${scale.unit} \u00b7 ${plural(data.latency.length, 'sample')}, ${disturbed} with interference`,
      run.variation === null ? '' : ` \u00b7 variation ${percent(run.variation)}`,
      run.warmup === null ? '' : ` \u00b7 ${plural(run.warmup, 'warm-up call')}`)), h(ChartHost, { draw }));
}
