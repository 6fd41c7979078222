// Text whose lines do not break between a number and its unit.

const kPrefixed = '[kMGTPEm\u00b5un]?(?:s|B|bit|FLOP|Hz|W|J)|[KMGT]iB';
const kSpace = new RegExp(`(?<=\\d) (?=(?:%|\u00b0C|min|h|FLOP/B|(?:${kPrefixed}|images|items|samples|tokens|calls)(?:/s)?)(?![\\w/]))`, 'gu');
/** These are words where they are no rate. */
const kWords = /\u00a0(?=(?:images|items|samples|tokens|calls)(?!\/s))/gu;

/** `text` with spaces that do not break before units: "21.0 %", "3 GB/s". */
export function unbrokenUnits(text: string): string {
  return text.replace(kSpace, '\u00a0').replace(kWords, ' ');
}
