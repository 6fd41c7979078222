// Uploading files, then starting the job that imports them.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from './app_state.ts';
import { errorDocument, type ErrorDocument, type Request, type UploadProgress } from './data_source.ts';
import { totalProgress } from './upload_list.ts';
import { wasStopped } from './use_document.ts';

export interface UsedImport {
  /** Of all files; null: nothing is uploaded now. */
  progress: UploadProgress | null;
  isBusy: boolean;
  error: ErrorDocument | null;
  start: (files: readonly File[], request: Request) => Promise<void>;
  stop: () => void;
}

export function useImport(): UsedImport {
  const app = useApp();
  const [progress, setProgress] = useState<UploadProgress | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorDocument | null>(null);
  const stopper = useRef<AbortController | null>(null);
  // A page that is left takes its upload with it.
  useEffect(() => () => stopper.current?.abort(), []);

  async function uploadAll(files: readonly File[], stop: AbortSignal): Promise<string[]> {
    const sizes = files.map(({ size }) => size);
    const names: string[] = [];
    for (const [index, file] of files.entries()) {
      const show = (part: UploadProgress): void => setProgress(totalProgress(sizes, index, part));
      show({ sent: 0, bytes: file.size });
      names.push((await app.source.upload(file, show, stop)).upload);
    }
    return names;
  }

  async function start(files: readonly File[], request: Request): Promise<void> {
    const stop = new AbortController();
    stopper.current = stop;
    setBusy(true);
    setError(null);
    try {
      const uploads = await uploadAll(files, stop.signal);
      setProgress(null);
      const job = await app.startJob('import', { ...request, file: uploads });
      if (!stop.signal.aborted) app.openJob(job);
    } catch (reason) {
      if (!wasStopped(reason)) setError(errorDocument(reason));
    } finally {
      setProgress(null);
      setBusy(false);
    }
  }

  return { progress, isBusy, error, start, stop: () => stopper.current?.abort() };
}
