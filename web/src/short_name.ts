// Names of kernels as people can read them: a C++ signature of 300 characters keeps its own name
// and what its template arguments tell apart. The full name belongs on hover and in downloads. The
// same rules as src/answer/wording/short_name.cc; both are tested on the same names.

/** Longest text of a short name, in characters. */
export const kShortName = 80;

const kOpen = '<({[';
const kClose = '>)}]';
const kEllipsis = '\u2026';

/** `name` in at most `most` characters; itself where it is short and no C++ signature. */
export function shortName(whole: string, most = kShortName): string {
  // What PyTorch's profiler puts before every node of a backward pass.
  const name = whole.replace(/^autograd::engine::evaluate_function: /, '');
  if (!isSignature(name)) return cut(name, most);
  const bare = withoutReturnType(withoutParameters(name));
  for (let depth = 4; depth > 1; depth -= 1) {
    const text = simplify(bare, depth);
    if (text.length <= most) return text;
  }
  const text = simplify(bare, 1);
  return text.length <= most ? text : `${text.slice(0, most - 2)}${kEllipsis}>`;
}

/** A function as a C++ demangler writes it: not an operator ("aten::mm"), not "Memcpy HtoD (...)". */
function isSignature(name: string): boolean {
  if (!isBalanced(name)) return false;
  return name.startsWith('void ') || /^\w+\(.*\)$/.test(name) || /\w</.test(name) || (name.includes('::') && /\w\(.*\)$/.test(name));
}

/** Whether `text[at]` closes or opens a bracket, and not an arrow or an operator's name. */
function bracket(text: string, at: number): number {
  const c = text[at]!;
  if (c === '>' && text[at - 1] === '-') return 0;
  return kOpen.includes(c) ? 1 : kClose.includes(c) ? -1 : 0;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    depth += bracket(text, at);
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Parts of `text` between `separator` outside of all brackets. */
function split(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    depth += bracket(text, at);
    if (depth !== 0 || !text.startsWith(separator, at)) continue;
    parts.push(text.slice(from, at));
    from = at + separator.length;
    at = from - 1;
  }
  parts.push(text.slice(from));
  return parts;
}

/** Without "(int, float*)" at the end, and what a compiler adds behind it. */
function withoutParameters(name: string): string {
  const text = name.replace(/( \[clone [^\]]*\]| const| \(\.kd\)|\.kd)+$/, '');
  if (!text.endsWith(')')) return text;
  let depth = 0;
  for (let at = text.length - 1; at > 0; at -= 1) {
    depth += bracket(text, at);
    if (depth === 0) return text.slice(at - 8, at) === 'operator' ? text : text.slice(0, at).trimEnd();
  }
  return text;
}

function withoutReturnType(text: string): string {
  const words = split(text.replaceAll(' >', '>'), ' ');
  return words[words.length - 1]!;
}

/** One name or type: its last part with template arguments down to `depth`. */
function simplify(type: string, depth: number): string {
  const text = type.trim();
  const cast = /^\([^()]*\)(-?\w+)$/.exec(text);
  if (cast) return cast[1]!;
  const parts = split(text, '::').filter((part) => !part.startsWith('(anonymous') && !part.startsWith('operator()'));
  const named = parts.filter((part) => !/^['{]?lambda/.test(part.trim()));
  const last = named[named.length - 1];
  if (last === undefined) return text;
  const [, identifier = '', pointer = ''] = /^([^<({[*&]*)(?:.*?([*&]+))?$/s.exec(withoutBrackets(last)) ?? [];
  const own = identifier.replace(/ const$/, '').trim();
  const list = templateArguments(last);
  if (own.startsWith('gpu_kernel_impl') && list.length > 0) return simplify(list[0]!, depth);
  const shown = list.length === 0 ? '' : depth === 0 ? `<${kEllipsis}>` : `<${list.map((item) => simplify(item, depth - 1)).join(', ')}>`;
  return own + shown + lambdaArguments(parts, depth) + pointer;
}

/** `text` with what stands in brackets left out. */
function withoutBrackets(text: string): string {
  let depth = 0;
  let out = '';
  for (let at = 0; at < text.length; at += 1) {
    const change = bracket(text, at);
    depth += change;
    if (depth === 0 && change === 0) out += text[at];
  }
  return out;
}

function templateArguments(text: string): string[] {
  const from = text.indexOf('<');
  if (from < 0) return [];
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    depth += bracket(text, at);
    if (depth === 0) return split(text.slice(from + 1, at), ',').filter((item) => item.trim() !== '');
  }
  return [];
}

/** What the last lambda takes: PyTorch makes one for each element type. */
function lambdaArguments(parts: readonly string[], depth: number): string {
  const last = parts[parts.length - 1] ?? '';
  const taken = /^\s*['{]?lambda\((.+)\)/.exec(last)?.[1];
  if (taken === undefined) return '';
  return `(${split(taken, ',').map((item) => simplify(item, Math.max(0, depth - 1))).join(', ')})`;
}

/** Head and tail of a plain name; of rocBLAS's the tile, which tells them apart. */
function cut(name: string, most: number): string {
  if (name.length <= most) return name;
  const tile = /_(MT\d[^_]*)/.exec(name);
  if (name.startsWith('Cijk_') && tile) return `${name.slice(0, Math.min(tile.index, 26))}${kEllipsis}${tile[1]!}${kEllipsis}`;
  const tail = Math.floor(most / 4);
  return name.slice(0, most - tail - 1) + kEllipsis + name.slice(name.length - tail);
}
