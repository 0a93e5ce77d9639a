// What the packaged extension takes along: all that its bundles load, and nothing for another platform.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A list takes seconds to make. */
const lists = new Map<string, readonly string[]>();

function packed(target: string): readonly string[] {
  const args = ['scripts/package.mjs', '--list', '--target', target];
  const list =
    lists.get(target) ??
    execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
  lists.set(target, list);
  return list;
}

const linux = packed('linux-x64');

/** The packages that a bundle imports by name, now or later. */
function packagesOf(bundle: string): string[] {
  const text = readFileSync(`${ROOT}/${bundle}`, 'utf8');
  const names = [...text.matchAll(/\b(?:from\s*|import\(|require\()"([@a-z][^"\s,()]*)"/g)].map(
    ([, name = '']) => name,
  );
  return names.filter(name => !isBuiltin(name) && name !== 'vscode');
}

test('every bundle but those of the benchmarks travels, and every package that they import', () => {
  const bundles = readdirSync(`${ROOT}/dist`)
    .filter(name => /\.c?js$/.test(name) && !name.startsWith('bench'))
    .map(name => `dist/${name}`);
  expect(bundles).toEqual(
    expect.arrayContaining(
      [
        ...['extension.cjs', 'main.js', 'engine.js', 'performer.js'],
        ...['host.js', 'worker.js', 'trainer.js', 'index.js', 'frames.js'],
      ].map(name => `dist/${name}`),
    ),
  );
  expect(linux).toEqual(expect.arrayContaining(bundles));
  const packages = new Set(bundles.flatMap(packagesOf));
  expect(packages).toContain('onnxruntime-node');
  for (const name of packages) expect(linux).toContain(`node_modules/${name}/package.json`);
});

test('the database of the index travels to every platform, since it is no native code', () => {
  for (const files of [linux, packed('darwin-arm64'), packed('darwin-x64')])
    expect(files).toContain('node_modules/sql.js/dist/sql-wasm.wasm');
});

test('the pages travel, with all that they are made of', () => {
  const page = readdirSync(`${ROOT}/dist/webview`).filter(name => !name.endsWith('.map'));
  expect(page).toEqual(
    expect.arrayContaining([
      'play.html',
      'play.js',
      'play.css',
      'panels.html',
      'panels.js',
      'panels.css',
      'icon.svg',
    ]),
  );
  expect(linux).toEqual(expect.arrayContaining(page.map(name => `dist/webview/${name}`)));
});

test("only one platform's native build travels, and WebAssembly where there is none", () => {
  const native = (files: readonly string[]) =>
    files.filter(file => file.includes('/bin/')).map(file => file.split('/bin/')[1]);
  expect(native(linux).sort()).toEqual([
    'napi-v6/linux/x64/libonnxruntime.so.1',
    'napi-v6/linux/x64/onnxruntime_binding.node',
  ]);
  expect(native(packed('darwin-arm64')).sort()).toEqual([
    'napi-v6/darwin/arm64/libonnxruntime.1.dylib',
    'napi-v6/darwin/arm64/onnxruntime_binding.node',
  ]);
  const other = packed('darwin-x64');
  expect(native(other)).toEqual([]);
  expect(other.filter(file => /ort-.*\.wasm$/.test(file))).toHaveLength(1);
});

test('no source, test, type or source map travels', () => {
  expect(linux.filter(file => /\.ts$|\.map$|^(runtime|extension|webview|test|docs)\//.test(file))).toEqual(
    [],
  );
});
