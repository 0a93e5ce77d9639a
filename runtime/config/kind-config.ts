// The configuration of a workspace for a kind of desktops that dartboard.json need not choose itself: a person who records, or an editor,
// chooses it.

import type { DesktopKind } from '../protocol/desktop-kinds.ts';
import { type Config, resolve } from './config.ts';
import { type Leaf, type SettingPath, treeOf, valueAt } from './leaves.ts';
import { type Settings, settingsFromOptions } from './settings.ts';

/** Where the file names no kind, these describe its guests: all other kinds have defaults for them. */
const OF_GUESTS: readonly SettingPath[] = [
  ['environments', 'desktops'],
  ['evaluation', 'desktops'],
  ['suite', 'files'],
];

/**
 * The file with all its settings if it chooses this kind. Otherwise defaults, with what it has for this kind and with its agents, which play
 * on all. `desktops` overrides their number, and `files` the folder of task files. Throws a ConfigError.
 */
export function configOfKind(file: Settings, kind: DesktopKind, desktops?: number, files?: string): Config {
  const options = settingsFromOptions({
    environments: { kind, ...(desktops !== undefined && { desktops }) },
    ...(files !== undefined && { suite: { files } }),
  });
  const own = ownKind(file);
  // A joined host evaluates nothing.
  const use = { evaluates: desktops === undefined };
  if ((own ?? 'pocket') === kind) return resolve(withoutUnchosenGuests(file), options, use).config;
  const paths = [
    ['agents'],
    ['environments', kind],
    ...(own === undefined && kind === 'guest' ? OF_GUESTS : []),
  ];
  const leaves = file.leaves.filter(leaf => paths.some(path => isWithin(leaf, path)));
  return resolve({ ...file, leaves }, options, use).config;
}

/** Without the guests of a file that names no kind: they are there to be chosen. */
export function withoutUnchosenGuests(file: Settings): Settings {
  const hasHosts = valueAt(treeOf(file.leaves), ['environments', 'guest', 'hosts']) !== undefined;
  if (ownKind(file) !== undefined || !hasHosts) return file;
  const paths: readonly SettingPath[] = [['environments', 'guest'], ...OF_GUESTS];
  return { ...file, leaves: file.leaves.filter(leaf => !paths.some(path => isWithin(leaf, path))) };
}

const ownKind = ({ leaves }: Settings): unknown => valueAt(treeOf(leaves), ['environments', 'kind']);

const isWithin = ({ path }: Leaf, names: SettingPath): boolean =>
  names.every((name, index) => path[index] === name);
