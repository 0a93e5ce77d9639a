// Settings from a file or the command line, validated, with the location of each for errors.

import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { type Leaf, leavesOf, pathText, type SettingPath } from './leaves.ts';
import { migrateSettings } from './migration.ts';
import { settingProblems } from './setting-errors.ts';

/** The existing folders with task files of a workspace, relative to the working directory as 'suite.files' is (task-folders.ts). */
export type OwnTaskFolders = Readonly<Partial<Record<DesktopKind, string>>>;

/** Some of the settings of a run. */
export interface Settings {
  readonly leaves: readonly Leaf[];
  /** Such as 'dartboard.json:7:3' or '--minutes': the start of an error. */
  locationOf(path: SettingPath): string;
  /** One line for each setting of an earlier version of Dartboard that was replaced. */
  readonly notices: readonly string[];
  /** The settings of the user, which hold where these do not (user-settings.ts). */
  readonly user?: Settings;
  /** They hold where these settings name none. */
  readonly tasks?: OwnTaskFolders;
}

/** One line for each problem. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options);
  }
}

export const NO_SETTINGS: Settings = { leaves: [], locationOf: pathText, notices: [] };

export const withUser = (settings: Settings, user: Settings | undefined): Settings =>
  user === undefined ? settings : { ...settings, user };

const MAX_REPORTED_PROBLEMS = 20;

/** Throws a ConfigError for a value that does not match the schema. */
export function parseSettings(given: unknown, locationOf: Settings['locationOf']): Settings {
  const { value, notices } = migrateSettings(given);
  const problems = settingProblems(value);
  if (problems.length > 0) {
    const reported = problems.slice(0, MAX_REPORTED_PROBLEMS);
    const more = problems.length - reported.length;
    throw new ConfigError([
      ...reported.map(({ path, why }) => `${locationOf(path)}: ${why}`),
      ...(more > 0 ? [`And ${more} more problems. Correct these first.`] : []),
    ]);
  }
  return {
    leaves: leavesOf(value).filter(({ path }) => path[0] !== '$schema'),
    locationOf,
    notices: notices.map(({ path, text }) => `${locationOf(path)}: ${text}`),
  };
}

/** The options of the command line, by the setting that they override. */
const OPTIONS: Readonly<Record<string, string>> = {
  'environments.kind': '--desktops',
  'environments.desktops': '--sessions',
  'suite.tiers': '--tier',
  minutes: '--minutes',
  seed: '--seed',
  mode: '--mode',
  demonstrations: '--demonstrations',
  preset: '--preset',
  'curation.preset': '--curation',
  agent: '--agent',
};

/** The options of the command line, in the shape of the file. Undefined values are options that were not used. */
export const settingsFromOptions = (value: unknown): Settings =>
  parseSettings(value, path => OPTIONS[pathText(path)] ?? `the option for ${pathText(path)}`);
