// The documents point at what exists.

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { METRIC_NAMES } from '../runtime/tasks/metrics.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'webview/README.md'],
  ...readdirSync(join(ROOT, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`),
];
const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');

test.each(PAGES)('every relative link of %s leads to a file', page => {
  const targets = [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(match => match[1] ?? '');
  const missing = targets.filter(target => !existsSync(join(ROOT, dirname(page), target)));
  expect(missing).toEqual([]);
});

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): ReadonlySet<string> {
  const text = read(page).replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  const headings = [...text.matchAll(/^#{1,6} +(.+)$/gm)].map(match => match[1] ?? '');
  return new Set(
    headings.map(heading =>
      heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .trim()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const anchors = new Map(PAGES.map(page => [page, anchorsOf(page)]));

test.each(PAGES)('every link of %s to a part of a page names a heading', page => {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*\.md)?#([^)\s]+)\)/g)];
  const missing = links.filter(([, path, anchor = '']) => {
    const target = path === undefined ? page : posix.join(posix.dirname(page), path);
    return anchors.get(target)?.has(anchor) !== true;
  });
  expect(missing.map(([link]) => link)).toEqual([]);
});

test.each(PAGES.filter(page => page !== 'docs/results.md'))('every code path named in %s exists', page => {
  const paths = [...read(page).matchAll(/`((?:runtime|extension|webview|scripts|test)\/[\w./-]+)`/g)].map(
    match => match[1] ?? '',
  );
  const missing = paths.filter(path => !/[A-Z]{3}/.test(path) && !existsSync(join(ROOT, path)));
  expect(missing).toEqual([]);
});

test('the line numbers of docs/method.md point at their formulas', () => {
  execFileSync(process.execPath, ['scripts/method-lines.mjs', '--check'], { cwd: ROOT, stdio: 'pipe' });
});

test('docs/osworld.md lists every metric', () => {
  const listed = new Set([...read('docs/osworld.md').matchAll(/`(\w+)`/g)].map(match => match[1]));
  expect(METRIC_NAMES.filter(name => !listed.has(name))).toEqual([]);
});

test('the README has at most 110 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(110);
});
