// Checks the settings, the keyboard shortcuts and the extensions of VS Code.

import { contains, isSame, readJson } from '../../formats/python/values.ts';
import { isRecord, type Metric, pass } from '../metric.ts';
import { ruleChoice, ruleRecord, ruleText, ruleValue } from '../rules.ts';
import { resultText } from '../texts/compare-texts.ts';

/** A JSON file without comments has the expected values. */
export const checkJsonSettings: Metric = (result, rules) => {
  const expected = Object.entries(
    ruleRecord(ruleValue(rules, 'expected', 'check_json_settings'), 'check_json_settings'),
  );
  const found = readJson(resultText(result));
  if (!isRecord(found)) return pass(found !== undefined && expected.length === 0);
  return pass(expected.every(([key, value]) => Object.hasOwn(found, key) && isSame(found[key], value)));
};

/** A JSON list contains the expected record. The first line of the file may be a comment. */
export const checkJsonKeybindings: Metric = (result, rules) => {
  const expected = ruleValue(rules, 'expected', 'check_json_keybindings');
  const text = resultText(result);
  if (text === undefined) return 0;
  const rest = text.includes('\n') ? text.slice(text.indexOf('\n') + 1) : '';
  const list = [readJson(text), readJson(rest)].find(Array.isArray);
  return pass(list !== undefined && contains(list, expected) === true);
};

/** A list of extensions contains a name, or does not contain it. */
export const isExtensionInstalled: Metric = (result, rules) => {
  const type = ruleChoice(rules, 'type', 'is_extension_installed', ['contain', 'not_contain']);
  const isThere = contains(result, ruleText(rules, 'expected', 'is_extension_installed'));
  return pass(isThere === (type === 'contain'));
};
