// Encodes a trajectory as the bytes of one file and decodes it: a zip in the layout of an OSWorld result, with dartboard.json as the
// first entry.

import * as z from 'zod';
import type { SentImage } from '../../core/agent.ts';
import { messageOf } from '../../core/errors.ts';
import { sum } from '../../core/sum.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import { type ZipInput, zipped } from '../../core/zip-writer.ts';
import { numbersIn } from './choice-line.ts';
import { HEAD_NAME, headOf, parseHead, type TrajectoryHead } from './head.ts';
import {
  frameName,
  isChat,
  keptOf,
  LINES_NAME,
  linesIn,
  linesOf,
  observationName,
  stepOf,
  withoutPromptIds,
} from './lines.ts';
import { firstEntry, MAX_INFLATED_BYTES, ZipReader } from './zip.ts';

const RESULT_NAME = 'result.txt';

export class TrajectoryFileError extends Error {
  override readonly name = 'TrajectoryFileError';
}

/** No disk can store it: writing it again is useless. */
export class UnstorableTrajectory extends Error {
  override readonly name = 'UnstorableTrajectory';
}

export interface Encoded {
  readonly head: TrajectoryHead;
  readonly bytes: Uint8Array;
}

/**
 * Throws an UnstorableTrajectory for values that files cannot represent, and for a text that a reader would not inflate. Its message names no
 * trajectory and no step: equal reports of a run are counted instead of listed.
 */
export function encodeTrajectory(trajectory: Trajectory): Encoded {
  try {
    return encoded(trajectory);
  } catch (cause) {
    if (cause instanceof UnstorableTrajectory) throw cause;
    throw new UnstorableTrajectory(
      `A trajectory of the task ${trajectory.instance.task} cannot be stored (${reasonIn(cause)}). Correct the desktop, the evaluator or the server that it is from.`,
      { cause },
    );
  }
}

function encoded(trajectory: Trajectory): Encoded {
  const kept = keptOf(trajectory);
  requireFinite(kept);
  const head = headOf(kept);
  const entries = entriesOf(kept, head);
  if (inflatedBytes(entries) <= MAX_INFLATED_BYTES) return { head, bytes: zipped(entries) };
  const shorter = entriesOf(withoutPromptIds(kept), head);
  if (inflatedBytes(shorter) <= MAX_INFLATED_BYTES) return { head, bytes: zipped(shorter) };
  throw new UnstorableTrajectory(
    `A trajectory of the task ${kept.instance.task} cannot be stored: its messages and replies exceed the ${MAX_INFLATED_BYTES / (1 << 20)} MB that a file holds. Lower max_steps of the task, or select a mode of the agent with less text.`,
  );
}

/** Bytes that a reader inflates. */
const inflatedBytes = (entries: readonly ZipInput[]): number =>
  sum(entries.map(({ content, stored }) => (stored ? 0 : content.length)));

function entriesOf(kept: Trajectory, head: TrajectoryHead): readonly ZipInput[] {
  const { frames, outcome, steps, images: sent = [] } = kept;
  const images = frames.kind === 'png' ? frames.images : [];
  return [
    { name: HEAD_NAME, content: utf8(JSON.stringify(head)), stored: true },
    { name: LINES_NAME, content: utf8(linesOf(kept)) },
    // Broken episodes have no result, as in OSWorld: an average of results must not contain a 0 for them.
    ...(outcome.kind === 'judged'
      ? [{ name: RESULT_NAME, content: utf8(`${outcome.verdict.score}\n`), stored: true }]
      : []),
    ...images.map((content, index) => ({ name: frameName(index), content, stored: true })),
    ...steps.flatMap(({ observation }, index) =>
      observation === undefined
        ? []
        : // Messages repeat the system prompt; other observations are compressed already.
          [{ name: observationName(index), content: observation.bytes, stored: !isChat(observation) }],
    ),
    ...sent.map(({ sha256, png }) => ({ name: imageName(sha256), content: png, stored: true })),
  ];
}

/** `path` names the file in errors. Inflates off the main thread, and only the entries that a trajectory has. */
export async function decodeTrajectory(bytes: Uint8Array, path: string): Promise<Trajectory> {
  try {
    const zip = new ZipReader(bytes);
    const entry = async (name: string): Promise<Uint8Array> => {
      const content = await zip.read(name);
      if (content === undefined) throw new RangeError(`it has no entry ${name}`);
      return content;
    };
    const {
      format: _,
      steps: columns,
      frames,
      images: sent,
      replies: __,
      ...about
    } = parseHead(text(await entry(HEAD_NAME)));
    const lines = linesIn(text(await entry(LINES_NAME)));
    if (lines.length !== columns.kind.length)
      throw new RangeError(`it has ${lines.length} steps, but its head has ${columns.kind.length}`);
    const steps = await Promise.all(
      lines.map((line, index) => stepOf(line, () => entry(observationName(index)))),
    );
    const whole = { ...about, steps, ...(sent !== undefined && { images: await imagesIn(sent, entry) }) };
    if (frames.kind === 'redrawn') return { ...whole, frames };
    // Each image has an entry; the number in the head may be anything.
    if (frames.images > zip.names.length)
      throw new RangeError(`it has no entry ${frameName(frames.images - 1)}`);
    const images = await Promise.all(
      Array.from({ length: frames.images }, (_, index) => entry(frameName(index))),
    );
    return { ...whole, frames: { kind: 'png', images } };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** One image as it was sent to a model. `path` names the file in errors. Throws a TrajectoryFileError if the file lacks it. */
export async function sentImageIn(zip: ZipReader, sha256: string, path: string): Promise<Uint8Array> {
  const png = await zip.read(imageName(sha256));
  if (png !== undefined) return png;
  throw unreadable(path, new RangeError(`it has no entry ${imageName(sha256)}`));
}

const imageName = (sha256: string): string => `images/${sha256}.png`;

const imagesIn = (
  sent: readonly string[],
  entry: (name: string) => Promise<Uint8Array>,
): Promise<readonly SentImage[]> =>
  Promise.all(sent.map(async sha256 => ({ sha256, png: await entry(imageName(sha256)) })));

/** The head alone, from the first bytes of a file; or the number of bytes it needs. */
export function decodeHead(bytes: Uint8Array, path: string): TrajectoryHead | { readonly needs: number } {
  try {
    const first = firstEntry(bytes);
    if ('needs' in first) return first;
    if (first.name !== HEAD_NAME)
      throw new RangeError(`it starts with ${first.name} instead of ${HEAD_NAME}`);
    return parseHead(text(first.content));
  } catch (error) {
    throw unreadable(path, error);
  }
}

const unreadable = (path: string, cause: unknown): TrajectoryFileError =>
  new TrajectoryFileError(
    `The trajectory in '${path}' cannot be read (${reasonIn(cause)}). Restore the file from a copy, or delete it.`,
    { cause },
  );

/** The first field that is wrong: an error of the schema prints all of them as JSON. */
function reasonIn(cause: unknown): string {
  const issue = cause instanceof z.ZodError ? cause.issues[0] : undefined;
  return issue === undefined ? messageOf(cause) : `${issue.path.join('.')}: ${issue.message}`;
}

/** JSON cannot represent NaN and infinities. */
function requireFinite({ steps }: Trajectory): void {
  for (const { chosen } of steps) {
    const numbers = chosen === undefined ? [] : numbersIn(chosen.trace);
    const odd = numbers.find(number => !Number.isFinite(number));
    if (odd !== undefined) throw new RangeError(`a probability or an entropy is ${odd}`);
  }
}

const utf8 = (content: string): Uint8Array => new TextEncoder().encode(content);
const text = (content: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(content);
