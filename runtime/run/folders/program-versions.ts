// The program and the machine that a run trains with. run.json records them, because speed and random choices can differ between versions.

import { arch, cpus, release, type } from 'node:os';
import * as z from 'zod';
import { dependencies, version } from '../../../package.json';

export const programVersions = z.strictObject({
  dartboard: z.string(),
  node: z.string(),
  /** The packages that compute, by name. */
  packages: z.record(z.string(), z.string()),
  system: z.string(),
  processor: z.string(),
  cores: z.int().min(0),
});

export type ProgramVersions = Readonly<z.infer<typeof programVersions>>;

export function thisProgram(): ProgramVersions {
  const all = cpus();
  return {
    dartboard: version,
    node: process.versions.node,
    // package.json names exact versions.
    packages: { 'onnxruntime-node': dependencies['onnxruntime-node'] },
    system: `${type()} ${release().split('-')[0]} ${arch()}`,
    processor: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
  };
}

/** A resumed run lists each program once, in order. */
export const withProgram = (
  before: readonly ProgramVersions[],
  program: ProgramVersions,
): readonly ProgramVersions[] =>
  JSON.stringify(before.at(-1)) === JSON.stringify(program) ? before : [...before, program];
