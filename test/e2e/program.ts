// A program for a process of its own with all that it needs in one file, in a folder that is gone after the tests of the file: unlike a
// bundle of the build, it finds no packages beside it.

import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { temporaryFolder } from '../temporary.ts';

/** Some packages are CommonJS and load modules of Node. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

export async function program(entry: URL): Promise<URL> {
  const outfile = join(temporaryFolder('program'), 'program.mjs');
  const entryPoints = [fileURLToPath(entry)];
  // It has native parts, and is loaded only by who opens a container.
  const external = ['dockerode'];
  await build({
    entryPoints,
    outfile,
    external,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: REQUIRE },
  });
  return pathToFileURL(outfile);
}
