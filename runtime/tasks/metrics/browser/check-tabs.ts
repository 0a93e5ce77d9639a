// Checks the tabs of a browser and their addresses.

import { translatePattern } from '../../formats/python/pattern.ts';
import { contains, isTruthy } from '../../formats/python/values.ts';
import { isRecord, type Metric, pass } from '../metric.ts';
import { compilePattern } from '../pattern.ts';
import { ruleChoice, ruleRecord, ruleText, ruleTexts } from '../rules.ts';
import { sameUrl, sameUrls, withoutQuery } from './compare-urls.ts';

/** The address of a tab, which is a record or the address itself. */
const addressOf = (tab: unknown): string | undefined => {
  const address: unknown = isRecord(tab) ? tab['url'] : tab;
  return typeof address === 'string' && isTruthy(tab) ? address : undefined;
};

const matchesPattern = (pattern: string, text: string): boolean =>
  compilePattern(translatePattern(pattern) ?? pattern).test(text);

/** The active tab shows the expected address. */
export const isExpectedActiveTab: Metric = (result, rules) => {
  const expected = ruleText(
    rules,
    ruleChoice(rules, 'type', 'is_expected_active_tab', ['url']),
    'is_expected_active_tab',
  );
  const found = addressOf(result);
  return pass(found !== undefined && sameUrl(expected, found) === true);
};

/** The active tab shows the expected address with any query. */
export const isExpectedActiveTabApproximate: Metric = (result, rules) => {
  const metric = 'is_expected_active_tab_approximate';
  const expected = withoutQuery(ruleText(rules, ruleChoice(rules, 'type', metric, ['url']), metric));
  const found = addressOf(result);
  return pass(found !== undefined && expected !== undefined && withoutQuery(found) === expected);
};

/** Every pattern matches somewhere in the address. */
export const isExpectedUrlPatternMatch: Metric = (result, rules) => {
  const patterns = ruleTexts(rules, 'expected', 'is_expected_url_pattern_match');
  const found = addressOf(result);
  return pass(found !== undefined && patterns.every(pattern => matchesPattern(pattern, found)));
};

/** The expected addresses are open, in any order, and no others. */
export const isExpectedTabs: Metric = (result, rules) => {
  ruleChoice(rules, 'type', 'is_expected_tabs', ['url']);
  const expected = ruleTexts(rules, 'urls', 'is_expected_tabs');
  if (!Array.isArray(result) || result.length === 0) return 0;
  const found = result.map(addressOf);
  return pass(found.every(each => each !== undefined) && sameUrls(expected, found));
};

/** The address of a search matches a pattern. */
export const isExpectedSearchQuery: Metric = (result, rules) => {
  const expect = ruleRecord(
    ruleRecord(rules, 'is_expected_search_query')['expect'],
    'is_expected_search_query',
  );
  const pattern = ruleText(expect, 'pattern', 'is_expected_search_query');
  const found = isRecord(result) ? addressOf(result) : undefined;
  return pass(found !== undefined && matchesPattern(pattern, found));
};

/** The page shows the names of all items. */
export const isAddedToSteamCart: Metric = (result, rules) => {
  const items = ruleTexts(rules, 'items', 'is_added_to_steam_cart');
  if (!isRecord(result) || !('content' in result)) return 0;
  return pass(items.every(item => contains(result['content'], item) === true));
};
