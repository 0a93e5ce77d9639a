import { expect, test } from 'vitest';
import { panelHtml } from '../../../extension/panels/page.ts';

const HTML = `<!doctype html>
<html lang="en">
  <head>
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/panels.css" />
    <script type="module" src="/panels.js"></script>
  </head>
  <body class="page">
    <a href="#/training">Training</a>
  </body>
</html>`;

const options = {
  address: (file: string) => `https://webview.test/dist/${file}`,
  cspSource: 'https://webview.test',
  nonce: 'a-nonce',
  panel: 'uncertain',
  userName: undefined,
} as const;
const page = panelHtml(HTML, options);

test('replaces the addresses of its files and keeps other links', () => {
  const addresses = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses).toEqual([
    'https://webview.test/dist/icon.svg',
    'https://webview.test/dist/panels.css',
    'https://webview.test/dist/panels.js',
    '#/training',
  ]);
});

test('names the panel, the host and the language of its texts', () => {
  expect(page).toContain('<body data-host="editor" data-panel="uncertain" class="page">');
  expect(page).toContain('<html lang="en">');
});

test('names the annotator and escapes the name', () => {
  expect(panelHtml(HTML, { ...options, userName: 'Ada "$&" <L>' })).toContain(
    'data-panel="uncertain" data-who="Ada &quot;$&amp;&quot; <L>" class="page">',
  );
});

test('allows only its own script and no network', () => {
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  const rules = new Map(policy.split('; ').map(rule => [rule.split(' ')[0], rule.split(' ').slice(1)]));
  expect(rules.get('default-src')).toEqual(["'none'"]);
  expect(rules.get('script-src')).toEqual(["'nonce-a-nonce'"]);
  expect(rules.has('connect-src')).toBe(false);
  expect(page).toContain('<script nonce="a-nonce" type="module"');
  // A policy applies only to what follows it.
  expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('stylesheet'));
});
