// Reads text files of a source as JSON, with errors for the user.

import type * as z from 'zod';
import { messageOf } from '../core/errors.ts';
import { parseJson } from '../core/json.ts';
import { safeParse } from '../core/safe-parse.ts';
import { UnstorableTrajectory } from '../data/files/trajectory-file.ts';
import { EpisodeError } from './episode.ts';
import { MAX_SCORE_BYTES, MAX_TRAJECTORY_TEXT_BYTES } from './limits.ts';
import { type ForeignScore, scoreIn } from './outcome.ts';
import { baseOf } from './source/names.ts';
import { SourceError, type SourceFiles } from './source/source.ts';

export async function jsonIn(file: string, source: SourceFiles): Promise<unknown> {
  return parsedText(await textOf(file, source, MAX_TRAJECTORY_TEXT_BYTES));
}

/** Throws an EpisodeError for text that is no JSON, or is nested too deeply. */
export function parsedText(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new EpisodeError(`It is no JSON (${messageOf(error)}). Repair it, or leave it out.`);
  }
}

/** The same for a line of a file, whose number the error names. */
export function parsedLine(text: string, number: number): unknown {
  try {
    return parsedText(text);
  } catch (error) {
    throw new EpisodeError(`Line ${number}: ${refusalOf(error)}`);
  }
}

async function textOf(file: string, source: SourceFiles, maxBytes: number): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: false }).decode(await source.read(file, maxBytes));
}

/** Throws an EpisodeError that names the first field that is wrong. */
export function checkedJson<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const result = safeParse(schema, value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new EpisodeError(
    `It is not ${what}: ${issue?.message ?? 'the value is wrong'}${place === '' ? '' : ` at ${place}`}. Repair it, or leave it out.`,
  );
}

/** The score in a file such as result.txt, if there is one. */
export async function scoreOf(
  file: string | undefined,
  source: SourceFiles,
): Promise<ForeignScore | undefined> {
  if (file === undefined || !source.has(file)) return undefined;
  try {
    return scoreIn(await textOf(file, source, MAX_SCORE_BYTES), baseOf(file));
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { kind: 'none', why: error.message };
  }
}

/** The reason of an expected failure, for a refusal; anything else is a bug or a broken disk and passes. */
export function refusalOf(error: unknown): string {
  if (error instanceof EpisodeError || error instanceof SourceError) return error.message;
  // Such as a text that a reader would not inflate.
  if (error instanceof UnstorableTrajectory) return error.message;
  throw error;
}
