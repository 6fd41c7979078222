// The switch of colours, which this browser remembers.
import type { VNode } from 'preact';
import { ThemeButton } from '../../page_frame.ts';

const kKey = 'xsp-theme';

/** Before the first part of the page is drawn. Storage may be forbidden: the setting of the system then applies. */
export function restoreTheme(): void {
  try {
    const theme = localStorage.getItem(kKey);
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  } catch {
    // The switch works without it.
  }
}

function remember(theme: 'light' | 'dark'): void {
  try {
    localStorage.setItem(kKey, theme);
  } catch {
    // As above.
  }
}

export function ThemeSwitch(): VNode {
  return <ThemeButton onSwitch={remember} />;
}
