// Searches a text file for texts, lines and styles.

import { styleTexts } from '../../formats/html/styles.ts';
import { linesOf } from '../../formats/python/text.ts';
import { readInt } from '../../formats/python/values.ts';
import { type Metric, MetricError, pass } from '../metric.ts';
import { ruleTexts, ruleValue } from '../rules.ts';
import { resultText } from './compare-texts.ts';

/** A file contains every text of a list. */
export const fileContains: Metric = (result, rules) => {
  const parts = ruleTexts(rules, 'expected', 'file_contains');
  const text = resultText(result);
  return pass(text !== undefined && parts.every(part => text.includes(part)));
};

const TIME = /(?:[01]\p{Nd}|2[0-3]):[0-5]\p{Nd}:(?:[0-5]\p{Nd}|60)/u;

/** The number of lines that contain a time such as 23:59:60. */
export const checkLineNumber: Metric = (result, rules) => {
  const value = ruleValue(rules, 'expected', 'check_line_number');
  const count = readInt(value);
  if (count === undefined)
    throw new MetricError(
      `The rule expected of check_line_number is ${JSON.stringify(value)}. Write the number of lines.`,
    );
  const text = resultText(result);
  return pass(text !== undefined && linesOf(text).filter(line => TIME.test(line)).length === count);
};

/** A style of a page sets a background image, with its address in single quotes. */
export const checkHtmlBackgroundImage: Metric = (result, rules) => {
  const declaration = `background-image: url('${String(ruleValue(rules, 'value', 'check_html_background_image'))}')`;
  const text = resultText(result);
  return pass(text !== undefined && styleTexts(text).some(style => style.includes(declaration)));
};
