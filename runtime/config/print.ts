// What `--dry-run` shows. The configuration is printed as a file that would give the same run; what is not a default is listed beside
// it, for whoever wants to know what makes this run another than the usual one.

import type { Resolved } from './config.ts';
import { laidOut, leavesOf, pathText, shown } from './leaves.ts';

/** Complete, always in the same order, and itself a dartboard.json. */
export const printed = ({ config }: Resolved): string => `${laidOut(config)}\n`;

/** A line for each setting that was said, and where: in `file`, or by an option. */
export function whatWasSaid({ config, sources }: Resolved, file: string): readonly string[] {
  const said = leavesOf(config).flatMap(({ path, value }) => {
    const source = sources[pathText(path)] ?? 'default';
    if (source === 'default') return [];
    return [[pathText(path), shown(value), source === 'file' ? file : 'command line'] as const];
  });
  if (said.length === 0) return [`All settings are defaults, of the preset '${config.preset}'.`];
  const width = (column: 0 | 1): number => Math.max(...said.map(row => row[column].length));
  return [
    `Settings that were said; all others are defaults, of the preset '${config.preset}':`,
    ...said.map(([path, value, by]) => `  ${path.padEnd(width(0))}  ${value.padEnd(width(1))}  ${by}`),
  ];
}
