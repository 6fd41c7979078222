// The answer of a comparison in sentences, from the document of `xsp compare`.
import { digits, duration } from '../format.ts';

export interface ComparedSide {
  name: string;
  total_ns: number;
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

function ratioText({ ratio, low, high, ratio_of }: Comparison): string {
  if (ratio === null || ratio === undefined) return '';
  const interval = typeof low === 'number' && typeof high === 'number' ? `, 95\u00a0% interval ${digits(low)} to ${digits(high)}` : '';
  return ` (ratio of ${ratio_of === 'latency' ? 'latencies' : 'times'} ${digits(ratio)}${interval})`;
}

/** The ratio of latencies is one of typical calls: it may differ from that of the means, which the next sentence has. */
function unknownNoise({ ratio, ratio_of }: Comparison, a: string, b: string): string {
  if (typeof ratio !== 'number') return `${a} and ${b} differ`;
  return `${ratio_of === 'latency' ? `A typical call of ${b}` : b} takes ${digits(ratio)} times as long as ${ratio_of === 'latency' ? `one of ${a}` : a}`;
}

function verdict(pair: Comparison, a: string, b: string): string {
  switch (pair.verdict) {
    case 'faster': return `${b} is faster than ${a}${ratioText(pair)}.`;
    case 'slower': return `${b} is slower than ${a}${ratioText(pair)}.`;
    case 'no_difference': return `No difference was found between ${a} and ${b}${ratioText(pair)}.`;
    case 'equivalent': return `${a} and ${b} are equivalent within the bound${ratioText(pair)}.`;
    case 'unknown_noise': return `${unknownNoise(pair, a, b)}; whether that is noise is not known.`;
    default: return sentence(pair.reason ?? `${a} and ${b} cannot be compared`);
  }
}

function sentencesOfPair(pair: Comparison): string[] {
  const [a, b] = pair.sides ?? [];
  if (!a || !b) return [];
  const sentences = [verdict(pair, a.name, b.name)];
  sentences.push(`${pair.basis === 'device' ? 'Device work' : 'Mean time'} per model call: ${duration(a.total_ns)} and ${duration(b.total_ns)}.`);
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
