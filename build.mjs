// Bundles what Node runs into dist/, and the pages into dist/webview/. Packages stay outside Node's bundles: they are
// installed beside them; a page has nothing but its own bundle.
import { copyFile, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const common = { bundle: true, sourcemap: true, logLevel: 'warning' };
const node = { ...common, outdir: 'dist', platform: 'node', target: 'node20', packages: 'external' };

await rm('dist', { recursive: true, force: true });
await Promise.all([
  build({
    ...node,
    entryPoints: {
      main: 'runtime/main.ts',
      bench: 'runtime/bench/main.ts',
      engine: 'runtime/graph/process/engine-child.ts',
      performer: 'runtime/daemon/perform/performer-child.ts',
      host: 'runtime/daemon/ring/host-child.ts',
      worker: 'runtime/rollout/worker-child.ts',
      trainer: 'runtime/daemon/ring/trainer-child.ts',
      index: 'runtime/data/index/index-worker.ts',
      'bench-engine': 'runtime/bench/engine/worker.ts',
    },
    format: 'esm',
  }),
  // VS Code hands its own module, 'vscode', to what it loads with require.
  build({
    ...node,
    entryPoints: { extension: 'extension/extension.ts' },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  }),
  build({
    ...common,
    outdir: 'dist/webview',
    entryPoints: ['play', 'run'].flatMap(page =>
      ['ts', 'html', 'css'].map(end => `webview/${page}/${page}.${end}`),
    ),
    entryNames: '[name]',
    loader: { '.html': 'copy' },
    format: 'esm',
    target: 'es2022',
    minify: true,
  }),
]);
await copyFile('media/icon.svg', 'dist/webview/icon.svg');
