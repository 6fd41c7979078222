// A model file of the user, sent to the server to be measured there.
import type { VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { quantity } from '../../format.ts';
import type { Upload } from '../data_source.ts';
import { useUpload } from '../use_upload.ts';
import { ErrorMessage } from './error_message.tsx';
import { UploadProgress } from './upload_progress.tsx';

interface Properties {
  /** The one that is chosen; null: none. */
  uploaded: Upload | null;
  onUpload: (upload: Upload) => void;
}

export function ModelUpload({ uploaded, onUpload }: Properties): VNode {
  const { progress, error, send, stop } = useUpload();
  const input = useRef<HTMLInputElement>(null);
  // The element names the file that it was given, also after another model was chosen.
  const forget = (): void => { if (input.current) input.current.value = ''; };
  useLayoutEffect(() => { if (!uploaded) forget(); }, [uploaded === null]);
  async function onFile(file: File | undefined): Promise<void> {
    const [upload] = file ? await send([file]) ?? [] : [];
    if (upload) onUpload(upload);
    else forget();
  }
  return (
    <div class="field">
      <label for="model-upload">Or a model file of yours</label>
      <input id="model-upload" ref={input} type="file" disabled={progress !== null} aria-describedby="model-upload-note" onChange={(event) => { void onFile(event.currentTarget.files?.[0]); }} />
      {progress && <UploadProgress progress={progress} onStop={stop} />}
      {error && <ErrorMessage error={error} />}
      <p class="note" id="model-upload-note" aria-live="polite">
        {uploaded ? <>Chosen: <bdi>{uploaded.name}</bdi>, {quantity(uploaded.bytes, 'byte')}, on the server for a day.</>
          : 'A model in one file, such as .onnx or .pt. It stays on the server for a day.'}
      </p>
    </div>
  );
}
