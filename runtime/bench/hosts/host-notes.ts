// The records of a host's process in the benchmark: one line per event, in a file of its own. A file keeps what a killed process has written.

import { randomUUID } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Action } from '../../core/action.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { Instance } from '../../core/task.ts';

export type HostNote =
  | { readonly kind: 'reset'; readonly desktop: string; readonly instance: Instance }
  | { readonly kind: 'act'; readonly desktop: string; readonly action: Action }
  /** A policy worker has loaded weights. */
  | { readonly kind: 'load'; readonly version: number; readonly hash: string }
  /** A decision has another version than the weights that its worker had loaded. */
  | { readonly kind: 'misnamed'; readonly version: number; readonly loaded: number | undefined };

export type AddNote = (note: HostNote) => void;

export function hostNotes(folder: string): AddNote {
  const file = openSync(join(folder, `${randomUUID()}.ndjson`), 'a');
  // Each line is one call of the system, so a process that is killed leaves whole lines.
  return note => void writeSync(file, `${JSON.stringify(note)}\n`);
}

/** The notes of each process. */
export async function readNotes(folder: string): Promise<readonly (readonly HostNote[])[]> {
  const texts = await Promise.all((await readdir(folder)).map(name => readFile(join(folder, name), 'utf8')));
  return texts.map(text =>
    text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line)),
  );
}

/** Notes each reset and action before it is performed. */
export function notedDesktop(desktop: Desktop, add: AddNote): Desktop {
  const { id, renderer } = desktop;
  return {
    id,
    ...(renderer !== undefined && { renderer }),
    reset: (task, seed) => {
      add({ kind: 'reset', desktop: id, instance: { task: task.id, seed } });
      return desktop.reset(task, seed);
    },
    act: action => {
      add({ kind: 'act', desktop: id, action });
      return desktop.act(action);
    },
    query: getter => desktop.query(getter),
    setup: step => desktop.setup(step),
    judge: ending => desktop.judge(ending),
    close: () => desktop.close(),
  };
}
