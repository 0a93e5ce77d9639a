// One configuration of a run, in which nothing is left open: what was said in the file, what options said in its place, and defaults
// for the rest. Law: what was said is what holds, or it is an error.

import * as z from 'zod';
import { conflicts } from './conflicts.ts';
import { type Leaf, leavesOf, type Path, pathText, treeOf, valueAt } from './leaves.ts';
import { defaults } from './presets.ts';
import { ConfigError, type Given, given, NOTHING_GIVEN } from './settings.ts';
import { whole } from './shape.ts';

export type Config = Frozen<z.infer<typeof whole>>;

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

/** Where a value was said. */
export type Source = 'option' | 'file' | 'default';

export interface Resolved {
  readonly config: Config;
  /** Of every setting, by its path; in the order of the configuration. */
  readonly sources: Readonly<Record<string, Source>>;
}

/** Throws a ConfigError that names each setting that would have no effect. */
export function resolve(file: Given, options: Given = NOTHING_GIVEN): Resolved {
  const all = overridden(file, options);
  const said = treeOf(all);
  const base = defaults(chosen.parse(said ?? {}));
  const config = whole.parse(
    treeOf([...leavesOf(base).filter(({ path }) => !isRuledOut(path, all)), ...all]),
  );
  const byOption = new Set(options.leaves.map(({ path }) => pathText(path)));
  const wrong = conflicts(config, base, said);
  if (wrong.length > 0)
    throw new ConfigError(
      wrong.map(
        ({ path, why }) => `${(byOption.has(pathText(path)) ? options : file).placeOf(path)}: ${why}`,
      ),
    );
  const sourceOf = (path: Path): Source => {
    if (byOption.has(pathText(path))) return 'option';
    return valueAt(said, path) === undefined ? 'default' : 'file';
  };
  const sources = leavesOf(config).map(({ path }) => [pathText(path), sourceOf(path)] as const);
  return { config, sources: Object.fromEntries(sources) };
}

/** What a client or a saved file says; complete or not. */
export const parseConfig = (value: unknown): Config => resolve(given(value, pathText)).config;

/** What other defaults depend on. */
const { preset, demonstrations, minutes, mode, environments, curation } = whole.shape;
const chosen = z.object({
  preset: preset.exactOptional(),
  demonstrations: demonstrations.exactOptional(),
  minutes: minutes.exactOptional(),
  mode: mode.exactOptional(),
  environments: z
    .object({
      kind: environments.shape.kind.exactOptional(),
      desktops: environments.shape.desktops.exactOptional(),
    })
    .exactOptional(),
  curation: z.object({ preset: curation.shape.preset.exactOptional() }).exactOptional(),
});

/** Tiers and tasks are one choice: who says one takes the place of whoever else said either. */
const CHOICE: readonly string[] = ['suite.tiers', 'suite.tasks'];

function overridden(file: Given, options: Given): readonly Leaf[] {
  return [...file.leaves.filter(({ path }) => !isRuledOut(path, options.leaves)), ...options.leaves];
}

function isRuledOut(path: Path, by: readonly Leaf[]): boolean {
  const names = CHOICE.includes(pathText(path)) ? CHOICE : [pathText(path)];
  return by.some(leaf => names.includes(pathText(leaf.path)));
}
