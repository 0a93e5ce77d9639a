// Bundles what Node runs into dist/, and the pages into dist/webview/. Packages stay outside Node's bundles: they are
// installed beside them; a page has nothing but its own bundle.
import { copyFile, cp, rm } from 'node:fs/promises';
import { build } from 'esbuild';

const common = { bundle: true, sourcemap: true, logLevel: 'warning' };
/** Seventy packages are behind this one: it is a bundle of its own, loaded when an engine is asked for. */
const DOCKERODE = './dockerode.cjs';
const dockerode = {
  name: 'dockerode',
  setup: ({ onResolve }) => onResolve({ filter: /^dockerode$/ }, () => ({ path: DOCKERODE, external: true })),
};
/** Native parts that a package tries for, and does without where they do not load. */
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
  build({
    ...node,
    entryPoints: {
      main: 'runtime/cli/main.ts',
      bench: 'runtime/bench/main.ts',
      engine: 'runtime/engine/engine-child.ts',
      performer: 'runtime/inference/inference-child.ts',
      host: 'runtime/run/host-child.ts',
      worker: 'runtime/rollout/worker-child.ts',
      trainer: 'runtime/run/trainer-child.ts',
      index: 'runtime/data/index/index-worker.ts',
      frames: 'runtime/server/frames/frames-worker.ts',
      'bench-engine': 'runtime/bench/engine/worker.ts',
      'bench-scale': 'runtime/bench/decoupling/round-child.ts',
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
  // VS Code hands its own module, 'vscode', to what it loads with require. Whole and small, so that it wakes quickly.
  build({
    ...node,
    entryPoints: { extension: 'extension/extension.ts' },
    packages: 'bundle',
    external: ['vscode'],
    define: {
      // Native parts that 'ws' would try for, and does without.
      'process.env.WS_NO_BUFFER_UTIL': '"1"',
      'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
      // VS Code warns of whoever looks at it; 'zod' only asks whether it runs at a certain host's.
      navigator: 'undefined',
    },
    minify: true,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  }),
  build({
    ...common,
    outdir: 'dist/webview',
    entryPoints: ['play', 'panels'].flatMap(page =>
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
// The inputs of the Docker images, beside the program that builds them.
await cp('runtime/environments/docker/images', 'dist/docker', { recursive: true });
