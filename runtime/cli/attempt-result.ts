// The result of an attempt in words, and the page of its screens. The attempts of saved weights and of agents share it.

import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { messageOf } from '../core/errors.ts';
import type { Instance } from '../core/task.ts';
import { makePrivateFolder } from '../data/files/durable.ts';
import { OWNER_ONLY_FILE } from '../data/files/places.ts';
import type { Attempt } from '../inference/calls.ts';
import { runName } from '../run/folders/run-folder.ts';

export const aboutInstance = ({ task, seed }: Instance): string =>
  `desktop of task ${task}, instance ${seed}`;

const ENDINGS: Readonly<Record<Attempt['ending'], string>> = {
  finished: 'The agent reported the task as done.',
  fail: 'The agent reported the task as infeasible.',
  capped: 'The agent used all its steps without finishing.',
};

type AttemptOutcome = Pick<Attempt, 'ending' | 'outcome' | 'changes' | 'success'>;

export function resultLines({ ending, outcome, changes, success }: AttemptOutcome): readonly string[] {
  const verdict = success === undefined ? [] : [success ? 'The task is solved.' : 'The task is not solved.'];
  const done = outcome === undefined ? describeChanges(changes) : [`Its outcome: “${outcome}”`];
  return [[ENDINGS[ending], ...done].join(' '), ...verdict];
}

/** Only pocket desktops report what changed. */
function describeChanges(changes: Attempt['changes']): readonly string[] {
  if (changes === undefined) return [];
  const [first, ...more] = changes;
  if (first === undefined) return ['Nothing changed.'];
  const others = more.length > 3 ? `, and ${more.length - 3} more` : '';
  return [`Changed: ${[first, ...more.slice(0, 3)].join(', ')}${others}.`];
}

/** Returns the file of the page: named by time, with a number when the name is taken. */
export async function writeFilm(folder: string, film: string): Promise<string> {
  const name = join(folder, runName(new Date(), 'attempt'));
  try {
    await makePrivateFolder(folder);
    // The screens stay out of version control.
    await writeFile(join(folder, '.gitignore'), '*\n', { mode: OWNER_ONLY_FILE });
    for (let number = 1; ; number++) {
      const file = `${name}${number === 1 ? '' : `-${number}`}.html`;
      if (await writeNewFile(file, film)) return relative('', file);
    }
  } catch (error) {
    throw new Error(
      `The page of screens cannot be written to '${folder}' (${messageOf(error)}). Make that folder writable, or start Dartboard in another one.`,
    );
  }
}

/** False if the file exists. */
async function writeNewFile(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { mode: OWNER_ONLY_FILE, flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}
