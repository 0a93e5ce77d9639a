// Compares a text or a text file as a whole.

import { readText, splitLines, strip } from '../../formats/python/text.ts';
import { contains, isSame, isTruthy, readFloat, readJson, written } from '../../formats/python/values.ts';
import { linesRatio } from '../../similarity/lines-ratio.ts';
import { ratio } from '../../similarity/ratio.ts';
import { expectedFile, isFile, isRecord, type Metric, MetricError, pass, type TaskFile } from '../metric.ts';
import { ruleText, ruleValue } from '../rules.ts';

/** The text of a file of the agent; undefined for a missing or an unreadable one. */
export const resultText = (result: unknown): string | undefined =>
  isFile(result) ? readText(result.bytes) : undefined;

/** The text of a file of the task. */
export function expectedText(expected: unknown, metric: string): string {
  const { name, bytes }: TaskFile = expectedFile(expected, metric);
  const text = readText(bytes);
  if (text === undefined)
    throw new MetricError(`${metric} cannot read the expected file ${name}: it is not UTF-8. Replace it.`);
  return text;
}

/** The texts of two values are equal; `type: list` compares the texts of their elements. */
export const literalMatch: Metric = (result, expected, { type = 'str', ignore_case: ignoreCase }) => {
  const text = (value: unknown): string =>
    isTruthy(ignoreCase) ? written(value).toLowerCase() : written(value);
  // Files have no text of their own: OSWorld compares their paths, which differ.
  if (isFile(result) || isFile(expected)) return 0;
  if (type === 'str') return pass(text(result) === text(expected));
  if (type !== 'list')
    throw new MetricError(
      `The option type of literal_match is ${JSON.stringify(type)}. Write "str" or "list".`,
    );
  if (!Array.isArray(result) || !Array.isArray(expected)) return 0;
  return pass(isSame(result.map(text), expected.map(text)));
};

/** The similarity of two texts. */
export const fuzzyMatch: Metric = (result, rules) => {
  const expected = ruleText(rules, 'expected', 'fuzzy_match');
  return typeof result === 'string' ? ratio(result, expected) : 0;
};

/** The similarity of the lines of two files. */
export const diffTextFile: Metric = (result, expected) => {
  const wanted = expectedText(expected, 'diff_text_file');
  const found = resultText(result);
  return found === undefined ? 0 : linesRatio(splitLines(found), splitLines(wanted));
};

/** A file contains exactly the output of a command. */
export const compareTerminalAndTxt: Metric = (result, output) =>
  pass(isTruthy(output) && resultText(result) === output);

/** A file contains exactly the expected text; with `containment_ok` also other JSON values, or other text around it. */
export const compareConfig: Metric = (result, rules, { containment_ok: allowsMore }) => {
  const found = resultText(result);
  if (!isTruthy(allowsMore)) return pass(found === ruleValue(rules, 'expected', 'compare_config'));
  const wanted = ruleText(rules, 'expected', 'compare_config');
  const [value, part] = [readJson(found), readJson(wanted)];
  if (value === undefined || part === undefined) return pass(found?.includes(strip(wanted)) === true);
  return pass(hasPart(value, part));
};

/** Whether a JSON value has all entries of a part of it. Lists must be equal. */
const hasPart = (value: unknown, part: unknown): boolean =>
  isRecord(part)
    ? isRecord(value) &&
      Object.entries(part).every(([key, each]) => Object.hasOwn(value, key) && hasPart(value[key], each))
    : isSame(value, part);

/** A value that is not empty equals the expected one. */
export const compareAnswer: Metric = (result, rules) =>
  pass(isTruthy(result) && isSame(result, ruleValue(rules, 'expected', 'compare_answer')));

/** The result contains the expected number or is near to it. Another expected text equals the result. */
export const compareResultFiles: Metric = (result, expected) => {
  const wanted = strip(expectedText(expected, 'compare_result_files'));
  const text = resultText(result);
  if (text === undefined) return 0;
  const found = strip(text);
  const [number, wantedNumber] = [readFloat(found), readFloat(wanted)];
  if (wantedNumber === undefined || number === undefined)
    return pass(found === wanted || (wantedNumber !== undefined && found.includes(wanted)));
  return pass(found.includes(wanted) || Math.abs(number - wantedNumber) < 1e-4);
};

/** A list, or a text, contains the expected value. */
export const isInList: Metric = (result, rules) =>
  pass(contains(result, ruleValue(rules, 'expected', 'is_in_list')) === true);

/** A text contains the expected text, or all of a list. Here the rules are the result, and the text is expected. */
export const isInClipboard: Metric = (rules, text) => {
  const expected = ruleValue(rules, 'expected', 'is_in_vm_clickboard');
  const parts = Array.isArray(expected) ? expected : [expected];
  return pass(parts.every(part => contains(text, part) === true));
};
