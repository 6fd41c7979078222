// The page of `xsp report`.
import { checkFormat, embeddedDocument } from './document_source.ts';
import { showPage } from './page_frame.ts';
import { kFormatVersion, type ReportData } from './report_data.ts';
import { ReportPage } from './report_page.ts';
import { awaitTimelineOffer } from './timeline_jump.ts';

awaitTimelineOffer();
const source = embeddedDocument<ReportData>((data) => checkFormat(data, kFormatVersion, 'the report document'));
showPage(source, (data) => `${data.title.model} \u00b7 XSP report`, ReportPage);
