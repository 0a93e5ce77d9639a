// The getters of evaluators, the set-up steps of tasks on a pocket desktop, and the start of an instance: the machine that
// its task describes. Desktops, solvers and replays all start here, so that one instance has one start.

import { messageOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import { safeParse } from '../../core/safe-parse.ts';
import type { Size } from '../../core/screen.ts';
import type { Getter, SetupStep, Task } from '../../core/task.ts';
import { issuesIn } from '../task-function.ts';
import { PocketMachine } from './machine.ts';
import { openingFault } from './opening-check.ts';
import type { Surface } from './surface.ts';
import { emptyWorld, entryAt, folderAt, type PocketWorld } from './world.ts';
import { worldParts } from './world-schema.ts';

type Parameters = Readonly<Record<string, unknown>>;

const fault = (message: string): BoundaryError =>
  new BoundaryError({ boundary: 'task', thing: 'pocket desktop', message });

const text = (parameters: Parameters, name: string, of: string): string => {
  const value = parameters[name];
  if (typeof value === 'string') return value;
  throw fault(`${of}.${name} is ${JSON.stringify(value)}. Give a text.`);
};

/** The getters by type, over the current and the initial world. */
const GETTERS: Readonly<
  Record<string, (parameters: Parameters, now: PocketWorld, start: PocketWorld) => unknown>
> = {
  /** The value at a path such as 'settings.volume', or null. */
  pocket_state: (parameters, now) => valueAt(now, text(parameters, 'path', 'pocket_state')),
  /** The text of a file, or null. `trim_end` removes white space at its end, which is invisible. */
  pocket_file: (parameters, now) => {
    const entry = entryAt(now.root, text(parameters, 'path', 'pocket_file'));
    if (entry?.kind !== 'file') return null;
    return parameters['trim_end'] === true ? entry.text.trimEnd() : entry.text;
  },
  /** The names in a folder, sorted, or null. */
  pocket_folder: (parameters, now) => {
    const folder = folderAt(now.root, text(parameters, 'path', 'pocket_folder'));
    return folder === undefined ? null : Object.keys(folder.entries).sort();
  },
  /** The records that match `where`, reduced to the fields of `pick`. */
  pocket_mails: (parameters, now) => selected(now.mails, parameters),
  pocket_contacts: (parameters, now) => selected(now.contacts, parameters),
  pocket_events: (parameters, now) => selected(now.events, parameters),
  /** The paths at which the world differs from its start, sorted, without those that match a pattern of `ignore`. */
  pocket_changes: (parameters, now, start) => {
    const ignored = Array.isArray(parameters['ignore']) ? parameters['ignore'].map(String) : [];
    return changedPaths(start, now)
      .filter(names => !ignored.some(pattern => matches(names, pattern)))
      .map(names => names.join('.'));
  },
};

export function answer(getter: Getter, now: PocketWorld, start: PocketWorld): unknown {
  const found = Object.hasOwn(GETTERS, getter.type) ? GETTERS[getter.type] : undefined;
  if (found === undefined) {
    throw fault(`there is no getter '${getter.type}'. Use one of rule, ${Object.keys(GETTERS).join(', ')}.`);
  }
  return structuredClone(found(getter, now, start));
}

function valueAt(value: unknown, path: string): unknown {
  let found: unknown = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return null;
    found = (found as Parameters)[name];
  }
  return found ?? null;
}

function selected(records: readonly object[], { where, pick }: Parameters): unknown {
  const conditions = Object.entries((where ?? {}) as Parameters);
  const fields = Array.isArray(pick) ? pick.map(String) : undefined;
  return records
    .map(record => ({ ...record }) as Parameters)
    .filter(record =>
      conditions.every(([name, wanted]) => JSON.stringify(record[name]) === JSON.stringify(wanted)),
    )
    .map(record =>
      fields === undefined ? record : Object.fromEntries(fields.map(name => [name, record[name]])),
    );
}

/** In a pattern '*' matches one name, or one part of a name with dots, and a final '**' matches the rest. */
function matches(names: readonly string[], pattern: string): boolean {
  let rests: readonly string[] = [`${pattern}.`];
  for (const name of names) {
    const byParts = name.split('.').reduce((left, part) => restsAfter(left, '*', part), rests);
    rests = [...new Set([...restsAfter(rests, '*'), ...byParts])];
  }
  return rests.includes('') || rests.includes('**.');
}

/** The rests of the patterns that begin with one of these parts. Equal rests are merged, so there are few. */
const restsAfter = (patterns: readonly string[], ...parts: readonly string[]): readonly string[] => [
  ...new Set(
    patterns.flatMap(pattern =>
      pattern === '**.'
        ? [pattern]
        : parts.filter(part => pattern.startsWith(`${part}.`)).map(part => pattern.slice(part.length + 1)),
    ),
  ),
];

/** Records are compared by id or name, so that a removed record does not shift the others. */
function changedPaths(
  before: unknown,
  after: unknown,
  path: readonly string[] = [],
): readonly (readonly string[])[] {
  if (Object.is(before, after)) return [];
  const [old, now] = [partsOf(before), partsOf(after)];
  if (old === undefined || now === undefined) return [path];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap(name => changedPaths(old.get(name), now.get(name), [...path, name]));
}

function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const parts = new Map<string, unknown>();
  for (const [index, each] of (value as readonly unknown[]).entries()) {
    const { id, name: ownName } = (typeof each === 'object' && each !== null ? each : {}) as Parameters;
    const name = String(id ?? ownName ?? index);
    // A second record of the same name gets its index.
    parts.set(parts.has(name) ? `${name} (${index})` : name, each);
  }
  return parts;
}

/** An application that a set-up step opens. */
export interface AppOpening {
  readonly app: string;
  readonly what?: string;
}

/** Runs the set-up steps: returns the initial world and the applications to open. */
export function worldFromSetup(steps: readonly SetupStep[]): {
  readonly world: PocketWorld;
  readonly openings: readonly AppOpening[];
} {
  const world = emptyWorld();
  const openings: AppOpening[] = [];
  for (const { type, parameters = {} } of steps) {
    if (type === 'pocket_world') merge(world, parameters);
    else if (type === 'pocket_open') {
      const what = parameters['what'] ?? undefined;
      openings.push({
        app: text(parameters, 'app', type),
        ...(what !== undefined && { what: text(parameters, 'what', type) }),
      });
    } else throw fault(`there is no set-up step '${type}'. Use pocket_world or pocket_open.`);
  }
  return { world, openings };
}

/** Replaces fields of the world; settings are merged. */
function merge(world: PocketWorld, parameters: Parameters): void {
  const unknown = Object.keys(parameters).find(name => !(name in world));
  if (unknown !== undefined)
    throw fault(`pocket_world has no '${unknown}'. Use one of ${Object.keys(world).join(', ')}.`);
  const parsed = safeParse(worldParts, parameters);
  if (!parsed.success)
    throw fault(`pocket_world has wrong values. ${issuesIn(parsed.error, parameters)}. Correct them.`);
  const { settings, ...rest } = parsed.data;
  const unknownSetting = Object.keys(settings ?? {}).find(name => !(name in world.settings));
  if (unknownSetting !== undefined) {
    const names = Object.keys(world.settings).join(', ');
    throw fault(`settings have no '${unknownSetting}'. Use one of ${names}.`);
  }
  Object.assign(world.settings, settings);
  Object.assign(world, rest);
}

/** The default screen size. */
export const SCREEN: Size = { width: 320, height: 240 };

export interface StartedInstance {
  readonly machine: PocketMachine;
  /** A copy of the world after the openings. */
  readonly start: PocketWorld;
  readonly openings: readonly AppOpening[];
}

/** `surface`: one of this size that is no longer in use. */
export function startOf(
  { id, config = [] }: Pick<Task, 'id' | 'config'>,
  size: Size = SCREEN,
  surface?: Surface,
): StartedInstance {
  const { world, openings } = worldFromSetup(config);
  for (const { app, what } of openings) {
    const wrong = what === undefined ? undefined : openingFault(world, app, what);
    if (wrong !== undefined) throw fault(wrong);
  }
  const machine = new PocketMachine(world, size, surface);
  try {
    for (const { app, what } of openings) machine.open(app, what);
  } catch (error) {
    throw new BoundaryError({ boundary: 'task', thing: id, message: messageOf(error) }, { cause: error });
  }
  // An opened mail is read, which is no change of the agent.
  return { machine, start: structuredClone(world), openings };
}
