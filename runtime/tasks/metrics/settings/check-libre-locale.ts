// Checks the locale of LibreOffice in its registry.

import { children, descendants, type Element, rootIfXml } from '../../formats/xml.ts';
import { isFile, type Metric, pass } from '../metric.ts';
import { compilePattern } from '../pattern.ts';
import { ruleTexts } from '../rules.ts';

const REGISTRY = 'http://openoffice.org/2001/registry';

/** The locale of formats, or without it that of the user interface, matches one of several patterns such as `en-*`. */
export const checkLibreLocale: Metric = (result, rules) => {
  const patterns = ruleTexts(rules, 'locale_set', 'check_libre_locale');
  const root = isFile(result) ? rootIfXml(result.bytes) : undefined;
  if (root === undefined) return 0;
  const element = propertyValue(root, 'ooSetupSystemLocale') ?? propertyValue(root, 'ooLocale');
  const locale = element?.firstChild?.nodeType === 3 ? (element.firstChild.nodeValue ?? '') : '';
  if (locale === '') return 0;
  return pass(patterns.some(pattern => compilePattern(globPattern(pattern)).test(locale)));
};

const plain = (element: Element): boolean => (element.namespaceURI || null) === null;

/** The first value of a property below an item of the localisation settings. */
function propertyValue(root: Element, name: string): Element | undefined {
  const items = [root, ...descendants(root, 'item')].filter(
    item =>
      item.localName === 'item' && plain(item) && item.getAttributeNS(REGISTRY, 'path')?.endsWith('L10N'),
  );
  return items
    .flatMap(item => children(item, 'prop'))
    .filter(property => plain(property) && property.getAttributeNS(REGISTRY, 'name') === name)
    .flatMap(property => children(property, 'value'))
    .find(plain);
}

/** A pattern of file names, with `*`, `?` and `[...]`, as a regular expression. */
function globPattern(glob: string): string {
  const part = /\*+|\?|\[(!?)(\]?[^\]]*)\]|[\s\S]/g;
  const body = glob.replace(part, (whole, not: string | undefined, members: string | undefined) => {
    if (whole.startsWith('*')) return '.*';
    if (whole === '?') return '.';
    if (members === undefined) return whole.replace(/[.+^${}()|[\]\\]/, '\\$&');
    return `[${not === '!' ? '^' : ''}${members.replace(/[\\\]^[]/g, '\\$&')}]`;
  });
  return `(?s)^(?:${body})\\z`;
}
