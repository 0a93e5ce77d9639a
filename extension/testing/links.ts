// The text of a test message, and its link to the Inspector. Pure.

import type { CommandTarget } from '../command-table.ts';
import { COMMANDS } from '../commands.ts';
import type { FailureMessage } from './progress.ts';

/** The only command that a message may run. */
export const LINKED_COMMAND = COMMANDS.openTrajectories;

/** Markdown: '[Open step 7](command:…)'. */
export function inspectorLink({ trajectory, step }: NonNullable<FailureMessage['at']>): string {
  const target: CommandTarget = { trajectory, step };
  const query = encodeURIComponent(JSON.stringify([target]));
  // A parenthesis would end the address of the link.
  const address = query.replace(/[()]/g, character => (character === '(' ? '%28' : '%29'));
  return `[Open step ${step + 1}](command:${LINKED_COMMAND}?${address})`;
}

/** The output of a test run is a terminal: without control characters, and with its line ends. */
export const terminalText = (line: string): string => `${line.replace(/\p{Cc}+/gu, ' ')}\r\n`;
