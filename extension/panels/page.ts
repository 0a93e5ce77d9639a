// The page of a panel as its webview gets it: the built page with the webview's own addresses, a policy that lets it run nothing but
// its own script, and the name of the panel. Pure.

import type { PanelName } from '../../runtime/protocol/panels.ts';

export interface Around {
  /** The address of a file of the built pages. */
  readonly address: (file: string) => string;
  /** What VS Code calls the origin of such addresses in a policy. */
  readonly source: string;
  /** New for each page, and not to be guessed. */
  readonly nonce: string;
  readonly panel: PanelName;
  /** The language that VS Code speaks. */
  readonly language: string;
  /** In whose name it annotates, where that is known. */
  readonly who: string | undefined;
}

export function pageOf(html: string, { address, source, nonce, panel, language, who }: Around): string {
  return html
    .replace(/<html\b[^>]*>/, `<html lang="${language}">`)
    .replace(
      /<head>/,
      `<head>\n    <meta http-equiv="Content-Security-Policy" content="${policyOf(source, nonce)}" />`,
    )
    .replace(/\b(href|src)="\/([^"]*)"/g, (_, name: string, file: string) => `${name}="${address(file)}"`)
    .replace(/<script\b/g, `<script nonce="${nonce}"`)
    .replace(/<body\b/, () => `<body data-host="editor" data-panel="${panel}"${signed(who)}`);
}

const signed = (who: string | undefined): string =>
  who === undefined ? '' : ` data-who="${who.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;

/** Styles of its own may stand in the page, since VS Code puts its theme there. No network whatsoever. */
const policyOf = (source: string, nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${source} 'unsafe-inline'`,
    `font-src ${source}`,
    `img-src ${source} blob:`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
