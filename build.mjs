// Bundles what Node runs into dist/. Packages stay outside the bundles: they are installed beside them.
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

const common = {
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
};

await rm('dist', { recursive: true, force: true });
await Promise.all([
  build({
    ...common,
    entryPoints: {
      main: 'runtime/main.ts',
      bench: 'runtime/bench/main.ts',
      engine: 'runtime/graph/process/engine-child.ts',
      'bench-engine': 'runtime/bench/engine/worker.ts',
    },
    format: 'esm',
  }),
  // VS Code hands its own module, 'vscode', to what it loads with require.
  build({
    ...common,
    entryPoints: { extension: 'extension/extension.ts' },
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  }),
]);
