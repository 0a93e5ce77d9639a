// What the set-up steps and getters of a web task work on.

import * as z from 'zod';
import { sentenceOf } from '../../core/errors.ts';
import { BoundaryError } from '../../core/failure.ts';
import { checked as checkedCall, type TaskFunction, taskError } from '../task-function.ts';
import { quiet, type WebContext } from './browser/context.ts';
import type { WebPage } from './page/page.ts';
import type { StoppedClockOptions } from './page/stopped-clock.ts';

export interface TaskPage {
  readonly context: WebContext;
  /** The page in the tab in front. */
  page(): WebPage;
  /** The time of pages that open from now on passes only with actions. */
  stopClock(options: StoppedClockOptions): void;
  /** Files that a file chooser offers, by name: the path of each. */
  readonly uploads: Map<string, string>;
  /** Where uploads are written. */
  readonly folder: string;
  /** The hosts that the settings allow. */
  readonly allow: readonly string[];
  /** The folder of MiniWoB++ pages; undefined if the user has none. */
  readonly miniwob: string | undefined;
  /** The folder with task files of the user: pages are served from it alone. */
  readonly files: string | undefined;
  /** The origins of the pages that the set-up opened. */
  readonly origins: Set<string>;
  /** What a page decides about the episode. */
  readonly rules: EpisodeRules;
}

export interface EpisodeRules {
  /** Replaces the instruction of the task. */
  instruction?: string;
  /** The page ends the episode itself. */
  endsItself?: boolean;
  /** From 0 to 1. */
  score?: () => Promise<number>;
}

export async function openPage({ context, origins }: TaskPage, url: string): Promise<void> {
  // The page may open another tab in front of its own.
  const { front } = context;
  await context.open(url);
  origins.add(new URL(url).origin);
  const { currentIndex, entries } = await front.send('Page.getNavigationHistory');
  // A server can redirect to another origin.
  const opened = entries[currentIndex]?.url ?? '';
  const origin = URL.canParse(opened) ? new URL(opened).origin : 'null';
  if (origin !== 'null') origins.add(origin);
}

/** Limit for a value that an error quotes. */
const MAX_GIVEN_CHARACTERS = 200;

/** The value of an expression in the page in front. */
export const evaluate = (thing: string, task: TaskPage, expression: string): Promise<unknown> =>
  withoutDialog(thing, task, task.page().evaluate(expression));

/** Resolves like a call with `given`, a value of the task. If the call fails and the browser still answers, the error is one of the task. */
export async function taskCall<Value>(
  thing: string,
  task: TaskPage,
  given: unknown,
  call: Promise<Value>,
): Promise<Value> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof BoundaryError) || error.failure.boundary !== 'environment') throw error;
    // Rejects if the page crashed or the browser is broken. A script of the task that never ends blocks only the page.
    await task.context.front.send('Page.getNavigationHistory');
    throw taskError(
      thing,
      `${sentenceOf(error.failure.message)} Correct ${json(given).slice(0, MAX_GIVEN_CHARACTERS)}.`,
    );
  }
}

/** Resolves like `value`. A dialog that is open, or that opens meanwhile, blocks the page. */
export async function withoutDialog<Value>(
  thing: string,
  { context }: TaskPage,
  value: Promise<Value>,
): Promise<Value> {
  const ended = quiet(value.then(of => ({ of })));
  for (;;) {
    const done = await context.unlessInterrupted(ended);
    if (done !== undefined) return done.of;
    const { dialog } = context;
    if (dialog !== undefined && dialog.kind !== 'files')
      throw taskError(
        thing,
        `the dialog ${json(dialog.message)} blocks the page. Let the page open none, or let the agent answer it.`,
      );
  }
}

export type WebTaskFunction<Result> = TaskFunction<TaskPage, Result>;

/** An unknown parameter is an error. */
export const checked = <Shape extends z.ZodRawShape, Result>(
  thing: string,
  shape: Shape,
  run: (task: TaskPage, parameters: z.infer<z.ZodObject<Shape>>) => Promise<Result>,
): WebTaskFunction<Result> => checkedCall(thing, z.strictObject(shape), run);

export const json = (value: unknown): string => JSON.stringify(value);
