// What is measured on: this machine, and this program.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, cpus, release, totalmem, type as typeOfOs } from 'node:os';
import type { Machine } from './outcome.ts';

export function thisMachine(): Machine {
  const all = cpus();
  return {
    ...(all[0] !== undefined && { processor: all[0].model.trim() }),
    cores: all.length,
    memoryMb: Math.round(totalmem() / 2 ** 20),
    // Without what a builder of a kernel adds to its number.
    os: `${typeOfOs()} ${release().split('-')[0]} ${arch()}`,
  };
}

export function theseVersions(): Readonly<Record<string, string>> {
  const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json') as { version: string };
  return { node: process.version, 'onnxruntime-node': version };
}

/** Tells one build of the program from another: by all the bundles that lie beside this one. */
export function thisBuild(folder: URL = new URL('.', import.meta.url)): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).sort())
    if (file.endsWith('.js')) hash.update(readFileSync(new URL(file, folder)));
  return hash.digest('hex').slice(0, 8);
}
