// The one choice that drives the page: which point (batch size) sections 3 and 5 to 8 show.

type Listener = (pointId: number) => void;

export class Selection {
  private listeners: Listener[] = [];
  private current: number;

  constructor(pointId: number) {
    this.current = pointId;
  }

  get pointId(): number {
    return this.current;
  }

  choose(pointId: number): void {
    if (pointId === this.current) return;
    this.current = pointId;
    for (const listener of this.listeners) listener(pointId);
  }

  /** Calls `listener` on every change. */
  onChange(listener: Listener): void {
    this.listeners.push(listener);
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
