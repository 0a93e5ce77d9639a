// What `npm ci` and the scripts of the README rely on.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const text = (file: string): string => readFileSync(`${ROOT}${file}`, 'utf8');
const manifest = JSON.parse(text('package.json'));

test('the lock file names the optional packages of every platform, so that npm 11 takes it everywhere', () => {
  expect(execFileSync('node', ['.ci/complete-lock.mjs', '--check'], { cwd: ROOT, encoding: 'utf8' })).toBe(
    '',
  );
});

test('the lock file names no package host', () => {
  expect(text('package-lock.json')).not.toContain('"resolved"');
});

test('npm runs no install scripts of packages, and knows each of its settings', () => {
  const settings = text('.npmrc')
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'));
  // npm warns about settings that it does not know.
  expect(settings).toEqual(['ignore-scripts=true']);
  // These would be skipped, too.
  expect(Object.keys(manifest.scripts).filter(name => /^(pre|post)/.test(name))).toEqual([]);
});

test('every dependency is pinned to one version', () => {
  for (const [name, version] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-\d+)?$/);
  }
});

test('every dependency is accounted for in docs/dependencies.md', () => {
  const account = text('docs/dependencies.md');
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
    expect(account, name).toContain(`\`${name}\``);
  }
});

test('the README has exactly the two set-up commands, and every script that it names exists', () => {
  const readme = text('README.md');
  const commands = [...readme.matchAll(/```sh\n([^`]*)```/g)].map(match => match[1]?.trim());
  expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  const named = [...readme.matchAll(/`npm (?!ci\b|link\b)(?:run )?(\w+)/g)].map(match => match[1]);
  for (const script of named) expect(Object.keys(manifest.scripts)).toContain(script);
});
