// The files of a run's tasks on a joined host, as the daemon sent them: in a folder of temporary files for as long as the host is a member.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { BlobHash, Blobs } from '../../blobs/blobs.ts';
import { sentenceOf } from '../../core/errors.ts';
import { parsedJson } from '../../core/json.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { SENT_MINIWOB, SENT_MIRROR, SENT_TASKS, sentFiles } from './sent-tasks.ts';

export interface ReceivedTasks {
  /** The folder of the task files, if the run has some. */
  readonly files?: string;
  /** The folder of mirrored files, if the run has some. */
  readonly mirror?: string;
  /** The folder of MiniWoB++, if the run trains its pages. */
  readonly miniwob?: string;
  /** Deletes them. Never rejects: a folder that stays is reported. */
  readonly remove: () => Promise<void>;
}

/** Rejects with a RangeError when another version of Dartboard sent them. `say` reports a folder that cannot be deleted. */
export async function receiveTasks(
  list: BlobHash,
  blobs: Blobs,
  say: (text: string) => void,
): Promise<ReceivedTasks> {
  const { data: files, error } = safeParse(
    sentFiles,
    parsedJson(Buffer.from(await bytesOf(list, blobs)).toString()),
  );
  if (error !== undefined)
    throw new RangeError(
      `The daemon's list of task files cannot be read (${error.issues[0]?.message}). Install the same version of Dartboard on both machines.`,
    );
  const folder = await mkdtemp(join(tmpdir(), 'dartboard-joined-'));
  const remove = () =>
    rm(folder, { recursive: true, force: true }).catch((error: unknown) =>
      say(
        `The task files of the run in ${folder} cannot be deleted: ${sentenceOf(error)} Delete the folder.`,
      ),
    );
  try {
    for (const { path, hash } of files) {
      const file = join(folder, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await bytesOf(hash, blobs));
    }
  } catch (failure) {
    await remove();
    throw failure;
  }
  const has = (sent: string) => files.some(({ path }) => path.startsWith(`${sent}/`));
  return {
    ...(has(SENT_TASKS) && { files: join(folder, SENT_TASKS) }),
    ...(has(SENT_MIRROR) && { mirror: join(folder, SENT_MIRROR) }),
    ...(has(SENT_MINIWOB) && { miniwob: join(folder, SENT_MINIWOB) }),
    remove,
  };
}

async function bytesOf(hash: BlobHash, blobs: Blobs): Promise<Uint8Array> {
  const bytes = await blobs.get(hash);
  if (bytes !== undefined) return bytes;
  throw new Error(`The daemon has no file ${hash} of the run's tasks any more. Join again.`);
}
