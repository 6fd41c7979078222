// A button that puts a text of the page on the clipboard.
import { h } from './dom.ts';

/** `what` it copies, for screen readers: "the command". */
export function copyButton(what: string, text: string): HTMLElement {
  const button = h('button', { type: 'button', class: 'copy', 'aria-label': `Copy ${what}` }, 'Copy');
  button.addEventListener('click', () => {
    void navigator.clipboard?.writeText(text).then(() => {
      button.textContent = 'Copied';
      button.setAttribute('aria-label', `Copied ${what}`);
    });
  });
  return button;
}
