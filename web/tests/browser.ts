// A page made of a document, in a real Chromium.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import type { CompareData } from '../src/compare_data.ts';
import type { ReportData } from '../src/report_data.ts';
import type { SuiteData } from '../src/suite_data.ts';

/** web/, from dist/test/tests/ where this runs. */
export const kWeb = fileURLToPath(new URL('../../..', import.meta.url));

/** The browser: $CHROMIUM, else where Debian and others put it, the one that has no windows first; null: none here. */
export function chromiumPath(): string | null {
  return [process.env['CHROMIUM'], '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
    .find((path): path is string => path !== undefined && path !== '' && existsSync(path)) ?? null;
}

export type PageData = ReportData | SuiteData | CompareData;

/** As src/answer/report/html.cc fills a page. */
export function filledPage(data: PageData): string {
  const name = 'answers' in data ? 'suite.html' : 'pairs' in data ? 'compare.html' : 'report.html';
  const template = readFileSync(join(kWeb, 'dist', name), 'utf8');
  const text = JSON.stringify(data).replaceAll('<', '\\u003c');
  return template.replace('__XSP_REPORT_DATA__', () => text);
}

export interface OpenOptions {
  width?: number;
  height?: number;
  dark?: boolean;
}

/** One browser with a profile of its own; close() ends it and removes what it wrote. */
export class Browser {
  private readonly folder = mkdtempSync(join(tmpdir(), 'xsp-web-'));
  private context: BrowserContext | null = null;
  private files = 0;

  async start(): Promise<void> {
    this.context = await chromium.launchPersistentContext(join(this.folder, 'profile'), {
      executablePath: chromiumPath()!,
      headless: true,
      // One process draws all pages, which are opened one after another: a new one for each takes half as much CPU time again.
      args: ['--no-sandbox', '--disable-gpu', '--in-process-gpu', '--renderer-process-limit=1', '--disable-quic', '--no-first-run',
        '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    });
  }

  async close(): Promise<void> {
    await this.context?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Opens a report; what goes wrong in it is collected in `problems`. */
  async open(data: PageData, options: OpenOptions = {}): Promise<{ page: Page; problems: string[]; requests: string[] }> {
    const file = join(this.folder, `report-${(this.files += 1)}.html`);
    writeFileSync(file, filledPage(data));
    return this.openFile(file, options);
  }

  async openFile(file: string, options: OpenOptions = {}): Promise<{ page: Page; problems: string[]; requests: string[] }> {
    return this.openAddress(pathToFileURL(file).href, options);
  }

  async openAddress(address: string, options: OpenOptions = {}): Promise<{ page: Page; problems: string[]; requests: string[] }> {
    const page = await this.context!.newPage();
    const problems: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
    });
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('dialog', (dialog) => {
      problems.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (request) => {
      if (!/^(file|data|blob):/.test(request.url())) requests.push(request.url());
    });
    await page.emulateMedia({ colorScheme: options.dark ? 'dark' : 'light' });
    await page.setViewportSize({ width: options.width ?? 1280, height: options.height ?? 900 });
    await page.goto(address, { waitUntil: 'load' });
    return { page, problems, requests };
  }
}

/** Waits until every chart of the analyses is drawn (or has failed). */
export async function chartsDrawn(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const bodies = [...document.querySelectorAll('.analysis-body')];
    return bodies.every((body) => body.childElementCount > 0)
      && [...document.querySelectorAll('figure:not([hidden]) > .vega')].every((host) => /drawn|failed/.test((host as HTMLElement).dataset['state'] ?? ''));
  }, undefined, { timeout: 30_000 });
}
