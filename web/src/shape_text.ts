// Shapes of tensors as recorded: "[[4,197,768],[],[768],[768]]" is one list an input, empty for what
// is no tensor.

const kMostShown = 5;

/** "[4, 197, 768], [768] × 2"; null where no tensor is in it; a text that is no shape as it is. */
export function shapeText(text: string | null): string | null {
  if (text === null || !/^\[[[\]\d,\s-]*\]$/.test(text)) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const found: { shape: string; times: number }[] = [];
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const item = stack.pop();
    if (!Array.isArray(item) || item.length === 0) continue;
    if (!item.some((part) => Array.isArray(part))) {
      const shape = `[${item.join(', ')}]`;
      const last = found.at(-1);
      if (last?.shape === shape) last.times += 1;
      else found.push({ shape, times: 1 });
    } else stack.push(...[...item].reverse());
  }
  if (found.length === 0) return null;
  const shown = found.slice(0, kMostShown).map(({ shape, times }) => (times === 1 ? shape : `${shape} \u00d7 ${times}`));
  return shown.join(', ') + (found.length > kMostShown ? `, \u2026 ${found.length - kMostShown} more` : '');
}
