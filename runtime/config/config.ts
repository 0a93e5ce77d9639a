// Merges a file, the options of the command line, and the defaults into one complete configuration. Invariant: every setting that was
// given takes effect, or it is an error.

import { conflicts } from './conflicts.ts';
import { type Leaf, leavesOf, pathText, type SettingPath, treeOf, valueAt } from './leaves.ts';
import { defaultInputs, defaults } from './presets.ts';
import { ConfigError, NO_SETTINGS, parseSettings, type Settings } from './settings.ts';
import { type Config, completeConfig } from './shape.ts';

export type { Config } from './shape.ts';

/** The origin of a value. */
export type SettingSource = 'option' | 'file' | 'default';

export interface ResolvedConfig {
  readonly config: Config;
  /** Of every setting, by its path, in the order of the configuration. */
  readonly sources: Readonly<Record<string, SettingSource>>;
  /** One line for each setting of an earlier version of Dartboard that was replaced. */
  readonly notices: readonly string[];
}

/** Options override the file. Throws a ConfigError that names each setting without effect. */
export function resolve(file: Settings, options: Settings = NO_SETTINGS): ResolvedConfig {
  const given = [...file.leaves.filter(({ path }) => !isOverridden(path, options.leaves)), ...options.leaves];
  const tree = treeOf(given);
  const base = defaults(defaultInputs.parse(tree ?? {}));
  const config = completeConfig.parse(
    treeOf([...leavesOf(base).filter(({ path }) => !isOverridden(path, given)), ...given]),
  );
  const byOption = new Set(options.leaves.map(({ path }) => pathText(path)));
  const isOption = (path: SettingPath): boolean => byOption.has(pathText(path));
  const problems = conflicts(config, base, tree);
  if (problems.length > 0)
    throw new ConfigError(
      problems.map(({ path, why }) => `${(isOption(path) ? options : file).locationOf(path)}: ${why}`),
    );
  const sourceOf = (path: SettingPath): SettingSource => {
    if (isOption(path)) return 'option';
    return valueAt(tree, path) === undefined ? 'default' : 'file';
  };
  const sources = leavesOf(config).map(({ path }) => [pathText(path), sourceOf(path)] as const);
  return { config, sources: Object.fromEntries(sources), notices: file.notices };
}

/** The configuration that a client or a saved file contains, with defaults for missing settings. */
export const parseConfig = (value: unknown): Config => resolve(parseSettings(value, pathText)).config;

/** Tiers and tasks are one choice: either of them overrides both. */
const SUITE_CHOICE: readonly string[] = ['suite.tiers', 'suite.tasks'];

function isOverridden(path: SettingPath, by: readonly Leaf[]): boolean {
  const names = SUITE_CHOICE.includes(pathText(path)) ? SUITE_CHOICE : [pathText(path)];
  return by.some(leaf => names.includes(pathText(leaf.path)));
}
