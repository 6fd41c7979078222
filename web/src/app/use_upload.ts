// Sending files to the server, one after another.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from './app_state.ts';
import { errorDocument, type ErrorDocument, type Upload, type UploadProgress } from './data_source.ts';
import { totalProgress } from './upload_list.ts';
import { wasStopped } from './use_document.ts';

export interface UsedUpload {
  /** Of all files; null: nothing is uploaded now. */
  progress: UploadProgress | null;
  error: ErrorDocument | null;
  /** What they are called in requests, in their order; null: it was stopped, or failed. */
  send: (files: readonly File[]) => Promise<Upload[] | null>;
  stop: () => void;
}

export function useUpload(): UsedUpload {
  const app = useApp();
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const [error, setError] = useState<ErrorDocument | null>(null);
  const stopper = useRef<AbortController | null>(null);
  // A page that is left takes its upload with it.
  useEffect(() => () => stopper.current?.abort(), []);

  async function send(files: readonly File[]): Promise<Upload[] | null> {
    const stop = new AbortController();
    stopper.current = stop;
    setError(null);
    const sizes = files.map(({ size }) => size);
    const uploads: Upload[] = [];
    try {
      for (const [index, file] of files.entries()) {
        const show = (part: UploadProgress): void => setProgress(totalProgress(sizes, index, part));
        show({ sent: 0, bytes: file.size });
        uploads.push(await app.source.upload(file, show, stop.signal));
      }
      return stop.signal.aborted ? null : uploads;
    } catch (reason) {
      if (!wasStopped(reason)) setError(errorDocument(reason));
      return null;
    } finally {
      setProgress(null);
    }
  }

  return { progress, error, send, stop: () => stopper.current?.abort() };
}
