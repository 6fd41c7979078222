// The document of a page of `xsp suite`, in <script type="application/json" id="report-data">.
// src/answer/suite/answer_json.cc writes an answer, src/app/cli/suite_command.cc the document.
//
// As in report_data.ts: null is "not known", numbers are not rounded, texts are plain and never read
// as markup, `backticks` mark code.
import type { Cell } from './report_data.ts';

export interface SuiteData {
  title: string;
  /** In the order in which they are read; at least one. */
  answers: Answer[];
}

export interface Answer {
  /** The command's name: "similarity". Unique on the page. */
  answer: string;
  title: string;
  /** Most important first. */
  sentences: string[];
  /** How it was computed, and what was done with input that is incomplete. */
  method: string[];
  tables: AnswerTable[];
  charts: AnswerChart[];
}

export interface AnswerTable {
  /** Unique in the answer. */
  id: string;
  title: string;
  columns: AnswerColumn[];
  /** One object a row, its cells by the names of the columns. */
  rows: Record<string, Cell>[];
}

export interface AnswerColumn {
  name: string;
  /** "ns", "byte", "%", "MB", "1"; "" for text and where a user's table does not say. */
  unit: string;
  help: string;
  provenance: string;
}

export interface AnswerChart {
  id: string;
  title: string;
  /** The id of the table that is its data "rows"; "": the data lies in `spec`. */
  table: string;
  /** Vega-Lite; null where the command wrote none that can be read. */
  spec: Record<string, unknown> | null;
}
