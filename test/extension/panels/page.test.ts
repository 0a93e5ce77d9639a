import { expect, test } from 'vitest';
import { pageOf } from '../../../extension/panels/page.ts';

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

const around = {
  address: (file: string) => `https://webview.test/dist/${file}`,
  source: 'https://webview.test',
  nonce: 'a-nonce',
  panel: 'uncertain',
  language: 'de',
  who: undefined,
} as const;
const page = pageOf(HTML, around);

test('its files have the addresses of the webview, and other links stay', () => {
  const addresses = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address);
  expect(addresses).toEqual([
    'https://webview.test/dist/icon.svg',
    'https://webview.test/dist/panels.css',
    'https://webview.test/dist/panels.js',
    '#/training',
  ]);
});

test('it says which panel it is, and that a host relays', () => {
  expect(page).toContain('<body data-host="editor" data-panel="uncertain" class="page">');
  expect(page).toContain('<html lang="de">');
});

test('it says in whose name it annotates, whatever they are called', () => {
  expect(pageOf(HTML, { ...around, who: 'Ada "$&" <L>' })).toContain(
    'data-panel="uncertain" data-who="Ada &quot;$&amp;&quot; <L>" class="page">',
  );
});

test('nothing runs but its own script, and nothing reaches a network', () => {
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
  const rules = new Map(policy.split('; ').map(rule => [rule.split(' ')[0], rule.split(' ').slice(1)]));
  expect(rules.get('default-src')).toEqual(["'none'"]);
  expect(rules.get('script-src')).toEqual(["'nonce-a-nonce'"]);
  expect(rules.has('connect-src')).toBe(false);
  expect(page).toContain('<script nonce="a-nonce" type="module"');
  // A policy holds for what stands behind it.
  expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('stylesheet'));
});
