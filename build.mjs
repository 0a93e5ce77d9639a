// Bundles what Node runs into dist/. Packages stay outside the bundles: they are installed beside them.
import { rm } from 'node:fs/promises';
import { build } from 'esbuild';

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: {
    main: 'runtime/main.ts',
    bench: 'runtime/bench/main.ts',
    engine: 'runtime/graph/process/engine-child.ts',
    'bench-engine': 'runtime/bench/engine/worker.ts',
  },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  sourcemap: true,
  logLevel: 'warning',
});
