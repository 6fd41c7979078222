// Uploading files, then starting the job that imports them.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from './app_state.ts';
import { errorDocument, type ErrorDocument, type Request, type UploadProgress } from './data_source.ts';
import { useUpload } from './use_upload.ts';

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
  const { progress, error: uploadError, send, stop } = useUpload();
  const [isBusy, setBusy] = useState(false);
  const [jobError, setJobError] = useState<ErrorDocument | null>(null);
  const isLeft = useRef(false);
  useEffect(() => () => { isLeft.current = true; }, []);

  async function start(files: readonly File[], request: Request): Promise<void> {
    setBusy(true);
    setJobError(null);
    try {
      const uploads = await send(files);
      if (!uploads) return;
      const job = await app.startJob('import', { ...request, file: uploads.map(({ upload }) => upload) });
      if (!isLeft.current) app.openJob(job);
    } catch (reason) {
      setJobError(errorDocument(reason));
    } finally {
      setBusy(false);
    }
  }

  return { progress, isBusy, error: uploadError ?? jobError, start, stop };
}
