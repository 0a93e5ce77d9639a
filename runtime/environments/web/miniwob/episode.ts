// An episode of a page of MiniWoB++: starts it in the loaded page, and reads whether it is over and what it scored. Pages are not trusted:
// their values are parsed.

import { z } from 'zod';
import { BoundaryError } from '../../../core/failure.ts';
import { safeParse } from '../../../core/safe-parse.ts';
import { DATA_MODES, pageNamed, scoreOf } from './catalogue.ts';
import { STATE_SCRIPT, startScript } from './scripts.ts';

/** Evaluates an expression in the world of the page, waits for its promise, and returns its JSON value. */
export type EvaluateInPage = (expression: string) => Promise<unknown>;

/** The parameters of the set-up step `miniwob`. */
export const miniwobStart = z.strictObject({
  page: z.string().regex(/^[\w-]{1,100}$/),
  seed: z.int().min(0),
  mode: z.enum(DATA_MODES),
});
export type MiniwobStart = z.infer<typeof miniwobStart>;

/** The URL path of a page on the host that serves the user's folder. */
export const pathOf = (page: string): string => `/html/miniwob/${page}.html`;

/** Whether the next episode of the page starts in the loaded document. Others are loaded again first. */
export const startsInPlace = (page: string): boolean => pageNamed(page).reload === undefined;

/** Whether the page changes without an action, so that its clock must stand still between actions. */
export const movesByClock = (page: string): boolean => pageNamed(page).movesByClock === true;

const TEXT = z.string().max(2000);
const started = z.union([z.object({ utterance: TEXT.min(1) }), z.object({ problem: TEXT })]);

/** Returns the instruction. The page must be loaded. Rejects with a BoundaryError of the task if it is no page of MiniWoB++. */
export async function startEpisode(
  evaluate: EvaluateInPage,
  { page, seed, mode }: MiniwobStart,
): Promise<string> {
  const result = safeParse(started, await evaluate(startScript(seed, mode)));
  const problem = result.success
    ? 'problem' in result.data && result.data.problem
    : 'it has no instruction in text';
  if (!result.success || 'problem' in result.data)
    throw broken(page, `The page cannot start: ${problem}. Use a page of MiniWoB++, or remove it.`);
  return result.data.utterance;
}

const state = z.object({ isOver: z.boolean(), reward: z.number() });

export interface MiniwobState {
  /** The page ended the episode: further actions change nothing. */
  readonly isOver: boolean;
  /** From 0 to 1; 0 until it is over. */
  readonly score: number;
}

export async function readEpisode(evaluate: EvaluateInPage, page: string): Promise<MiniwobState> {
  const result = safeParse(state, await evaluate(STATE_SCRIPT));
  if (!result.success)
    throw broken(page, 'The page changed its reward to a value that is not a number. Load the page again.');
  const { isOver, reward } = result.data;
  return { isOver, score: isOver ? scoreOf(pageNamed(page), reward) : 0 };
}

const broken = (page: string, message: string): BoundaryError =>
  new BoundaryError({ boundary: 'task', thing: `miniwob-${page}`, message });
