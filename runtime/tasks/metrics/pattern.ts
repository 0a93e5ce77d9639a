// Regular expressions of task files. RE2 matches them in time proportional to pattern and text, so that no pattern blocks the process.

import { RE2JS } from 're2js';
import { messageOf } from '../../core/errors.ts';
import { MetricError } from './metric.ts';

/** Bounds the factor that the pattern contributes to the matching time. */
const MAX_PATTERN_LENGTH = 1000;
const MAX_PROGRAM_SIZE = 2000;

/** Compiles JavaScript syntax without look-around and back-references, which RE2 does not have. */
export function compilePattern(pattern: string): RE2JS {
  const quoted = JSON.stringify(pattern.length > 80 ? `${pattern.slice(0, 80)}...` : pattern);
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new MetricError(
      `The pattern ${quoted} has ${pattern.length} characters. Use at most ${MAX_PATTERN_LENGTH}.`,
    );
  }
  const compiled = parsePattern(pattern, quoted);
  if (compiled.programSize() > MAX_PROGRAM_SIZE) {
    throw new MetricError(`The pattern ${quoted} is too expensive. Use fewer or smaller repetitions.`);
  }
  return compiled;
}

function parsePattern(pattern: string, quoted: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    throw new MetricError(
      `RE2 rejects the pattern ${quoted}: ${reasonOf(error)}. Look-around, back-references and repetitions above ` +
        '1000 are not supported.',
      { cause: error },
    );
  }
}

const reasonOf = (error: unknown): string => messageOf(error).replace(/^error parsing regexp: /, '');
