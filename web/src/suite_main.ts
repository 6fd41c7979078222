// The page of `xsp suite`.
import { embeddedDocument } from './document_source.ts';
import { showPage } from './page_frame.ts';
import type { SuiteData } from './suite_data.ts';
import { SuitePage } from './suite_page.ts';

const source = embeddedDocument<SuiteData>((data) => {
  if (!Array.isArray(data.answers) || data.answers.length === 0) throw new Error('it holds no answer');
});
showPage(source, (data) => `${data.title} \u00b7 XSP suite`, SuitePage);
