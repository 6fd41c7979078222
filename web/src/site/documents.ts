// Loads the documents of a site: scripts that call xspDocument(KEY, TEXT).
import { RequestError } from '../app/data_source.ts';

const kTexts = new Map<string, string>();
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
      // Kept by the promise alone; large ones may go with it.
      kTexts.delete(key);
      if (text === undefined) failed();
      else resolve(text);
      script.remove();
    };
    document.head.append(script);
  });
}

/** The text of a document; each is loaded once. `file`: its script, KEY.js unless given. */
export function documentText(key: string, file = `${key}.js`): Promise<string> {
  let text = kLoading.get(key);
  if (!text) {
    text = load(key, file);
    kLoading.set(key, text);
  }
  return text;
}

export async function documentOf<T>(key: string): Promise<T> {
  return JSON.parse(await documentText(key)) as T;
}
