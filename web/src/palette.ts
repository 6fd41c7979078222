// Colours of layer types, the same everywhere on the page. The seven hues are those of Okabe and
// Ito (Color Universal Design, 2008), told apart with every common colour vision deficiency; the
// yellow is darkened so that it holds on white. Types beyond seven share one grey.

export const kHues = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#56b4e9', '#cc79a7', '#cdb92a'];
export const kOther = '#8f9aa3';

export class Palette {
  private readonly colours = new Map<string, string>();
  readonly types: readonly string[];

  /** `types` in order of importance: the first seven get a hue of their own. */
  constructor(types: readonly string[]) {
    this.types = types;
    types.forEach((type, index) => {
      this.colours.set(type, kHues[index] ?? kOther);
    });
  }

  of(type: string | null): string {
    return this.colours.get(type ?? '') ?? kOther;
  }

  /** Types with a hue of their own. */
  get named(): readonly string[] {
    return this.types.slice(0, kHues.length);
  }

  get rest(): readonly string[] {
    return this.types.slice(kHues.length);
  }
}

/** Black or white, whichever reads better on `colour` (#rrggbb), by WCAG 2 relative luminance. */
export function inkOn(colour: string): string {
  const channel = (at: number): number => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? '#10161b' : '#ffffff';
}
