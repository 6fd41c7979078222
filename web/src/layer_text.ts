// A layer in the cell of a table: its place in the order and the end of its path.

/** A longer name is shown by its last parts. */
const kLongName = 28;

/** "21 BertLayer_0.Linear_3", the name alone where it is the index: "3". */
export function layerText(index: number, name: string): string {
  return String(index) === name ? name : `${index} ${endOfPath(name)}`;
}

/** The last two parts of a long path; a third where they begin with a number, which alone says nothing. */
function endOfPath(name: string): string {
  if (name.length <= kLongName) return name;
  const end = /[^./]+[./][^./]+$/.exec(name)?.[0] ?? name;
  return /^\d+[./]/.test(end) ? /[^./]+[./][^./]+[./][^./]+$/.exec(name)?.[0] ?? end : end;
}
