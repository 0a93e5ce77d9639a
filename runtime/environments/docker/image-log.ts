// What an engine says while it builds or loads an image: lines of JSON, read here as words for people. Pure, but for the stream.

import type { Readable } from 'node:stream';
import { z } from 'zod';
import { BoundaryError } from '../../core/failure.ts';

const line = z.object({
  stream: z.string().optional(),
  error: z.string().optional(),
});

/** Lines before a failure that are told with it: what went wrong is in them, not in the engine's own word. */
const LAST = 12;

/** Tells the steps of what goes on, one after another; rejects with what was said last where it fails. */
export async function followProgress(
  log: Readable,
  what: string,
  thing: string,
  tell: (step: string) => void,
): Promise<void> {
  const last: string[] = [];
  for await (const text of lines(log)) {
    const { stream = '', error } = read(text);
    for (const said of stream.split('\n').map(shown).filter(Boolean)) {
      last.push(said);
      const step = stepOf(said);
      if (step !== undefined) tell(step);
    }
    if (error === undefined) continue;
    const before = last.slice(-LAST).map(each => `\n  ${each}`);
    throw new BoundaryError({
      boundary: 'provider',
      thing,
      message: `${what}: ${error.trim()}${before.join('')}`,
    });
  }
}

/** 'step 3 of 9: apt-get update', of 'Step 3/9 : RUN apt-get update'. */
export function stepOf(said: string): string | undefined {
  const [, number, all, what = ''] = /^Step (\d+)\/(\d+) : (.*)$/.exec(said) ?? [];
  if (number === undefined) return undefined;
  const command = what.replace(/^RUN /, '').replaceAll(/\s+/g, ' ');
  return `step ${number} of ${all}: ${command.length > 60 ? `${command.slice(0, 59)}…` : command}`;
}

/** Without colours and what else moves a cursor. */
const shown = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
    .replaceAll(/\u001b\[[0-9;]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f]/g, '')
    .trimEnd();

function read(text: string): z.infer<typeof line> {
  try {
    const parsed = line.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : {};
  } catch {
    return {};
  }
}

async function* lines(log: Readable): AsyncGenerator<string> {
  let rest = '';
  log.setEncoding('utf8');
  for await (const piece of log) {
    const all = `${rest}${piece}`.split('\n');
    rest = all.pop() ?? '';
    yield* all;
  }
  if (rest !== '') yield rest;
}
