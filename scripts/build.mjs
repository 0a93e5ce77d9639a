// Bundles the programs for Node into dist/, and the pages into dist/webview/. The bundles for Node import packages from node_modules;
// a page's bundle contains everything that it needs.
import { copyFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { withoutRelativeLinks } from './plain-markdown.mjs';

const common = { bundle: true, sourcemap: true, logLevel: 'warning' };
/** This package needs seventy others. It has a bundle of its own, which is loaded when a Docker engine is used. */
const DOCKERODE = './dockerode.cjs';
const dockerode = {
  name: 'dockerode',
  setup: ({ onResolve }) => onResolve({ filter: /^dockerode$/ }, () => ({ path: DOCKERODE, external: true })),
};
/** Optional native parts: the package works without them. */
const withoutNative = {
  name: 'without-native',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^cpu-features$|\.node$/ }, ({ path }) => ({ path, namespace: 'native' }));
    onLoad({ filter: /.*/, namespace: 'native' }, () => ({ contents: "throw new Error('left out')" }));
  },
};
const node = {
  ...{ ...common, outdir: 'dist', platform: 'node', target: 'node20' },
  ...{ packages: 'external', plugins: [dockerode] },
};

await rm('dist', { recursive: true, force: true });
await Promise.all([
  // Each command loads the chunks that it needs.
  build({
    ...node,
    entryPoints: { main: 'runtime/cli/main.ts' },
    chunkNames: 'main-[hash]',
    format: 'esm',
    splitting: true,
  }),
  build({
    ...node,
    entryPoints: {
      'with-keys': 'extension/keys/receive.ts',
      bench: 'runtime/bench/main.ts',
      engine: 'runtime/engine/engine-child.ts',
      inference: 'runtime/inference/inference-child.ts',
      host: 'runtime/run/host/host-child.ts',
      worker: 'runtime/rollout/worker-child.ts',
      trainer: 'runtime/run/trainer/trainer-child.ts',
      index: 'runtime/data/index/index-worker.ts',
      frames: 'runtime/server/frames/frames-worker.ts',
      'bench-engine': 'runtime/bench/engine/worker.ts',
      'bench-chat': 'runtime/bench/endpoint/chat-child.ts',
      'bench-openenv': 'runtime/bench/openenv/client-child.ts',
      'bench-scale': 'runtime/bench/decoupling/round-child.ts',
      'bench-host': 'runtime/bench/hosts/host-child.ts',
      'bench-join': 'runtime/bench/hosts/join-child.ts',
      'bench-hostile': 'runtime/bench/survive/hostile/hostile-child.ts',
      'bench-daemon': 'runtime/bench/survive/kills/daemon-child.ts',
      'bench-index': 'runtime/bench/survive/kills/index-entry.ts',
      'bench-clock': 'runtime/bench/survive/kills/clock-entry.ts',
    },
    format: 'esm',
  }),
  build({
    ...common,
    entryPoints: ['dockerode'],
    outfile: `dist/${DOCKERODE}`,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    minify: true,
    plugins: [withoutNative],
  }),
  // VS Code provides the module 'vscode'. One minified CommonJS file activates fastest.
  build({
    ...node,
    entryPoints: { extension: 'extension/extension.ts' },
    packages: 'bundle',
    external: ['vscode'],
    // The CommonJS file of 'jsonc-parser' loads others by names that esbuild does not see.
    mainFields: ['module', 'main'],
    define: {
      // 'ws' works without its optional native parts.
      'process.env.WS_NO_BUFFER_UTIL': '"1"',
      'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
      // VS Code logs a warning when an extension reads it. 'zod' reads it only to detect one hosting platform.
      navigator: 'undefined',
    },
    minify: true,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  }),
  // The scripts that run in the pages of web desktops.
  build({
    ...common,
    outdir: 'dist/web',
    entryPoints: ['main-world', 'isolated-world', 'page-clock'].map(
      name => `runtime/environments/web/page/in-page/${name}.ts`,
    ),
    format: 'iife',
    // Only Node.js has these; '@sinonjs/fake-timers' does without them.
    external: ['util', 'timers', 'timers/promises'],
    target: 'chrome120',
    sourcemap: false,
  }),
  build({
    ...common,
    outdir: 'dist/webview',
    entryPoints: ['ts', 'html', 'css'].map(end => `webview/panels/panels.${end}`),
    entryNames: '[name]',
    loader: { '.html': 'copy' },
    format: 'esm',
    target: 'es2022',
    minify: true,
  }),
]);
await copyFile('media/icon.svg', 'dist/webview/icon.svg');
// `dartboard docker build` reads the inputs of the images from here.
await cp('runtime/environments/docker/images', 'dist/docker', { recursive: true });
// Web desktops serve the pages of their tasks from here.
await cp('runtime/environments/web/tasks/pages', 'dist/web/pages', { recursive: true });
// 'Dartboard: Open Documentation' shows these pages. Their pictures would take more room than all texts.
await mkdir('dist/docs');
for (const page of (await readdir('docs')).filter(name => name.endsWith('.md'))) {
  const isPage = target => /^[\w-]+\.md(#|$)/.test(target);
  await writeFile(`dist/docs/${page}`, withoutRelativeLinks(await readFile(`docs/${page}`, 'utf8'), isPage));
}
