// Checks the extensions, the history, the cookies and the settings of a browser, and its shortcuts on the desktop.

import { compare, contains, isSame, isTruthy } from '../../formats/python/values.ts';
import { isRecord, type Metric, MetricError, pass } from '../metric.ts';
import { ruleChoice, ruleList, ruleText, ruleTexts, ruleValue } from '../rules.ts';
import { sameUrl } from './compare-urls.ts';

/** All expected extensions are installed. */
export const isExpectedInstalledExtensions: Metric = (result, rules) => {
  const expected = ruleList(rules, 'expected', 'is_expected_installed_extensions');
  return pass(isTruthy(result) && expected.every(each => contains(result, each) === true));
};

/** One column of the rows of a database; undefined for another value. */
function column(rows: unknown, index: number): readonly string[] | undefined {
  if (!Array.isArray(rows)) return undefined;
  const values: readonly unknown[] = rows.map((row: unknown) =>
    Array.isArray(row) ? row[index] : undefined,
  );
  return values.every(each => typeof each === 'string') ? values : undefined;
}

/** No cookie of a domain is left. The rows of cookies have the domain second. */
export const isCookieDeleted: Metric = (result, rules) => {
  const domains = ruleTexts(
    rules,
    ruleChoice(rules, 'type', 'is_cookie_deleted', ['domains']),
    'is_cookie_deleted',
  );
  const found = column(result, 1);
  return pass(found?.every(each => domains.every(domain => sameUrl(domain, each) === false)) === true);
};

/** No address with a keyword is left. The rows of the history have the address first. */
export const checkHistoryDeleted: Metric = (result, rules) => {
  const keywords = ruleTexts(
    rules,
    ruleChoice(rules, 'type', 'check_history_deleted', ['keywords']),
    'check_history_deleted',
  );
  const found = column(result, 0);
  return pass(found?.every(each => keywords.every(keyword => !each.includes(keyword))) === true);
};

/** A shortcut has a name or a command. The result has the text of each shortcut by path. */
export const isShortcutOnDesktop: Metric = (result, rules) => {
  const type = ruleChoice(rules, 'type', 'is_shortcut_on_desktop', ['name', 'exec']);
  const line = `${type === 'name' ? 'Name' : 'Exec'}=${ruleText(rules, type, 'is_shortcut_on_desktop')}\n`;
  if (!isRecord(result)) return 0;
  const texts = Object.values(result);
  const index = texts.findIndex(text => typeof text !== 'string' || text.includes(line));
  return pass(typeof texts[index] === 'string');
};

/** The enabled experiments are the expected ones in their order, whatever is set for each behind the `@`. */
export const checkEnabledExperiments: Metric = (result, rules) => {
  ruleChoice(rules, 'type', 'check_enabled_experiments', ['names']);
  const names = ruleTexts(rules, 'names', 'check_enabled_experiments');
  if (!Array.isArray(result) || !result.every(each => typeof each === 'string')) return 0;
  return pass(
    isSame(
      result.map(each => each.split('@', 1)[0]),
      names,
    ),
  );
};

/** The font size equals a value or lies between two. */
export const checkFontSize: Metric = (result, rules) => {
  const type = ruleChoice(rules, 'type', 'check_font_size', ['value', 'range']);
  const size: unknown = isRecord(result) ? result['default_font_size'] : undefined;
  if (type === 'value') {
    const value = ruleValue(rules, 'value', 'check_font_size');
    return pass(size !== undefined && isSame(size, value));
  }
  const [min, max] = [ruleValue(rules, 'min', 'check_font_size'), ruleValue(rules, 'max', 'check_font_size')];
  if (typeof min !== 'number' || typeof max !== 'number')
    throw new MetricError(
      `The range of check_font_size is ${JSON.stringify([min, max])}. Write numbers as min and max.`,
    );
  return pass((compare(min, size) ?? 0) < 0 && (compare(size, max) ?? 0) < 0);
};
