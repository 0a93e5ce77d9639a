// The output of `--dry-run`: the configuration as a file that gives the same run, and a list of the settings that are not defaults.

import type { ResolvedConfig } from './config.ts';
import { formatJson, formatValue, leavesOf, pathText } from './leaves.ts';

/** Complete, always in the same order, and a valid dartboard.json. */
export const printConfig = ({ config }: ResolvedConfig): string => `${formatJson(config)}\n`;

/** One line for each setting that was given, with its source: `file`, the command line or the settings of the user. */
export function listGivenSettings({ config, sources }: ResolvedConfig, file: string): readonly string[] {
  const given = leavesOf(config).flatMap(({ path, value }) => {
    const source = sources[pathText(path)] ?? 'default';
    if (source === 'default') return [];
    return [
      [
        pathText(path),
        formatValue(value),
        { option: 'command line', user: 'user settings', file }[source],
      ] as const,
    ];
  });
  if (given.length === 0) return [`All settings are defaults of the preset '${config.preset}'.`];
  const width = (column: 0 | 1): number => Math.max(...given.map(row => row[column].length));
  return [
    `Settings that were given; all others are defaults of the preset '${config.preset}':`,
    ...given.map(([path, value, by]) => `  ${path.padEnd(width(0))}  ${value.padEnd(width(1))}  ${by}`),
  ];
}
