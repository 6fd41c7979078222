// What a finding says in numbers: its gain, its thresholds, how sure it is.
import { allDigits, coarseDuration, duration, scaleFor } from './format.ts';

type Gain = readonly [low: number, mid: number, high: number];

/** The unit of a finding's column or threshold as tables and scales name it. */
export function scaleUnit(unit: string): string {
  if (unit === 'share') return 'ratio';
  return unit === 'count' ? '1' : unit;
}

/** "Saves about 1.2 ms a call"; null: the gain is not known, or there is none. */
export function gainText(gain: Gain | null): string | null {
  if (gain === null) return null;
  const [, mid, high] = gain;
  if (mid > 0) return `Saves about ${coarseDuration(mid)} a call`;
  return high > 0 ? `Saves at most ${coarseDuration(high)} a call` : null;
}

/** "1.21 ms a call, between 800 µs and 1.50 ms". */
export function gainRange([low, mid, high]: Gain): string {
  return `${duration(mid)} a call, between ${duration(low)} and ${duration(high)}`;
}

/** "High (0.8 on a scale from 0 to 1)". */
export function confidenceText(confidence: number): string {
  const word = confidence >= 0.95 ? 'Very high' : confidence >= 0.75 ? 'High' : confidence >= 0.5 ? 'Moderate' : 'Low';
  return `${word} (${allDigits(confidence)} on a scale from 0 to 1)`;
}

/** A threshold with its unit and all of its digits: "10 %", "1.01", "500 ns". */
export function thresholdValue(value: number, unit: string): string {
  const scale = scaleFor([value], scaleUnit(unit));
  // Scaling adds digits that nobody wrote: 0.07 times 100 is not 7.
  const shown = allDigits(Number((value * scale.factor).toPrecision(9)));
  return scale.unit ? `${shown}\u00a0${scale.unit}` : shown;
}
