// The machine and the build that a benchmark runs on, recorded in its outcome.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, cpus, release, totalmem, type as typeOfOs } from 'node:os';
import * as z from 'zod';
import type { MachineInfo } from './results/outcome.ts';

export function thisMachine(): MachineInfo {
  const all = cpus();
  return {
    ...(all[0] !== undefined && { processor: all[0].model.trim() }),
    cores: all.length,
    memoryMb: Math.round(totalmem() / 2 ** 20),
    // Without the suffix that distributions add to the kernel version.
    os: `${typeOfOs()} ${release().split('-')[0]} ${arch()}`,
  };
}

export function theseVersions(): Readonly<Record<string, string>> {
  const found: unknown = createRequire(import.meta.url)('onnxruntime-node/package.json');
  return {
    node: process.version,
    'onnxruntime-node': z.object({ version: z.string() }).parse(found).version,
  };
}

/** A hash of all bundles beside this one. */
export function thisBuild(folder: URL = new URL('.', import.meta.url)): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(folder).sort())
    if (file.endsWith('.js')) hash.update(readFileSync(new URL(file, folder)));
  return hash.digest('hex').slice(0, 8);
}
