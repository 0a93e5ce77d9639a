// What is written to: a terminal, or a file or another program that takes its place.

import type { Terminal } from './live.ts';

export interface Output extends Terminal {
  readonly isTTY?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

export const hasDisplay = ({ isTTY = false }: Output, environment: Environment): boolean =>
  isTTY && environment['TERM'] !== 'dumb';

/** As no-color.org asks: set, and not empty. */
export const hasColour = (output: Output, environment: Environment): boolean =>
  hasDisplay(output, environment) && (environment['NO_COLOR'] ?? '') === '';
