// The HTML of a panel: the built page with the addresses of its webview, a Content Security Policy that
// allows only its own script, and attributes for the page. Pure.

import type { PanelName } from '../../runtime/protocol/panels.ts';

export interface WebviewPage {
  /** The webview address of a file in the folder of built pages. */
  readonly address: (file: string) => string;
  /** The origin of these addresses in a policy. */
  readonly cspSource: string;
  /** Random, new for each page. */
  readonly nonce: string;
  readonly panel: PanelName;
  /** The name under which the page annotates. */
  readonly userName: string | undefined;
}

export function panelHtml(html: string, { address, cspSource, nonce, panel, userName }: WebviewPage): string {
  return html
    .replace(
      /<head>/,
      `<head>\n    <meta http-equiv="Content-Security-Policy" content="${contentPolicy(cspSource, nonce)}" />`,
    )
    .replace(/\b(href|src)="\/([^"]*)"/g, (_, name: string, file: string) => `${name}="${address(file)}"`)
    .replace(/<script\b/g, `<script nonce="${nonce}"`)
    .replace(/<body\b/, () => `<body data-host="editor" data-panel="${panel}"${userAttribute(userName)}`);
}

const userAttribute = (name: string | undefined): string =>
  name === undefined ? '' : ` data-who="${name.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;

/** Inline styles are allowed because VS Code adds its theme to the page. No source allows a network. */
const contentPolicy = (cspSource: string, nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'unsafe-inline'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} blob:`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
