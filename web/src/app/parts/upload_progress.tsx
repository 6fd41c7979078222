// How much of an upload has been sent, and a button that stops it.
import type { VNode } from 'preact';
import { quantity } from '../../format.ts';
import type { UploadProgress as Progress } from '../data_source.ts';
import { ProgressBar } from './progress_bar.tsx';

export function UploadProgress({ progress, onStop }: { progress: Progress; onStop: () => void }): VNode {
  return (
    <div class="job-progress">
      <ProgressBar label="Upload" fraction={progress.bytes > 0 ? progress.sent / progress.bytes : null} />
      <span>{quantity(progress.sent, 'byte')} of {quantity(progress.bytes, 'byte')} sent</span>
      <button type="button" onClick={onStop}>Stop the upload</button>
    </div>
  );
}
