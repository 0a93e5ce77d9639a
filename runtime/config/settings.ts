// What somebody set, and where each of it was said: in a file or on the command line. What is not of the shape is an error here.

import { type Leaf, leavesOf, type Path, pathText } from './leaves.ts';
import { refusals } from './setting-errors.ts';

export interface Given {
  /** What is not said is not there. */
  readonly leaves: readonly Leaf[];
  /** Such as 'dartboard.json:7:3' or '--minutes': what errors begin with. */
  placeOf(path: Path): string;
}

/** All that is wrong, a line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options);
  }
}

export const NOTHING_GIVEN: Given = { leaves: [], placeOf: pathText };

/** Throws a ConfigError where it is not of the shape. */
export function given(value: unknown, placeOf: Given['placeOf']): Given {
  const wrong = refusals(value);
  if (wrong.length > 0) throw new ConfigError(wrong.map(({ path, why }) => `${placeOf(path)}: ${why}`));
  return { leaves: leavesOf(value).filter(({ path }) => path[0] !== '$schema'), placeOf };
}

/** The options of the command line, for those settings that have one. */
const OPTIONS: Readonly<Record<string, string>> = {
  'environments.kind': '--desktops',
  'suite.tiers': '--tier',
  minutes: '--minutes',
  seed: '--seed',
  mode: '--mode',
  demonstrations: '--demonstrations',
  preset: '--preset',
  'curation.preset': '--curation',
};

/** What was said on the command line, in the shape of the file; what is undefined was not said. */
export const givenByOptions = (value: unknown): Given =>
  given(value, path => OPTIONS[pathText(path)] ?? `the option for ${pathText(path)}`);
