// The files of an import: chosen, then uploaded one after another.
import type { UploadProgress } from './data_source.ts';

/** All bytes, where `progress` has those of the file that is uploaded now, number `index`. */
export function totalProgress(sizes: readonly number[], index: number, progress: UploadProgress): UploadProgress {
  const before = sizes.slice(0, index).reduce((sum, size) => sum + size, 0);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  // What is sent has headers of its own, so that it may be more than the file.
  return { sent: Math.min(before + Math.min(progress.sent, progress.bytes), bytes), bytes };
}

/** `files` and `more`: a file of the same name and size counts once. */
export function withFiles(files: readonly File[], more: Iterable<File>): File[] {
  const all = [...files];
  for (const file of more)
    if (!all.some((known) => known.name === file.name && known.size === file.size)) all.push(file);
  return all;
}
