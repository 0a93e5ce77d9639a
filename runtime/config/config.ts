// Merges a file, the options of the command line, the settings of the user and the defaults into one complete configuration. Invariant:
// every setting that was given takes effect, or it is an error. Settings of the user are exempt, since they hold in many workspaces, and so are those of
// stored runs, which may be older than a rule.

import { contradictionsIn } from './contradictions.ts';
import { type Leaf, leavesOf, pathText, type SettingPath, treeOf, valueAt } from './leaves.ts';
import { defaultInputs, defaults } from './presets.ts';
import {
  ConfigError,
  NO_SETTINGS,
  type OwnTaskFolders,
  parseSettings,
  type Settings,
  withUser,
} from './settings.ts';
import { type Config, completeConfig } from './shape.ts';
import { ownTaskLeaves } from './task-folders.ts';
import { userLeaves } from './user-settings.ts';
import { settingsWithoutEffect } from './without-effect.ts';

export type { Config } from './shape.ts';

/** The origin of a value. */
export type SettingSource = 'option' | 'file' | 'user' | 'default';

export interface ResolvedConfig {
  readonly config: Config;
  /** Of every setting, by its path, in the order of the configuration. */
  readonly sources: Readonly<Record<string, SettingSource>>;
  /** One line for each setting of an earlier version of Dartboard that was replaced. */
  readonly notices: readonly string[];
}

interface Checks {
  /** Without evaluations, their desktops need no room. */
  readonly evaluates?: boolean;
  readonly withoutEffect?: boolean;
  readonly contradictions?: boolean;
}

/** Options override the file, which overrides the user. Throws a ConfigError that names each setting without effect, and each contradiction. */
export function resolve(
  file: Settings,
  options: Settings = NO_SETTINGS,
  { evaluates = true, withoutEffect = true, contradictions = true }: Checks = {},
): ResolvedConfig {
  const given = [...file.leaves.filter(({ path }) => !isOverridden(path, options.leaves)), ...options.leaves];
  const tree = treeOf(given);
  const ofUser = file.user === undefined ? [] : userLeaves(file.user, tree);
  const all = [...ofUser, ...given];
  const base = defaults(defaultInputs.parse(treeOf(all) ?? {}));
  const ofFolder = ownTaskLeaves(file.tasks ?? {}, base.environments.kind, tree);
  const config = completeConfig.parse(
    treeOf([...leavesOf(base).filter(({ path }) => !isOverridden(path, all)), ...ofFolder, ...all]),
  );
  const isOption = isIn(options.leaves);
  const isOfUser = isIn(ofUser);
  const from = (path: SettingPath): Settings => {
    if (isOption(path)) return options;
    return isOfUser(path) ? (file.user ?? file) : file;
  };
  const problems = [
    ...(contradictions ? contradictionsIn(config, evaluates) : []),
    ...(withoutEffect ? settingsWithoutEffect(config, base, tree) : []),
  ];
  if (problems.length > 0)
    throw new ConfigError(problems.map(({ path, why }) => `${from(path).locationOf(path)}: ${why}`));
  const sourceOf = (path: SettingPath): SettingSource => {
    if (isOption(path)) return 'option';
    if (isOfUser(path)) return 'user';
    return valueAt(tree, path) === undefined ? 'default' : 'file';
  };
  const sources = leavesOf(config).map(({ path }) => [pathText(path), sourceOf(path)] as const);
  return { config, sources: Object.fromEntries(sources), notices: file.notices };
}

/**
 * The configuration that a client or a saved file contains, with the settings of the user, the task files of the workspace, and defaults
 * for missing settings.
 */
export const parseConfig = (value: unknown, user?: Settings, tasks: OwnTaskFolders = {}): Config =>
  resolve(withUser({ ...parseSettings(value, pathText), tasks }, user)).config;

/** The configuration of a stored run, which may be older than a rule. Contradictions are errors only where the run resumes. */
export const parseStoredConfig = (value: unknown, { resumes = false } = {}): Config =>
  resolve(parseSettings(value, pathText), NO_SETTINGS, {
    withoutEffect: false,
    contradictions: resumes,
  }).config;

/** Tiers and tasks are one choice: either of them overrides both. */
const SUITE_CHOICE: readonly string[] = ['suite.tiers', 'suite.tasks'];

function isIn(leaves: readonly Leaf[]): (path: SettingPath) => boolean {
  const paths = new Set(leaves.map(({ path }) => pathText(path)));
  return path => paths.has(pathText(path));
}

function isOverridden(path: SettingPath, by: readonly Leaf[]): boolean {
  const names = SUITE_CHOICE.includes(pathText(path)) ? SUITE_CHOICE : [pathText(path)];
  return by.some(leaf => names.includes(pathText(leaf.path)));
}
