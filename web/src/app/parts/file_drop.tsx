// Choosing files: by a button, or by dropping them.
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { quantity } from '../../format.ts';
import { withFiles } from '../upload_list.ts';

interface Properties {
  files: readonly File[];
  isDisabled: boolean;
  onChange: (files: File[]) => void;
}

export function FileDrop({ files, isDisabled, onChange }: Properties): VNode {
  const [isOver, setOver] = useState(false);
  const add = (more: FileList | null | undefined): void => onChange(withFiles(files, more ?? []));
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    if (!isDisabled) add(event.dataTransfer?.files);
  };
  return (
    <>
      <div class={`drop ${isOver ? 'over' : ''}`} onDragOver={(event) => { event.preventDefault(); setOver(true); }} onDragLeave={() => setOver(false)} onDrop={onDrop}>
        <label for="files">Drop the files of one execution here, or choose them:</label>
        <input id="files" type="file" multiple disabled={isDisabled} onChange={(event) => { add(event.currentTarget.files); event.currentTarget.value = ''; }} />
      </div>
      {files.length > 0 && (
        <ul class="plain files" aria-label="Files to import">
          {files.map((file) => (
            <li><bdi>{file.name}</bdi> <span class="note">{quantity(file.size, 'byte')}</span>
              <button type="button" disabled={isDisabled} aria-label={`Leave out ${file.name}`} onClick={() => onChange(files.filter((other) => other !== file))}>Leave out</button></li>
          ))}
        </ul>
      )}
    </>
  );
}
