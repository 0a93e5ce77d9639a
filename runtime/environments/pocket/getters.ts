// What an evaluator can ask of a pocket desktop, and what a task's set-up can prepare. Both look at the world only, never
// at what the agent did.

import { BoundaryError } from '../../core/failure.ts';
import type { Getter, SetupStep } from '../../core/task.ts';
import { emptyWorld, entryAt, folderAt, type PocketWorld } from './world.ts';

type Parameters = Readonly<Record<string, unknown>>;

const fault = (message: string): BoundaryError =>
  new BoundaryError({ boundary: 'task', thing: 'pocket desktop', message });

const text = (parameters: Parameters, name: string, of: string): string => {
  const value = parameters[name];
  if (typeof value === 'string') return value;
  throw fault(`${of} needs '${name}', a text; it has ${JSON.stringify(value)}`);
};

/** What a getter of each type answers, given the world as it stands and as it was at the start. */
const GETTERS: Readonly<
  Record<string, (asked: Parameters, now: PocketWorld, start: PocketWorld) => unknown>
> = {
  /** The value at a path such as 'settings.volume'; null where there is none. */
  pocket_state: (asked, now) => valueAt(now, text(asked, 'path', 'pocket_state')),
  /** A file's text; null where there is no such file. With `trim_end`, blanks at its end, which nobody sees, are left out. */
  pocket_file: (asked, now) => {
    const entry = entryAt(now.root, text(asked, 'path', 'pocket_file'));
    if (entry?.kind !== 'file') return null;
    return asked['trim_end'] === true ? entry.text.trimEnd() : entry.text;
  },
  /** The names in a folder, sorted; null where there is no such folder. */
  pocket_folder: (asked, now) => {
    const folder = folderAt(now.root, text(asked, 'path', 'pocket_folder'));
    return folder === undefined ? null : Object.keys(folder.entries).sort();
  },
  /** Mails, contacts or events that are as `where` says, reduced to the fields of `pick` where that is given. */
  pocket_mails: (asked, now) => selected(now.mails, asked),
  pocket_contacts: (asked, now) => selected(now.contacts, asked),
  pocket_events: (asked, now) => selected(now.events, asked),
  /** Every path at which the world differs from its start, sorted; `ignore` lists patterns of paths to leave out. */
  pocket_changes: (asked, now, start) => {
    const ignored = Array.isArray(asked['ignore']) ? asked['ignore'].map(String) : [];
    return changedPaths(start, now).filter(path => !ignored.some(pattern => matches(path, pattern)));
  },
};

export function answer(getter: Getter, now: PocketWorld, start: PocketWorld): unknown {
  const found = Object.hasOwn(GETTERS, getter.type) ? GETTERS[getter.type] : undefined;
  if (found === undefined) {
    throw fault(`there is no getter '${getter.type}'; known are rule, ${Object.keys(GETTERS).join(', ')}`);
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

/** A pattern is a path in which '*' stands for any one part, and a last '**' for all that follows. */
function matches(path: string, pattern: string): boolean {
  const [parts, wanted] = [path.split('.'), pattern.split('.')];
  if (wanted.at(-1) === '**')
    return wanted.slice(0, -1).every((each, at) => each === '*' || each === parts[at]);
  return parts.length === wanted.length && wanted.every((each, at) => each === '*' || each === parts[at]);
}

/** Records with an id are told apart by it, so that one that is gone does not shift the others. */
function changedPaths(before: unknown, after: unknown, path = ''): string[] {
  if (Object.is(before, after)) return [];
  const [old, now] = [partsOf(before), partsOf(after)];
  if (old === undefined || now === undefined) return [path];
  const names = [...new Set([...old.keys(), ...now.keys()])].sort();
  return names.flatMap(name =>
    changedPaths(old.get(name), now.get(name), path === '' ? name : `${path}.${name}`),
  );
}

function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const parts = new Map<string, unknown>();
  for (const [index, each] of value.entries()) {
    const name = String(each?.id ?? each?.name ?? index);
    // Two of one name are two: the second is told apart by its place.
    parts.set(parts.has(name) ? `${name} (${index})` : name, each);
  }
  return parts;
}

/** Opens an application, as a set-up step asks. */
export interface AppOpening {
  readonly app: string;
  readonly what?: string;
}

/** The world and the open applications that a task's set-up steps ask for. */
export function worldFromSetup(steps: readonly SetupStep[]): {
  readonly world: PocketWorld;
  readonly openings: readonly AppOpening[];
} {
  const world = emptyWorld();
  const openings: AppOpening[] = [];
  for (const { type, parameters = {} } of steps) {
    if (type === 'pocket_world') merge(world, parameters);
    else if (type === 'pocket_open') {
      const what = parameters['what'];
      openings.push({ app: text(parameters, 'app', type), ...(typeof what === 'string' && { what }) });
    } else throw fault(`there is no set-up step '${type}'; known are pocket_world, pocket_open`);
  }
  return { world, openings };
}

/** Fields are replaced one by one; settings are merged into what is there. */
function merge(world: PocketWorld, parameters: Parameters): void {
  const { settings, ...rest } = structuredClone(parameters) as Partial<PocketWorld>;
  const unknown = Object.keys(parameters).find(name => !(name in world));
  if (unknown !== undefined)
    throw fault(`pocket_world has no '${unknown}'; it has ${Object.keys(world).join(', ')}`);
  const strange = Object.keys(settings ?? {}).find(name => !(name in world.settings));
  if (strange !== undefined) {
    throw fault(`settings have no '${strange}'; they have ${Object.keys(world.settings).join(', ')}`);
  }
  Object.assign(world.settings, settings);
  Object.assign(world, rest);
}
