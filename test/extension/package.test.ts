// The files of the packaged extension: everything that its bundles load, and nothing of another platform.
// Needs the bundles that `npm test` builds.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, ['scripts/package.mjs', ...args], { cwd: ROOT, encoding: 'utf8' });

const listed = (...args: readonly string[]): readonly string[] =>
  run(...args)
    .split('\n')
    .filter(line => line !== '');

/**
 * Listed once, outside of tests: the list reads thousands of files and takes as long as the machine needs.
 */
const files = listed('--list', '--target', 'linux-x64');

const native = (target: string): readonly string[] =>
  listed('--list-native', '--target', target)
    .map(file => file.replace('node_modules/onnxruntime-node/bin/', ''))
    .sort();

/** The packages that a bundle imports by name, statically or dynamically. */
function packagesOf(bundle: string): string[] {
  const text = readFileSync(`${ROOT}/${bundle}`, 'utf8');
  const names = [...text.matchAll(/\b(?:from\s*|import\(|require\()"([@a-z][^"\s,()]*)"/g)].map(
    ([, name = '']) => name,
  );
  return names
    .filter(name => !isBuiltin(name) && name !== 'vscode')
    .map(name => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
}

test('contains every bundle except benchmarks, and every package that they import', () => {
  const bundles = readdirSync(`${ROOT}/dist`)
    .filter(name => /\.c?js$/.test(name) && !name.startsWith('bench'))
    .map(name => `dist/${name}`);
  expect(bundles).toEqual(expect.arrayContaining(['dist/extension.cjs', 'dist/main.js', 'dist/trainer.js']));
  expect(files).toEqual(expect.arrayContaining(bundles));
  const packages = new Set(bundles.flatMap(packagesOf));
  expect(packages).toContain('onnxruntime-node');
  for (const name of packages) expect(files).toContain(`node_modules/${name}/package.json`);
});

test('contains the database of the index as WebAssembly, which every platform can load', () => {
  expect(files).toContain('node_modules/sql.js/dist/sql-wasm.wasm');
});

test('contains the built pages', () => {
  const pages = readdirSync(`${ROOT}/dist/webview`).filter(name => !name.endsWith('.map'));
  expect(pages).toEqual(expect.arrayContaining(['panels.html', 'panels.js', 'panels.css', 'icon.svg']));
  expect(files).toEqual(expect.arrayContaining(pages.map(name => `dist/webview/${name}`)));
});

test('contains the native build of one platform, and WebAssembly for platforms without one', () => {
  const binaries = files.filter(file => file.includes('/onnxruntime-node/bin/'));
  expect(binaries.map(file => file.replace('node_modules/onnxruntime-node/bin/', '')).sort()).toEqual([
    'napi-v6/linux/x64/libonnxruntime.so.1',
    'napi-v6/linux/x64/onnxruntime_binding.node',
  ]);
  expect(native('darwin-arm64')).toEqual([
    'napi-v6/darwin/arm64/libonnxruntime.1.dylib',
    'napi-v6/darwin/arm64/onnxruntime_binding.node',
  ]);
  expect(native('darwin-x64')).toEqual([]);
  expect(files.filter(file => /ort-.*\.wasm$/.test(file))).toHaveLength(1);
});

test('contains no source, test, document, type or source map', () => {
  expect(files.filter(file => /\.ts$|\.map$|^(runtime|extension|webview|test|docs)\//.test(file))).toEqual(
    [],
  );
});

test('its README has no links to files that it does not contain', () => {
  const readme = run('--readme');
  expect(readme.length).toBeGreaterThan(1000);
  const targets = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
  expect(targets.filter(target => !/^(https?:|#)/.test(target))).toEqual([]);
});

test('contains every page of the documentation, without links to files that it does not contain', () => {
  const pages = readdirSync(`${ROOT}/docs`).filter(name => name.endsWith('.md'));
  expect(files).toEqual(expect.arrayContaining(pages.map(page => `dist/docs/${page}`)));
  for (const page of pages) {
    const text = readFileSync(`${ROOT}/dist/docs/${page}`, 'utf8');
    const targets = [...text.matchAll(/\]\((?!https?:|#)([\w./-]+)[^)]*\)/g)].map(([, target]) => target);
    expect(targets.filter(target => !pages.includes(target ?? ''))).toEqual([]);
  }
});
