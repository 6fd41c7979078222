// A part of a page that shows a document: that it loads, why it failed, or the document.
import type { ComponentChildren, VNode } from 'preact';
import type { UsedDocument } from '../use_document.ts';
import { ErrorMessage } from './error_message.tsx';

interface Properties<T> {
  /** What loads: "the experiments". */
  what: string;
  used: UsedDocument<T>;
  children: (document: T) => ComponentChildren;
}

export function Loading<T>({ what, used: { loaded, again }, children }: Properties<T>): VNode {
  switch (loaded.state) {
    case 'loading': return <p class="note" role="status">Loading {what}…</p>;
    case 'failed': return <ErrorMessage error={loaded.error} again={again} />;
    case 'ready': return <>{children(loaded.document)}</>;
  }
}
