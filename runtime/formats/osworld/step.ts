// One line of traj.jsonl as a turn: a step of Dartboard, or an action of another program. Pure.

import * as z from 'zod';
import { computer13, readComputer13 } from '../../agents/codecs/computer13.ts';
import { readCode } from '../../agents/codecs/pyautogui.ts';
import { MAX_STORED_NOTCHES } from '../../core/action.ts';
import { safeParse } from '../../core/safe-parse.ts';
import type { Point } from '../../core/screen.ts';
import type { ChosenBy, Step } from '../../core/step.ts';
import { chosenLine, chosenOf } from '../../data/files/choice-line.ts';
import { candidate } from '../../data/files/schema.ts';
import { laterSteps, readingOfTurn, stepsOfTurn, type TurnReading } from '../steps.ts';
import { ownReply } from './own-reply.ts';

export const osworldLine = z.looseObject({
  step_num: z.number().nullish(),
  action_timestamp: z.union([z.string(), z.number()]).nullish(),
  action: z.unknown().optional(),
  response: z.unknown().optional(),
  screenshot_file: z.string().nullish(),
  /** Written instead of a step when an episode fails. */
  Error: z.unknown().optional(),
  dartboard: z
    .object({
      action: z.unknown().optional(),
      meant: z.array(candidate),
      chosen: chosenLine.exactOptional(),
    })
    .optional()
    // A line that another version wrote still has OSWorld's fields.
    .catch(undefined),
});

/** The action of agents that call a tool: they add the code to the call. */
const toolCall = z.looseObject({ command: z.string(), raw_response: z.string().nullish() });

export type OsworldLine = z.output<typeof osworldLine>;

export interface ReadLine {
  readonly steps: readonly Step[];
  readonly reading: TurnReading;
}

export interface LineContext {
  /** An earlier line has the same reply. */
  readonly isContinued: boolean;
  readonly pointer: Point | undefined;
  /** The position of a scroll at an unknown pointer. */
  readonly scrollAt: Point;
}

export const readLine = (line: OsworldLine, context: LineContext): ReadLine =>
  ownStep(line) ?? foreignSteps(line, context);

/** The exact step, if Dartboard wrote the line. */
function ownStep({ dartboard }: OsworldLine): ReadLine | undefined {
  if (dartboard === undefined) return undefined;
  const { action: object, meant, chosen: line } = dartboard;
  const reading = readingOfTurn('', () => [computer13.decode(object)]);
  if (reading.kind === 'unreadable') return undefined;
  const [action] = reading.actions;
  const chosen = line && chosenFrom(line);
  return { steps: [{ action, meant, ...(chosen !== undefined && { chosen }) }], reading };
}

function chosenFrom(line: z.output<typeof chosenLine>): ChosenBy | undefined {
  try {
    return ownReply(chosenOf(line));
  } catch (error) {
    // Columns of different lengths.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function foreignSteps(
  { action, response }: OsworldLine,
  { isContinued, pointer, scrollAt }: LineContext,
): ReadLine {
  const call = safeParse(toolCall, action).data;
  const code = typeof action === 'string' ? action : call?.command;
  const written = code ?? JSON.stringify(action ?? '');
  const reading = readingOfTurn(written, () =>
    code === undefined
      ? readComputer13(action, { pointer, scrollAt })
      : readCode(code, { pointer, scrollAt, maxNotches: MAX_STORED_NOTCHES }),
  );
  const reply = textOf(response) || (call?.raw_response ?? '');
  if (reading.kind === 'unreadable')
    // An action that cannot be read is kept as text, also without a reply.
    return { steps: stepsOfTurn({ raw: isContinued || reply === '' ? written : reply, reading }), reading };
  const steps =
    isContinued && reply !== '' ? laterSteps(reading.actions) : stepsOfTurn({ raw: reply, reading });
  return { steps, reading };
}

/** The reply of a line; agents also write it as an object or a list. */
export const textOf = (response: unknown): string =>
  typeof response === 'string'
    ? response
    : response === undefined || response === null
      ? ''
      : JSON.stringify(response);
