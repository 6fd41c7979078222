// The answer of a comparison in sentences, from the document of `xsp compare`.
import { digits, duration } from '../format.ts';

export interface ComparedSide {
  name: string;
  /** Mean per model call, of the basis of the comparison. */
  total_ns: number;
  /** Duration of a model call. */
  wall_ns?: number;
}

/** The parts of the document that the sentences use. */
export interface Comparison {
  sides?: ComparedSide[];
  verdict?: string;
  ratio?: number | null;
  low?: number | null;
  high?: number | null;
  ratio_of?: string;
  basis?: string;
  reason?: string | null;
  comparable?: { verdict: string; without_layers?: string | null; differences: { what: string; a: string; b: string; matters: boolean }[] };
  /** Where there are more than two sides. */
  pairs?: Comparison[];
}

/** Text as a sentence: a capital and a full stop. */
function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[.!?]$/.test(trimmed) ? '' : '.');
}

/** Whether the ratio is one of device times: less of it is not a shorter call. */
function isOfDevice({ ratio_of, basis }: Comparison): boolean {
  return basis === 'device' && ratio_of !== 'latency';
}

function ratioText(pair: Comparison): string {
  const { ratio, low, high, ratio_of } = pair;
  if (ratio === null || ratio === undefined) return '';
  const interval = typeof low === 'number' && typeof high === 'number' ? `, 95\u00a0% interval ${digits(low)} to ${digits(high)}` : '';
  return ` (ratio of ${ratio_of === 'latency' ? 'latencies' : isOfDevice(pair) ? 'device times' : 'times'} ${digits(ratio)}${interval})`;
}

/** The ratio of latencies is one of typical calls: it may differ from that of the means, which the next sentence has. */
function unknownNoise(pair: Comparison, a: string, b: string): string {
  const { ratio, ratio_of } = pair;
  if (typeof ratio !== 'number') return `${a} and ${b} differ`;
  if (isOfDevice(pair)) return `${b} takes ${digits(ratio)} times the device time of ${a}`;
  return `${ratio_of === 'latency' ? `A typical call of ${b}` : b} takes ${digits(ratio)} times as long as ${ratio_of === 'latency' ? `one of ${a}` : a}`;
}

function verdict(pair: Comparison, a: string, b: string): string {
  switch (pair.verdict) {
    case 'faster': return `${b} ${isOfDevice(pair) ? 'takes less device time' : 'is faster'} than ${a}${ratioText(pair)}.`;
    case 'slower': return `${b} ${isOfDevice(pair) ? 'takes more device time' : 'is slower'} than ${a}${ratioText(pair)}.`;
    case 'no_difference': return `No difference was found between ${a} and ${b}${ratioText(pair)}.`;
    case 'equivalent': return `${a} and ${b} are equivalent within the bound${ratioText(pair)}.`;
    case 'unknown_noise': return `${unknownNoise(pair, a, b)}; whether that is noise is not known.`;
    default: return sentence(pair.reason ?? `${a} and ${b} cannot be compared`);
  }
}

/** "Device work per model call: 1.00 ms and 2.00 ms; wall time 4.00 ms and 3.00 ms." */
function timesText({ basis }: Comparison, a: ComparedSide, b: ComparedSide): string {
  if (basis !== 'device') return `Mean time per model call: ${duration(a.total_ns)} and ${duration(b.total_ns)}.`;
  const wall = a.wall_ns === undefined || b.wall_ns === undefined ? '' : `; wall time ${duration(a.wall_ns)} and ${duration(b.wall_ns)}`;
  return `Device work per model call: ${duration(a.total_ns)} and ${duration(b.total_ns)}${wall}.`;
}

function sentencesOfPair(pair: Comparison): string[] {
  const [a, b] = pair.sides ?? [];
  if (!a || !b) return [];
  const sentences = [verdict(pair, a.name, b.name)];
  sentences.push(timesText(pair, a, b));
  if (pair.reason && pair.verdict !== 'inconclusive') sentences.push(sentence(pair.reason));
  for (const difference of pair.comparable?.differences ?? [])
    if (difference.matters) sentences.push(`The sides differ in ${difference.what}: ${difference.a} and ${difference.b}.`);
  if (pair.comparable?.without_layers) sentences.push(sentence(pair.comparable.without_layers));
  return sentences;
}

/** Most important first. */
export function comparisonSentences(document: Comparison): string[] {
  return (document.pairs?.length ? document.pairs : [document]).flatMap(sentencesOfPair);
}
