// Says of a task of OSWorld what Dartboard lacks to run and judge it.

import type { Evaluator, Getter, Task } from '../../core/task.ts';
import { checksOf } from '../../tasks/evaluate.ts';
import { patternErrors } from '../../tasks/metrics/rule-patterns.ts';
import { isMetric, unknownMetric } from '../../tasks/metrics.ts';
import { GETTER_NAMES } from './getters.ts';
import { STEP_NAMES } from './steps.ts';

/** Parts of OSWorld that need more than a machine with a desktop. */
const REASONS: Readonly<Record<string, string>> = {
  googledrive: 'needs an account at Google Drive',
  googledrive_file: 'needs an account at Google Drive',
  login: 'needs an account at Google Drive',
  proxy: 'needs a paid proxy',
  gotoRecreationPage_and_get_html_content: 'follows the pages of one website that has changed',
};

/** One sentence for each thing that is missing; empty for a task that can run and be judged. */
export function missingParts({ config = [], evaluator, dartboard = {} }: Task): readonly string[] {
  const { func, result, expected, postconfig = [] } = evaluator;
  const lacks = (kind: string, names: readonly string[], known: readonly string[]) =>
    [...new Set(names)]
      .filter(name => !known.includes(name))
      .map(name => `the ${kind} ${name} ${REASONS[name] ?? 'does not exist here'}`);
  const metrics = typeof func === 'string' ? [func] : func;
  return [
    ...lacks(
      'set-up step',
      [...config, ...postconfig].map(({ type }) => type),
      STEP_NAMES,
    ),
    ...lacks('getter', [...typesOf(result), ...typesOf(expected)], GETTER_NAMES),
    ...metrics.filter(name => !isMetric(name)).map(unknownMetric),
    ...brokenPatterns(evaluator),
    // The agent would get an instruction with the names of the values.
    ...('vary' in dartboard
      ? ["'vary', which tasks of guests do not support: write a file for each value"]
      : []),
  ];
}

const brokenPatterns = (evaluator: Evaluator): readonly string[] =>
  checksOf(evaluator).flatMap(({ func, expected, options }) => {
    const rules = expected?.type === 'rule' ? expected['rules'] : undefined;
    return patternErrors({ func, rules, options }).map(message => message.replace(/\.$/, ''));
  });

const typesOf = (getters: Getter | readonly (Getter | null)[] | undefined): readonly string[] =>
  (isList(getters) ? getters : [getters]).flatMap(getter => (getter ? [getter.type] : []));

const isList = <T>(value: T | readonly T[]): value is readonly T[] => Array.isArray(value);
