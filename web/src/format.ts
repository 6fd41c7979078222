// Numbers for people: SI prefixes, three significant digits, units that say what they are.

const kNoBreak = '\u00a0';
const kMinus = '\u2212';

const kPrefixes: [number, string][] = [
  [1e15, 'P'], [1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''],
  [1e-3, 'm'], [1e-6, '\u00b5'], [1e-9, 'n'],
];

/** The text for a value that is not known. */
export const kUnknown = '\u2013';

function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const spaced = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return fraction === undefined ? spaced : `${spaced}.${fraction}`;
}

/** Three significant digits, without an exponent: 0.00512, 39.6, 2,310, 12,300. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return kUnknown;
  if (value === 0) return '0';
  const magnitude = Math.abs(value);
  const rounded = Number(magnitude.toPrecision(3));
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(rounded)));
  const text = decimals > 12 ? rounded.toExponential(2) : grouped(rounded.toFixed(decimals));
  return value < 0 ? kMinus + text : text;
}

/** All digits of a number, grouped: for hover. */
export function allDigits(value: number): string {
  if (!Number.isFinite(value)) return 'not known';
  const text = String(Math.abs(value));
  return (value < 0 ? kMinus : '') + (text.includes('e') ? text : grouped(text));
}

export function count(value: number): string {
  return (value < 0 ? kMinus : '') + grouped(String(Math.abs(Math.round(value))));
}

/** Two significant digits and the unit: for the half width of an interval. */
export function coarsePercent(ratio: number): string {
  return `${grouped(String(Number((ratio * 100).toPrecision(2))))}${kNoBreak}%`;
}

export function percent(ratio: number | null | undefined): string {
  if (ratio === null || ratio === undefined || !Number.isFinite(ratio)) return kUnknown;
  return digits(ratio * 100) + kNoBreak + '%';
}

/** How the values of one column, axis or figure are shown: one prefix for all of them. */
export interface Scale {
  /** A value in base units (ns, byte, flop, ...) times this is what is shown. */
  factor: number;
  /** The shown unit, "" for none: "ms", "GFLOP/s", "%". */
  unit: string;
  /** Three significant digits, without unit. Whole numbers of unit "1" keep all theirs. */
  text(value: number | null | undefined): string;
  /** All digits, with the unit of the data. */
  full(value: number | null | undefined): string;
}

interface BaseUnit {
  symbol: string;
  /** One base unit of the data is this many of `symbol`. */
  factor: number;
  prefixed: boolean;
  /** Larger prefixes are not in use: nobody says ks. */
  largest?: number;
}

const kUnits: Record<string, BaseUnit> = {
  ns: { symbol: 's', factor: 1e-9, prefixed: true, largest: 1 },
  us: { symbol: 's', factor: 1e-6, prefixed: true, largest: 1 },
  ms: { symbol: 's', factor: 1e-3, prefixed: true, largest: 1 },
  s: { symbol: 's', factor: 1, prefixed: true, largest: 1 },
  byte: { symbol: 'B', factor: 1, prefixed: true },
  bytes: { symbol: 'B', factor: 1, prefixed: true },
  MB: { symbol: 'B', factor: 1e6, prefixed: true },
  GB: { symbol: 'B', factor: 1e9, prefixed: true },
  flop: { symbol: 'FLOP', factor: 1, prefixed: true },
  'flop/s': { symbol: 'FLOP/s', factor: 1, prefixed: true },
  'Gflop/s': { symbol: 'FLOP/s', factor: 1e9, prefixed: true },
  'byte/s': { symbol: 'B/s', factor: 1, prefixed: true },
  'Mbit/s': { symbol: 'bit/s', factor: 1e6, prefixed: true },
  'flop/byte': { symbol: 'FLOP/B', factor: 1, prefixed: false },
  Hz: { symbol: 'Hz', factor: 1, prefixed: true },
  joule: { symbol: 'J', factor: 1, prefixed: true },
  watt: { symbol: 'W', factor: 1, prefixed: true },
  '1/s': { symbol: '/s', factor: 1, prefixed: false },
  'item/s': { symbol: 'items/s', factor: 1, prefixed: false },
  '1': { symbol: '', factor: 1, prefixed: false },
  '': { symbol: '', factor: 1, prefixed: false },
  ratio: { symbol: '%', factor: 100, prefixed: false },
  percent: { symbol: '%', factor: 1, prefixed: false },
  '%': { symbol: '%', factor: 1, prefixed: false },
};

/** Whether a dimensionless column is a share, shown in per cent. */
export function isShare(name: string): boolean {
  return /(^|_)(share|ratio|fraction|occupancy|efficiency|variation|utili[sz]ation|gain)(_|$)/.test(name);
}

function prefixFor(values: readonly (number | null | undefined)[], { factor, largest = Infinity }: BaseUnit): [number, string] {
  const sizes: number[] = [];
  for (const value of values)
    if (typeof value === 'number' && Number.isFinite(value) && value !== 0)
      sizes.push(Math.abs(value) * factor);
  if (sizes.length === 0) return [1, ''];
  sizes.sort((a, b) => a - b);
  // The upper quartile decides, unless the largest would then need more than four digits.
  const typical = Math.max(sizes[Math.floor((sizes.length - 1) * 0.75)]!, sizes[sizes.length - 1]! / 1e4);
  return kPrefixes.find(([size]) => size <= largest && typical >= size * 0.9995) ?? kPrefixes[kPrefixes.length - 1]!;
}

/** The scale of `values`, which are in the data's `unit` ("ns", "byte", "flop/s", "ratio", ...). */
export function scaleFor(values: readonly (number | null | undefined)[], unit: string): Scale {
  const base: BaseUnit = kUnits[unit] ?? { symbol: unit, factor: 1, prefixed: false };
  const [size, letter] = base.prefixed ? prefixFor(values, base) : [1, ''];
  const factor = base.factor / size;
  const whole = (unit === '1' || unit === '')
    && values.every((value) => typeof value !== 'number' || Number.isInteger(value));
  return {
    factor,
    unit: letter + base.symbol,
    text(value) {
      if (value === null || value === undefined || !Number.isFinite(value)) return kUnknown;
      return whole ? count(value) : digits(value * factor);
    },
    full(value) {
      if (value === null || value === undefined) return 'not known';
      const suffix = unit === 'ratio' || unit === '1' ? '' : unit;
      return allDigits(value) + (suffix ? kNoBreak + suffix : '');
    },
  };
}

/** The scale of an axis: the largest value decides, so that its ticks stay short. */
export function axisScale(values: readonly (number | null | undefined)[], unit: string): Scale {
  let largest = 0;
  for (const value of values) if (typeof value === 'number') largest = Math.max(largest, Math.abs(value));
  return scaleFor([largest], unit);
}

/** One value with its own prefix and unit: "39.6 ms". */
export function quantity(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return kUnknown;
  const scale = scaleFor([value], unit);
  return scale.text(value) + (scale.unit ? kNoBreak + scale.unit : '');
}

export function duration(ns: number | null | undefined): string {
  return quantity(ns, 'ns');
}

/** An estimate, in two significant digits: "1.2 ms". */
export function coarseDuration(ns: number): string {
  // Rounded first: 996 us is 1 ms, not 1,000 us.
  const rounded = Number(ns.toPrecision(2));
  const scale = scaleFor([rounded], 'ns');
  return grouped(String(Number((rounded * scale.factor).toPrecision(2)))) + kNoBreak + scale.unit;
}

/** "2026-11-21 10:45 UTC" of an RFC 3339 text; the text itself where it is none. */
export function date(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return text;
  return time.toISOString().slice(0, 16).replace('T', ' ') + ' UTC';
}

/** "1 layer", "53 layers". */
export function plural(n: number, noun: string, nouns = noun + 's'): string {
  return count(n) + kNoBreak + (n === 1 ? noun : nouns);
}
