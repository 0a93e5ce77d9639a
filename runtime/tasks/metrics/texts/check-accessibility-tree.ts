// Searches the accessibility tree of a desktop with XPath or CSS selectors.

import { parseSelector, SelectorError, selectElements } from '../../formats/css/selector.ts';
import { treeNamespaces } from '../../formats/tree-namespaces.ts';
import { type Element, rootIfXml } from '../../formats/xml.ts';
import { selectPath, XPathError } from '../../formats/xpath.ts';
import { ratio } from '../../similarity/ratio.ts';
import { isRecord, type Metric, MetricError, type Options } from '../metric.ts';

/** The product over all rules of the best match of an element that a rule selects. */
export const checkAccessibilityTree: Metric = (result, rules, { osname = 'ubuntu' }) => {
  const namespaces = namespacesOf(osname);
  if (!Array.isArray(rules) || !rules.every(isRecord))
    throw new MetricError(
      `The rules of check_accessibility_tree are ${JSON.stringify(rules)}. Write a list of records with selectors or xpath.`,
    );
  const root = typeof result === 'string' ? rootIfXml(result) : undefined;
  return rules.reduce((score, rule) => score * scoreOf(root, rule, namespaces), 1);
};

function namespacesOf(system: unknown): Readonly<Record<string, string>> {
  const namespaces = typeof system === 'string' ? treeNamespaces(system) : undefined;
  if (namespaces !== undefined) return namespaces;
  throw new MetricError(
    `The option osname of check_accessibility_tree is ${JSON.stringify(system)}. Write ubuntu, windows or macos.`,
  );
}

function scoreOf(
  root: Element | undefined,
  rule: Options,
  namespaces: Readonly<Record<string, string>>,
): number {
  const found = selectBy(rule, root, namespaces);
  if (!('text' in rule)) return found.length > 0 ? 1 : 0;
  const { text, exact } = rule;
  if (typeof text !== 'string' || typeof exact !== 'boolean')
    throw new MetricError(
      `The rule ${JSON.stringify(rule)} of check_accessibility_tree needs a text, and exact as true or false.`,
    );
  // Attributes and texts have no text of their own: OSWorld raises an exception.
  if (found.some(each => each === undefined)) return 0;
  return Math.max(
    0,
    ...found.map(element => (element === undefined ? 0 : matchText(startText(element), text, exact))),
  );
}

const matchText = (found: string, text: string, isExact: boolean): number => {
  if (found === '') return 0;
  return isExact ? Number(found === text) : ratio(text, found);
};

/** The text before the first element or comment. */
function startText(element: Element): string {
  let text = '';
  for (let node = element.firstChild; node?.nodeType === 3 || node?.nodeType === 4; node = node.nextSibling)
    text += node.nodeValue ?? '';
  return text;
}

/** The selected elements, with undefined for an attribute or a text. */
function selectBy(
  rule: Options,
  root: Element | undefined,
  namespaces: Readonly<Record<string, string>>,
): readonly (Element | undefined)[] {
  const { xpath, selectors } = rule;
  try {
    if (typeof xpath === 'string') return root === undefined ? [] : selectPath(root, xpath, namespaces);
    if (Array.isArray(selectors)) {
      const selector = parseSelector(selectors.join(', '), namespaces);
      return root === undefined ? [] : selectElements(root, selector);
    }
  } catch (error) {
    if (!(error instanceof SelectorError || error instanceof XPathError)) throw error;
    throw new MetricError(`check_accessibility_tree: ${error.message}`, { cause: error });
  }
  throw new MetricError(
    `The rule ${JSON.stringify(rule)} of check_accessibility_tree selects nothing. Write xpath or selectors.`,
  );
}
