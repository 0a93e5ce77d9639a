// The stored trajectories of a folder that offline desktops can play: successes with all their pictures. Marks of people apply: verdicts,
// instructions and trimmed parts.

import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ACTION_KINDS, type ActionKind } from '../core/action.ts';
import { messageOf } from '../core/errors.ts';
import type { TrajectoryId } from '../core/ids.ts';
import { isSuccess } from '../core/verdict.ts';
import { MAX_ZIP_END_BYTES, zipDirectoryPlace, zipEntries } from '../core/zip-directory.ts';
import type { TrajectoryHead } from '../data/files/head.ts';
import { frameName } from '../data/files/lines.ts';
import { type Marked, type Part, UNMARKED } from '../data/files/marks.ts';
import { idIn } from '../data/files/places.ts';
import { decodeTrajectory } from '../data/files/trajectory-file.ts';
import { readHead } from '../data/index/listing.ts';
import type {
  ExpertAbout,
  ExpertSource,
  ExpertTrajectory,
} from '../environments/offline/expert-trajectory.ts';
import { isOfflineTask } from '../environments/offline/suite.ts';
import { readMarks } from './folders/read-marks.ts';

const NO_EXPERTS: ExpertSource = {
  experts: [],
  left: [],
  read: ({ file }) => Promise.reject(new RangeError(`The file '${file}' is in no folder of trajectories.`)),
};

/** Rejects if the folder cannot be read. */
export async function expertsIn(folder: string | undefined): Promise<ExpertSource> {
  if (folder === undefined) return NO_EXPERTS;
  const files = await filesIn(folder);
  const marks = await marksOf(resolve(folder));
  const parts = new Map<ExpertAbout, Part>();
  const experts: ExpertAbout[] = [];
  const left: { file: string; why: string }[] = [];
  for (const file of files) {
    try {
      const { head, pictures } = await readAbout(file);
      // A run on stored trajectories stores its demonstrations here, and they are copies.
      if (head.provenance.kind === 'oracle' && isOfflineTask(head.instance.task)) continue;
      const ofHead = marks.get(head.id) ?? UNMARKED;
      const { from, to } = ofHead.trim ?? { from: 0, to: head.steps.kind.length };
      const part = { from, to: Math.min(to, head.steps.kind.length) };
      const why = refusalOf(head, pictures, ofHead, part);
      if (why !== undefined) {
        left.push({ file, why });
        continue;
      }
      const instruction = ofHead.newInstruction ?? head.instruction;
      const about = {
        ...{ id: head.id, task: head.instance.task, instruction, file },
        steps: part.to - part.from,
      };
      experts.push(about);
      parts.set(about, part);
    } catch (error) {
      // The entry names the file.
      left.push({ file, why: messageOf(error).replace(` in '${file}'`, '').replace(` '${file}'`, '') });
    }
  }
  return {
    experts,
    left,
    read: async about => expertFrom(about.file, parts.get(about) ?? { from: 0, to: about.steps }),
  };
}

/** They lie beside the runs. The folder may be that of all runs, of one run, or of the trajectories of one run. */
async function marksOf(folder: string): Promise<ReadonlyMap<TrajectoryId, Marked>> {
  for (const root of [folder, dirname(folder)]) {
    const marks = await readMarks(root);
    if (marks.size > 0) return marks;
  }
  return await readMarks(dirname(dirname(folder)));
}

async function expertFrom(file: string, { from, to }: Part): Promise<ExpertTrajectory> {
  const { steps, frames } = await decodeTrajectory(await readFile(file), file);
  const images = frames.kind === 'png' ? frames.images : [];
  return { actions: steps.slice(from, to).map(({ action }) => action), screens: images.slice(from, to + 1) };
}

/** In the order of their names, which are ids. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(each => each.isFile() && idIn(each.name) !== undefined);
  return files
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(each => join(each.parentPath, each.name));
}

/** The reason why it cannot be played, and the remedy. */
function refusalOf(
  { frames, outcome, instruction, purpose, steps }: TrajectoryHead,
  pictures: ReadonlySet<string>,
  { verdict, newInstruction }: Marked,
  part: Part,
): string | undefined {
  if (purpose === 'evaluate')
    return 'It is an episode of an evaluation, which must not be used for training.';
  if (!(verdict ?? isSuccess(outcome)))
    return outcome.kind === 'broken' && verdict === undefined
      ? 'It has no score. If it is correct, set a verdict by hand.'
      : 'It is no success. If it is correct, set a verdict by hand.';
  if (frames.kind !== 'png') return 'Its pictures are not stored. Train on desktops of its own kind instead.';
  return whyNotPlayed(
    {
      instruction: newInstruction ?? instruction,
      kinds: steps.kind.map(kind => ACTION_KINDS[kind] ?? 'none'),
      hasPicture: step => pictures.has(frameName(step)),
    },
    part,
  );
}

interface PlayedParts {
  readonly instruction: string;
  /** Of the action of each step. */
  readonly kinds: readonly ActionKind[];
  /** Whether there is a picture of the screen before a step. */
  readonly hasPicture: (step: number) => boolean;
}

/** The reason why a success cannot be played, and the remedy; undefined if it can. */
export function whyNotPlayed(
  { instruction, kinds, hasPicture }: PlayedParts,
  { from, to }: Part = { from: 0, to: kinds.length },
): string | undefined {
  if (instruction.trim() === '') return 'It has no instruction. Set one in the panel Annotate.';
  if (from >= to) return 'It has no steps.';
  for (let step = from; step < to; step++) {
    if (kinds[step] === 'none')
      return `Step ${step + 1} has no action that Dartboard can perform. Trim it to the steps before or after.`;
    if (!hasPicture(step))
      return `The picture before step ${step + 1} is missing. Trim it to the steps that have one, or import it again with its pictures.`;
  }
  return undefined;
}

interface FileAbout {
  readonly head: TrajectoryHead;
  /** The names of the entries that are not empty. */
  readonly pictures: ReadonlySet<string>;
}

/** Reads the head and the directory alone: a file has all its pictures. */
async function readAbout(path: string): Promise<FileAbout> {
  const { head, bytes: size } = readHead(path);
  const file = await open(path);
  try {
    const tail = Math.min(MAX_ZIP_END_BYTES, size);
    const directory = zipDirectoryPlace(await bytesAt(file, size - tail, tail));
    const entries = zipEntries(await bytesAt(file, directory.at, directory.bytes));
    const full = entries.filter(({ bytes }) => bytes > 0);
    return { head, pictures: new Set(full.map(({ nameBytes }) => new TextDecoder().decode(nameBytes))) };
  } finally {
    await file.close();
  }
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  const { bytesRead } = await file.read(bytes, 0, length, position);
  return bytes.subarray(0, bytesRead);
}
