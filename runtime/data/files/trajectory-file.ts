// A trajectory as the bytes of one file, a zip in the layout of an OSWorld result, and back. dartboard.json comes first. Where the
// file lies, and how it gets there safely, is told in folder.ts.

import type { Trajectory } from '../../core/trajectory.ts';
import { HEAD_NAME, type Head, headOf, parseHead } from './head.ts';
import { frameName, keptOf, LINES_NAME, linesOf, observationName, stepsOf } from './lines.ts';
import { type Entry, firstEntry, type Packed, unzipped, zipped } from './zip.ts';

const RESULT_NAME = 'result.txt';

export class TrajectoryFileError extends Error {
  override readonly name = 'TrajectoryFileError';
}

export interface Encoded {
  readonly head: Head;
  readonly bytes: Uint8Array;
}

export function encodeTrajectory(trajectory: Trajectory): Encoded {
  const kept = keptOf(trajectory);
  refuseUnwritable(kept);
  const head = headOf(kept);
  const { frames, outcome, steps } = kept;
  const images = frames.kind === 'png' ? frames.images : [];
  const entries: Packed[] = [
    { name: HEAD_NAME, content: utf8(JSON.stringify(head)), stored: true },
    { name: LINES_NAME, content: utf8(linesOf(kept)) },
    // Broken ones have no result, as in OSWorld: whoever averages results must not find a 0.
    ...(outcome.kind === 'judged'
      ? [{ name: RESULT_NAME, content: utf8(`${outcome.verdict.score}\n`), stored: true }]
      : []),
    ...images.map((content, index) => ({ name: frameName(index), content, stored: true })),
    ...steps.flatMap(({ observation }, index) =>
      observation === undefined
        ? []
        : [{ name: observationName(index), content: observation.bytes, stored: true }],
    ),
  ];
  return { head, bytes: zipped(entries) };
}

/** `path` is what errors call the file. */
export const decodeTrajectory = (bytes: Uint8Array, path: string): Trajectory =>
  readable(path, () => {
    const entries = unzipped(bytes);
    const entry = (name: string): Uint8Array => {
      const content = entries.get(name);
      if (content === undefined) throw new RangeError(`it has no entry ${name}`);
      return content;
    };
    const { format: _, steps: columns, frames, ...about } = parseHead(text(entry(HEAD_NAME)));
    const steps = stepsOf(text(entry(LINES_NAME)), index => entry(observationName(index)));
    if (steps.length !== columns.kind.length) throw new RangeError('its entries do not belong together');
    return {
      ...about,
      steps,
      frames:
        frames.kind === 'redrawn'
          ? frames
          : {
              kind: 'png',
              images: Array.from({ length: frames.images }, (_, index) => entry(frameName(index))),
            },
    };
  });

/** The head alone, from the first bytes of a file; or how many it takes. */
export const decodeHead = (bytes: Uint8Array, path: string): Head | { readonly needs: number } =>
  readable(path, () => {
    const first: Entry | { readonly needs: number } = firstEntry(bytes);
    if ('needs' in first) return first;
    if (first.name !== HEAD_NAME)
      throw new RangeError(`it begins with ${first.name} instead of ${HEAD_NAME}`);
    return parseHead(text(first.content));
  });

function readable<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TrajectoryFileError(
      `The trajectory in '${path}' cannot be read (${reason}): put the file back from a copy, or delete it.`,
      { cause: error },
    );
  }
}

/** JSON has no way to write these: they would come back as something else, or not at all. */
function refuseUnwritable({ id, steps }: Trajectory): void {
  for (const [index, { chosen }] of steps.entries()) {
    const numbers = (chosen?.decisions ?? []).flatMap(({ logProbability, entropy, alternatives }) => [
      logProbability,
      entropy,
      ...alternatives.map(alternative => alternative.logProbability),
    ]);
    const odd = numbers.find(number => !Number.isFinite(number));
    if (odd === undefined) continue;
    throw new RangeError(
      `Step ${index} of the trajectory ${id} has a probability or an entropy of ${odd}: it cannot be kept.`,
    );
  }
}

const utf8 = (content: string): Uint8Array => new TextEncoder().encode(content);
const text = (content: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(content);
