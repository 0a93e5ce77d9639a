// Writes an episode in the folder layout of OSWorld's results, which its script `show_result.py` reads:
// ACTION_SPACE/OBSERVATION_TYPE/MODEL/DOMAIN/TASK/, with traj.jsonl, result.txt and step_N.png.

import { createHash } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Trajectory } from '../core/trajectory.ts';
import { frameName, LINES_NAME, linesOf } from '../data/files/lines.ts';

/** The actions of traj.jsonl are pyautogui code. */
const ACTION_SPACE = 'pyautogui';
const RESULT_NAME = 'result.txt';

export interface OsworldEpisode {
  readonly trajectory: Trajectory;
  /** As PNGs: one more than there are steps, unless the last step broke. */
  readonly pictures: readonly Uint8Array[];
  /** The name of the agent, in the place of the model. */
  readonly agent: string;
  readonly domain: string;
}

/** The folder of an episode below the folder of the results. */
export function osworldFolder({ trajectory, agent, domain }: Omit<OsworldEpisode, 'pictures'>): string {
  const { task, seed } = trajectory.instance;
  return posix.join(
    ACTION_SPACE,
    trajectory.mode,
    fileName(agent),
    fileName(domain),
    `${fileName(task)}-${seed}`,
  );
}

/** Replaces an earlier result of the same instance. Returns the folder of the episode. */
export async function writeOsworldEpisode(root: string, episode: OsworldEpisode): Promise<string> {
  const { trajectory, pictures } = episode;
  const folder = join(root, osworldFolder(episode));
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(folder))
    if (name === RESULT_NAME || name === LINES_NAME || /^step_\d+\.png$/.test(name))
      await rm(join(folder, name));
  for (const [index, picture] of pictures.entries()) await writeFile(join(folder, frameName(index)), picture);
  const frames = { kind: 'png', images: pictures } as const;
  await writeFile(join(folder, LINES_NAME), linesOf({ ...trajectory, frames }));
  // Last: its existence means that the episode is complete. A broken episode has none, because an average of results must not contain a 0
  // for it.
  const { outcome } = trajectory;
  if (outcome.kind === 'judged') await writeFile(join(folder, RESULT_NAME), `${outcome.verdict.score}\n`);
  return folder;
}

const MAX_NAME_LENGTH = 100;

/** Task ids may contain nearly all characters. Equal results have equal names. */
function fileName(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^\.+/, '_');
  if (plain === name && name.length <= MAX_NAME_LENGTH) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${plain.slice(0, MAX_NAME_LENGTH)}-${hash}`;
}
