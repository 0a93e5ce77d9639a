// Where a command prints to: a terminal, a file or a pipe.

import { DAEMON_FILE } from '../../protocol/daemon/daemon-file.ts';
import { indented, renderLine, type StyledLine } from './line.ts';
import type { TerminalStream } from './live.ts';

export interface Output extends TerminalStream {
  readonly isTTY?: boolean;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export const hasDisplay = ({ isTTY = false }: Output, environment: Environment): boolean =>
  isTTY && environment['TERM'] !== 'dumb';

/** The address contains the token, so only a terminal shows it: output of other kinds ends up in logs. `file` has it too. */
export const browserHint = ({ isTTY = false }: Output, address: string, file = DAEMON_FILE): string =>
  isTTY ? `Open ${address} in a browser.` : `Open the 'url' of '${file}' in a browser.`;

/** The address contains a token, so only a terminal shows it. Every shell reads double quotes, also cmd.exe. */
export function joinHint({ isTTY = false }: Output, program: string, address: string): string {
  if (!isTTY) return 'Other machines can join. The panel Training shows the command for them.';
  const command = program === 'dartboard' ? program : 'npx dartboard';
  return `Other machines join with: ${command} join "${address}"`;
}

/** The NO_COLOR convention of no-color.org: set and not empty means no colours. */
export const hasColour = (output: Output, environment: Environment): boolean =>
  hasDisplay(output, environment) && (environment['NO_COLOR'] ?? '') === '';

/** The width of what is written where there is no terminal. */
export const DEFAULT_COLUMNS = 100;
export const MARGIN = 2;

export interface Printer {
  readonly output: Output;
  readonly environment: Environment;
}

/** The columns that a line may fill beside the margin. A terminal without a size reports 0 columns. */
export const widthOfOutput = (output: Output): number => (output.columns || DEFAULT_COLUMNS) - 1 - MARGIN;

/** Prints lines behind a margin, in colour where the output has colours. */
export function printLines({ output, environment }: Printer, lines: readonly StyledLine[]): void {
  const colour = hasColour(output, environment);
  output.write(
    indented(lines, MARGIN)
      .map(line => `${renderLine(line, colour)}\n`)
      .join(''),
  );
}
