// Bundles an entry for a process of its own, as the build does, into a folder that is gone after the tests of the file.

import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { temporaryFolder } from './temporary.ts';

export async function bundled(entry: URL): Promise<URL> {
  const outfile = join(temporaryFolder('entry'), 'entry.mjs');
  await build({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  return pathToFileURL(outfile);
}
