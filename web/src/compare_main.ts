// The page of `xsp compare -o`.
import { kFormatVersion, type CompareData } from './compare_data.ts';
import { ComparePage, titleOf } from './compare_page.ts';
import { checkFormat, embeddedDocument } from './document_source.ts';
import { showPage } from './page_frame.ts';

const source = embeddedDocument<CompareData>((data) => {
  checkFormat(data, kFormatVersion, 'the document');
  if (!Array.isArray(data.pairs) || data.pairs.length === 0) throw new Error('it holds no comparison');
});
showPage(source, (data) => `${titleOf(data)} \u00b7 XSP comparison`, ComparePage);
