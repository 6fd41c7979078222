// Asks before something that cannot be undone.
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Properties {
  title: string;
  /** On the button that goes on: "Remove". */
  action: string;
  /** On the other one; "Cancel" may be what is asked. */
  refusal?: string;
  children: ComponentChildren;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({ title, action, refusal = 'Cancel', children, onConfirm, onClose }: Properties): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => (before as HTMLElement | null)?.focus?.();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onClose={onClose}>
      <h2 id="dialog-title">{title}</h2>
      {children}
      <div class="controls">
        <button type="button" class="primary" onClick={onConfirm}>{action}</button>
        <button type="button" onClick={() => dialog.current?.close()}>{refusal}</button>
      </div>
    </dialog>
  );
}
