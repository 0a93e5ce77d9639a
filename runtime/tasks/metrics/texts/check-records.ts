// Checks tables of text: accounts, and results of a speed test.

import { readRecords } from '../../formats/csv.ts';
import { linesOf } from '../../formats/python/text.ts';
import { readInt } from '../../formats/python/values.ts';
import { matchRecord } from '../match-value-to-rule.ts';
import { type Metric, MetricError, pass } from '../metric.ts';
import { ruleRecords } from '../rules.ts';
import { resultText } from './compare-texts.ts';

/** Each record of `expect` is in a row of the table, and no record of `unexpect` is. */
export const checkCsv: Metric = (result, rules) => {
  const [expect, unexpect] = [
    ruleRecords(rules, 'expect', 'check_csv'),
    ruleRecords(rules, 'unexpect', 'check_csv'),
  ];
  const text = resultText(result);
  if (text === undefined) return 0;
  const rows = readRecords(text);
  const isThere = (pattern: (typeof expect)[number]): boolean => rows.some(row => matchRecord(pattern, row));
  return pass(expect.every(isThere) && !unexpect.some(isThere));
};

/** The time of day of the first result differs from now by less than a number of minutes. Midnight starts at 0, as in OSWorld. */
export const compareSpeedtestTime =
  (now: () => Date): Metric =>
  (result, minutes) => {
    const limit = readInt(minutes);
    if (limit === undefined)
      throw new MetricError(
        `compare_time_in_speedtest_results expects a number of minutes, but the task gives ${JSON.stringify(minutes)}. ` +
          'Use a getter of type time_diff_range.',
      );
    const line = linesOf(resultText(result) ?? '')[1];
    const time = minuteOf(line?.split(',')[1]?.slice(-5));
    if (time === undefined) return 0;
    const date = now();
    return pass(Math.abs(time - (date.getHours() * 60 + date.getMinutes())) < limit);
  };

function minuteOf(time: string | undefined): number | undefined {
  const match = /^(2[0-3]|[01]\d|\d):([0-5]\d|\d)$/.exec(time ?? '');
  return match === null ? undefined : Number(match[1]) * 60 + Number(match[2]);
}
