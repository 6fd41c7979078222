// The one choice that drives the page, and when its colours change.
import { signal } from '@preact/signals';

/** Which point (batch size) the sections show. A component that reads it is drawn again when it changes. */
export class Selection {
  private readonly chosen;

  constructor(pointId: number) {
    this.chosen = signal(pointId);
  }

  get pointId(): number {
    return this.chosen.value;
  }

  choose(pointId: number): void {
    this.chosen.value = pointId;
  }
}

const redraws: (() => void)[] = [];

/** Calls `redraw` whenever colours change: theme, system setting, printing. Returns a function that ends this. */
export function onTheme(redraw: () => void): () => void {
  redraws.push(redraw);
  return () => {
    redraws.splice(redraws.indexOf(redraw), 1);
  };
}

export function themeChanged(): void {
  for (const redraw of redraws) redraw();
}
