// Short names of the sides and of the lines of the batch chart, that tell them apart.

/** What can tell several apart, the most telling first. */
export type Traits = readonly (string | null)[];

/** Of each the traits that are needed to tell all apart; equal ones get a number. */
export function labels(all: readonly Traits[]): string[] {
  const count = Math.max(0, ...all.map((traits) => traits.length));
  const chosen: number[] = [];
  const text = (traits: Traits): string => chosen.map((index) => traits[index]).filter(Boolean).join(', ');
  for (let index = 0; index < count; index += 1) {
    if (chosen.length > 0 && new Set(all.map(text)).size === all.length) break;
    const before = new Set(all.map(text)).size;
    chosen.push(index);
    // A trait that tells nothing more apart is left out.
    if (new Set(all.map(text)).size === before) chosen.pop();
  }
  if (chosen.length === 0 && count > 0) chosen.push(0);
  const texts = all.map(text);
  return texts.map((own, index) => {
    if (texts.indexOf(own) === texts.lastIndexOf(own)) return own;
    return `${own} (${texts.slice(0, index + 1).filter((other) => other === own).length})`;
  });
}

/** Paths without the folders, and the name of the file, that all have: "h100" of ".../h100/a.json.gz" and
    ".../mi300/a.json.gz". Selectors behind # are left out. */
export function shortPaths(names: readonly string[]): string[] {
  const paths = names.map((name) => withoutSelector(name).split('/').filter((part) => part !== ''));
  if (new Set(paths.map((path) => path.join('/'))).size < 2) return paths.map((path) => withoutEnding(path.at(-1) ?? ''));
  const shortest = Math.min(...paths.map((path) => path.length));
  const same = (at: (path: string[]) => string | undefined): boolean => paths.every((path) => at(path) === at(paths[0]!));
  let head = 0;
  while (head < shortest - 1 && same((path) => path[head])) head += 1;
  let tail = 0;
  while (tail < shortest - head - 1 && same((path) => path[path.length - 1 - tail])) tail += 1;
  return paths.map((path) => withoutEnding(path.slice(head, path.length - tail).join('/')));
}

function withoutSelector(name: string): string {
  return name.replace(/#(?:(?:batch|backend|device|precision|model|point)=[^,#]*,?)+$/, '');
}

function withoutEnding(name: string): string {
  return name.replace(/(\.pt\.trace)?\.(json|jsonl|csv|sqlite|pb|xspr)?(\.gz|\.zip)?$/, '') || name;
}
