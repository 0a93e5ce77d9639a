// The metrics of evaluators: each compares a result from the desktop with the expected value and returns a score from 0 to
// 1. Names and meanings follow OSWorld. Metrics are pure functions over values; evaluate.ts obtains the values.

import { RE2JS } from 're2js';
import { messageOf } from '../core/errors.ts';

/** Bounds the factor that the pattern contributes to the matching time. */
const MAX_PATTERN_LENGTH = 1000;
const MAX_PROGRAM_SIZE = 2000;

export class PatternError extends Error {
  override readonly name = 'PatternError';
}

/** Compiles JavaScript syntax without look-around and back-references, which RE2 does not have. */
export function compilePattern(pattern: string): RE2JS {
  const quoted = JSON.stringify(pattern.length > 80 ? `${pattern.slice(0, 80)}...` : pattern);
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new PatternError(
      `The pattern ${quoted} has ${pattern.length} characters. Use at most ${MAX_PATTERN_LENGTH}.`,
    );
  }
  const compiled = parsePattern(pattern, quoted);
  if (compiled.programSize() > MAX_PROGRAM_SIZE) {
    throw new PatternError(`The pattern ${quoted} is too expensive. Use fewer or smaller repetitions.`);
  }
  return compiled;
}

function parsePattern(pattern: string, quoted: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    throw new PatternError(
      `RE2 rejects the pattern ${quoted}: ${reasonOf(error)}. Look-around, back-references and repetitions above ` +
        '1000 are not supported.',
      { cause: error },
    );
  }
}

const reasonOf = (error: unknown): string => messageOf(error).replace(/^error parsing regexp: /, '');

type Options = Readonly<Record<string, unknown>>;
type Metric = (result: unknown, expected: unknown, options: Options) => number;

const pass = (holds: boolean): number => (holds ? 1 : 0);

/** OSWorld puts the expected value under `rules`; without that key, the value itself is expected. */
function rulesOf(expected: unknown): Options {
  const rules = isRecord(expected) && 'rules' in expected ? expected['rules'] : expected;
  return isRecord(rules) ? rules : { expected: rules };
}

const isRecord = (value: unknown): value is Options =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const strings = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const METRICS = {
  /** The result equals the expected value. */
  exact_match: (result, expected) => pass(sameValue(result, rulesOf(expected)['expected'])),

  /** The result equals one of a list. */
  match_in_list: (result, expected) => {
    const choices = rulesOf(expected)['expected'];
    return pass(Array.isArray(choices) && choices.some(each => sameValue(result, each)));
  },

  /** A text contains all of `include` and none of `exclude`. */
  check_include_exclude: (result, expected) => {
    const { include, exclude } = rulesOf(expected);
    const text = String(result ?? '');
    return pass(
      strings(include).every(each => text.includes(each)) &&
        !strings(exclude).some(each => text.includes(each)),
    );
  },

  /** Two texts are equal; `ignore_blanks` reduces each run of white space to one space. */
  compare_text_file: (result, expected, { ignore_blanks: ignoreBlanks, ignore_case: ignoreCase }) => {
    const plain = (value: unknown): string => {
      const text = String(value ?? '');
      const blanks = ignoreBlanks === true ? text.replace(/\s+/g, ' ').trim() : text;
      return ignoreCase === true ? blanks.toLowerCase() : blanks;
    };
    const wanted = rulesOf(expected)['expected'];
    return pass(typeof result === 'string' && plain(result) === plain(wanted));
  },

  /** Every pattern of `expect` matches an entry of a list, and no pattern of `unexpect` does. */
  check_list: (result, expected) => {
    const { expect, unexpect } = rulesOf(expected);
    const entries = strings(result);
    const matches = (source: string) => {
      const pattern = compilePattern(source);
      return entries.some(entry => pattern.test(entry));
    };
    return pass(strings(expect).every(matches) && !strings(unexpect).some(matches));
  },

  /** The result is itself the score, limited to 0 to 1. A result that is not a number scores 0. */
  score: result =>
    typeof result === 'number' && !Number.isNaN(result) ? Math.min(1, Math.max(0, result)) : 0,

  /** The task is solved by the action `fail`; evaluate.ts scores it by the ending of the episode. */
  infeasible: () => 0,
} as const satisfies Readonly<Record<string, Metric>>;

type MetricName = keyof typeof METRICS;

export const METRIC_NAMES = Object.keys(METRICS) as [MetricName, ...MetricName[]];

export const metricOf = (name: string): Metric | undefined =>
  Object.hasOwn(METRICS, name) ? METRICS[name as MetricName] : undefined;

/** Deep equality. It runs for every part of a pocket world after nearly every step, so it allocates little. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    for (let index = 0; index < a.length; index++) if (!sameValue(a[index], b[index])) return false;
    return true;
  }
  const [left, right] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>];
  let unmatched = 0;
  for (const name in right) if (Object.hasOwn(right, name)) unmatched += 1;
  for (const name in left) {
    if (!Object.hasOwn(left, name)) continue;
    if (!Object.hasOwn(right, name) || !sameValue(left[name], right[name])) return false;
    unmatched -= 1;
  }
  return unmatched === 0;
}
