// Loads the documents of a site: scripts that call xspDocument(KEY, TEXT).
import { RequestError } from '../app/data_source.ts';

/** Texts that are kept, the last used ones: a walk through a large site must not fill the memory. */
const kMostKept = 16;

const kTexts = new Map<string, string>();
/** By key, the last used one last. */
const kLoading = new Map<string, Promise<string>>();

/** Before the first document is loaded. */
export function receiveDocuments(): void {
  (globalThis as unknown as { xspDocument: (key: string, text: string) => void }).xspDocument = (key, text) => { kTexts.set(key, text); };
}

/** One that a script of index.html gave. */
export function givenText(key: string): string | undefined {
  return kTexts.get(key);
}

function load(key: string, file: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const failed = (): void => {
      script.remove();
      kLoading.delete(key);
      reject(new RequestError({ kind: 'environment', what: 'This part of the site cannot be loaded', hint: 'If the site was published again since you opened it, reload the page. A copied site needs all of its folders.' }));
    };
    script.src = file;
    script.onerror = failed;
    script.onload = () => {
      const text = kTexts.get(key);
      // Kept by the promise alone, which goes when others were used since.
      kTexts.delete(key);
      if (text === undefined) failed();
      else resolve(text);
      script.remove();
    };
    document.head.append(script);
  });
}

/** The text of a document, loaded unless it is among the last used ones. `file`: its script, KEY.js unless given. */
export function documentText(key: string, file = `${key}.js`): Promise<string> {
  const text = kLoading.get(key) ?? load(key, file);
  kLoading.delete(key);
  kLoading.set(key, text);
  for (const oldest of kLoading.keys()) {
    if (kLoading.size <= kMostKept) break;
    kLoading.delete(oldest);
  }
  return text;
}

export async function documentOf<T>(key: string): Promise<T> {
  return JSON.parse(await documentText(key)) as T;
}
