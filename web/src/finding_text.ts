// What a finding says in numbers: its gain, its thresholds, how sure it is.
import { allDigits, coarseDuration, scaleFor } from './format.ts';
import type { Finding } from './report_data.ts';

/** As much of a finding as its gain needs. */
interface Gained {
  gain_ns: Finding['gain_ns'];
  gain: Pick<NonNullable<Finding['gain']>, 'whole' | 'whole_ns'> | null;
}

/** The unit of a finding's column or threshold as tables and scales name it. */
export function scaleUnit(unit: string): string {
  if (unit === 'share') return 'ratio';
  return unit === 'count' ? '1' : unit;
}

/** Whether a share of the whole is too small to be called a gain: repeated measurements of a call rarely agree to less than a
    thousandth. As in the texts of the command line. */
export function isUnnoticeable(share: number): boolean {
  return share < 0.001;
}

/** "Saves about 1.2 ms a call, 9.4 % of it", "Saves at most ..." where nothing is expected; null: the gain is not known, or there
    is none that can be noticed. */
export function gainText({ gain_ns, gain }: Gained): string | null {
  if (gain_ns === null || gain === null) return null;
  const [, expected, high] = gain_ns;
  const isExpected = !isUnnoticeable(expected / gain.whole_ns);
  const saved = isExpected ? expected : high;
  if (isUnnoticeable(saved / gain.whole_ns)) return null;
  const isRepeated = gain.whole === 'call' || gain.whole === 'step';
  const share = coarsePercent(saved / gain.whole_ns);
  return `Saves ${isExpected ? 'about' : 'at most'} ${coarseDuration(saved)}`
    + (isRepeated ? ` a ${gain.whole}, ${share} of it` : `, ${share} of the ${gain.whole}`);
}

/** In two significant digits, like the time before it. */
function coarsePercent(share: number): string {
  return `${Number((share * 100).toPrecision(2))}\u00a0%`;
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
