// Where a page gets its document from. A page that holds it reads it at once, so that it is drawn with the first paint;
// one that asks a server or a file for it returns a promise.

export interface DocumentSource<Document> {
  /** Throws, or rejects, with an error whose message says what is wrong with the document. */
  read(): Document | Promise<Document>;
}

/** The document in <script type="application/json" id="report-data"> of this page. */
export function embeddedDocument<Document>(check: (document: Document) => void): DocumentSource<Document> {
  return {
    read() {
      const data = JSON.parse(document.getElementById('report-data')?.textContent ?? '') as Document;
      check(data);
      return data;
    },
  };
}

/** Of a document that names the version of its format. */
export function checkFormat(document: { format_version: number }, read: number, what: string): void {
  if (document.format_version !== read) throw new Error(`this page reads format ${read} of ${what}; it holds format ${document.format_version}`);
}
