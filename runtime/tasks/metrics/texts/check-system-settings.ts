// Checks the outputs of commands that print settings of a desktop.

import { readTextList } from '../../formats/python/list.ts';
import { readFloat } from '../../formats/python/values.ts';
import { isRecord, type Metric, pass } from '../metric.ts';
import { ruleTexts } from '../rules.ts';

/** The fourth line of `timedatectl` names a time zone without offset. */
export const isUtc0: Metric = result =>
  pass(typeof result === 'string' && result.split('\n')[3]?.endsWith('+0000)') === true);

/** The factor by which texts are scaled exceeds 1. */
export const checkTextEnlarged: Metric = result => pass((readFloat(result) ?? 0) > 1);

/** The favourites of GNOME, printed as a list of Python, are the expected ones in any order. */
export const checkGnomeFavoriteApps: Metric = (result, rules) =>
  pass(
    sameSet(
      typeof result === 'string' ? readTextList(result) : undefined,
      ruleTexts(rules, 'expected', 'check_gnome_favorite_apps'),
    ),
  );

/** The names in a folder are the expected ones in any order. */
export const checkMovedJpgs: Metric = (result, rules) => {
  const expected = ruleTexts(rules, 'expected', 'check_moved_jpgs');
  const nodes: unknown = isRecord(result) ? result['children'] : undefined;
  if (!Array.isArray(nodes) || !nodes.every(isRecord)) return 0;
  return pass(
    sameSet(
      nodes.map(node => node['name']),
      expected,
    ),
  );
};

/** As in OSWorld, lists of one length with equal sets of elements. */
function sameSet(found: readonly unknown[] | undefined, expected: readonly unknown[]): boolean {
  if (found === undefined || found.length !== expected.length) return false;
  const [a, b] = [new Set(found), new Set(expected)];
  return a.size === b.size && [...a].every(each => b.has(each));
}
