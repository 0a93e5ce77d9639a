// Checks the bookmark bar of a browser.

import { isRecord, type Metric, MetricError, type Options, pass } from '../metric.ts';
import { ruleChoice, ruleList, ruleTexts } from '../rules.ts';

const METRIC = 'is_expected_bookmarks';
const FOLDER = 'Liked Authors';

/** The bar has exactly the expected folders, or addresses, or one of several addresses for each author in a folder. */
export const isExpectedBookmarks: Metric = (result, rules) => {
  const type = ruleChoice(rules, 'type', METRIC, [
    'bookmark_bar_folders_names',
    'bookmark_bar_websites_urls',
    'liked_authors_websites_urls',
  ]);
  const choices = type === 'liked_authors_websites_urls' ? choicesOf(rules) : [];
  const bar =
    isRecord(result) && isRecord(result['bookmark_bar']) ? childrenOf(result['bookmark_bar']) : undefined;
  if (bar === undefined) return 0;
  if (type === 'bookmark_bar_folders_names')
    return pass(sameSet(valuesOf(bar, 'folder', 'name'), ruleTexts(rules, 'names', METRIC)));
  if (type === 'bookmark_bar_websites_urls')
    return pass(sameSet(valuesOf(bar, 'url', 'url'), ruleTexts(rules, 'urls', METRIC)));
  const folder = bar.find(each => each['type'] === 'folder' && each['name'] === FOLDER);
  const liked = folder === undefined ? undefined : childrenOf(folder);
  return pass(liked !== undefined && canCover(new Set(valuesOf(liked, 'url', 'url')), choices));
};

/** The entries of a folder; undefined for another value. */
function childrenOf(folder: Options): readonly Options[] | undefined {
  const entries: unknown = folder['children'];
  return Array.isArray(entries) && entries.every(each => isRecord(each) && 'type' in each)
    ? entries
    : undefined;
}

const valuesOf = (entries: readonly Options[], type: string, name: string): readonly unknown[] =>
  entries.filter(each => each['type'] === type).map(each => each[name]);

function choicesOf(rules: unknown): readonly (readonly unknown[])[] {
  return ruleList(rules, 'urls', METRIC).map(each => {
    if (typeof each === 'string') return [each];
    if (Array.isArray(each)) return each;
    throw new MetricError(
      `The rule urls of ${METRIC} contains ${JSON.stringify(each)}. Write an address or a list of addresses.`,
    );
  });
}

/** Whether one address of each choice gives exactly the found set. */
function canCover(found: ReadonlySet<unknown>, choices: readonly (readonly unknown[])[]): boolean {
  const usable = choices.map(choice => choice.filter(address => found.has(address)));
  const search = (index: number, left: ReadonlySet<unknown>): boolean => {
    if (left.size > usable.length - index) return false;
    const choice = usable[index];
    if (choice === undefined) return true;
    return choice.some(address => search(index + 1, new Set([...left].filter(each => each !== address))));
  };
  return search(0, found);
}

const sameSet = (first: readonly unknown[], second: readonly unknown[]): boolean => {
  const [a, b] = [new Set(first), new Set(second)];
  return a.size === b.size && [...a].every(each => b.has(each));
};
