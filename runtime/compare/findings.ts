// The findings of a comparison, as sentences. Pure.

import type { ArmDifference, ArmSummary, OverallTest, RunsComparison } from './comparison.ts';
import { SIGNIFICANT } from './comparison.ts';
import { formatCount, formatDifference, formatP, formatRate } from './numbers.ts';
import { RANDOM_ARRANGEMENTS } from './statistics/permutation.ts';

export interface ComparisonFinding {
  /** The result. */
  readonly title: string;
  /** The evidence for it, and the data that would settle it. */
  readonly details: readonly string[];
}

export const findingsOf = ({ differences, arms }: RunsComparison): readonly ComparisonFinding[] =>
  differences.flatMap(difference => [overallFinding(difference, arms), taskFinding(difference)]);

function overallFinding(found: ArmDifference, arms: readonly ArmSummary[]): ComparisonFinding {
  const { difference, sides, tests, needed, instances } = found;
  const [first, second] = found.arms;
  const [deciding] = tests;
  const isSure = deciding !== undefined && deciding.adjusted < SIGNIFICANT;
  const rates = `${formatRate(sides[0].rate)} against ${formatRate(sides[1].rate)}`;
  const name = (letter: string) => arms.find(arm => arm.letter === letter)?.name;
  const named = (letter: string) => (name(letter) === undefined ? letter : `${letter} (${name(letter)})`);
  const title =
    difference.value === 0
      ? `${named(first)} and ${named(second)} solve the same share of the test instances: ${rates}.`
      : `${named(difference.value > 0 ? first : second)} solves ${Math.abs(100 * difference.value).toFixed(1)} points more than ${named(
          difference.value > 0 ? second : first,
        )}${isSure ? '' : ', which is not significant'}.`;
  const growth =
    isSure || needed === undefined
      ? []
      : [
          needed.of === 'runs'
            ? `If this difference is the true one, about ${formatCount(needed.count)} runs of each arm show it with 80 % probability.`
            : `If this difference is the true one, about ${formatCount(needed.count)} test instances show it with 80 % probability, tasks and instances added in proportion. Now ${formatCount(instances)}.`,
        ];
  return {
    title,
    details: [
      `${first} solves ${formatRate(sides[0].rate)}, ${second} ${formatRate(sides[1].rate)}. Difference ${formatDifference(difference)} points with its 95 % interval, on ${formatCount(instances)} test instances that all runs played.`,
      ...tests.map(testSentence),
      ...growth,
    ],
  };
}

function testSentence({ over, p, adjusted, smallest, isExact }: OverallTest): string {
  const random = isExact ? '' : ` (from ${formatCount(RANDOM_ARRANGEMENTS)} random arrangements)`;
  const corrected = adjusted === p ? '' : `, ${formatP(adjusted)} after Holm's correction over the pairs`;
  const limit =
    smallest >= SIGNIFICANT
      ? ` These numbers of ${over} allow no p below ${formatP(smallest)}, so nothing can be significant.`
      : '';
  return over === 'runs'
    ? `Permutation of the runs${random}: p ${equals(p)}${corrected}. It tests whether other seeds could give this difference.${limit}`
    : `Paired permutation over the tasks${random}: p ${equals(p)}${corrected}. It tests whether the difference holds over tasks, for these runs.${limit}`;
}

const equals = (p: number): string => (p < 0.001 ? formatP(p) : `= ${formatP(p)}`);

function taskFinding({
  tasks,
  arms,
  taskTest,
  smallestTaskP,
  neededForTask,
}: ArmDifference): ComparisonFinding {
  const [first, second] = arms;
  const sure = tasks.filter(({ adjusted }) => adjusted < SIGNIFICANT);
  const test = taskTest === 'fisher' ? "Fisher's exact test" : 'a permutation of the runs';
  const corrected = `${test} of each task, with Holm's correction over ${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}.`;
  if (sure.length > 0) {
    const better = sure.filter(({ difference }) => difference.value > 0).length;
    return {
      title: `${sure.length} of ${tasks.length} tasks differ significantly: ${first} is better in ${better}, ${second} in ${sure.length - better}.`,
      details: [`By ${corrected}`],
    };
  }
  const largest = tasks.find(({ task }) => task === neededForTask?.task);
  const impossible = smallestTaskP * tasks.length >= SIGNIFICANT;
  return {
    title: `No task differs significantly between ${first} and ${second}.`,
    details: [
      `By ${corrected}`,
      ...(impossible
        ? [
            `With these numbers of runs no task has a p below ${formatP(smallestTaskP)} before the correction, so no single task can be significant. More seeds change that, more instances do not.`,
          ]
        : []),
      ...(largest === undefined || neededForTask === undefined
        ? []
        : [
            `The largest difference, ${largest.task} with ${formatRate(largest.sides[0].rate)} against ${formatRate(largest.sides[1].rate)}, needs about ${formatCount(neededForTask.trials)} instances in each run, instead of ${formatCount(Math.min(largest.sides[0].trials, largest.sides[1].trials))}.`,
          ]),
    ],
  };
}
