// Compares web pages element by element, as OSWorld does with Beautiful Soup.

import { type HtmlElement, type HtmlNode, parseHtml } from '../../formats/html/tree.ts';
import { decodeUtf8, strip } from '../../formats/python/text.ts';
import { isTruthy } from '../../formats/python/values.ts';
import { expectedFile, isFile, type Metric, MetricError, pass, type TaskFile } from '../metric.ts';

/**
 * The elements, texts and comments of two pages are equal one by one. As in OSWorld, a page may continue where the other one ends, so
 * an empty page equals every page.
 */
export const compareHtmls: Metric = (result, expected, { ignore_sdnum: ignoresSdnum }) => {
  const wanted = partsOf(expectedFile(expected, 'compare_htmls'));
  if (wanted === undefined)
    throw new MetricError('compare_htmls cannot read the expected file: it is not UTF-8. Replace the file.');
  const found = isFile(result) ? partsOf(result) : undefined;
  if (found === undefined) return 0;
  const ignored = isTruthy(ignoresSdnum) ? 'sdnum' : undefined;
  return pass(found.slice(0, wanted.length).every((part, index) => samePart(part, wanted[index], ignored)));
};

/** A text or a comment, or an element with all of its text. */
type Part =
  | string
  | { readonly name: string; readonly text: string; readonly attributes: ReadonlyMap<string, string> };

function samePart(a: Part, b: Part | undefined, ignored: string | undefined): boolean {
  if (typeof a === 'string' || typeof b === 'string' || b === undefined) return a === b;
  if (a.name !== b.name || a.text !== b.text) return false;
  const names = new Set([...a.attributes.keys(), ...b.attributes.keys()]);
  return [...names].every(name => name === ignored || a.attributes.get(name) === b.attributes.get(name));
}

function partsOf({ bytes }: TaskFile): readonly Part[] | undefined {
  const text = decodeUtf8(bytes)
    ?.replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '');
  if (text === undefined) return undefined;
  const parts: Part[] = [];
  addParts(parts, parseHtml(text), false);
  return parts;
}

/** Adds the nodes and what is below them in the order of the page. */
function addParts(parts: Part[], nodes: readonly HtmlNode[], isPreserved: boolean): void {
  for (const node of nodes) {
    if (node.kind === 'text') parts.push(isPreserved ? node.text : shortened(node.text));
    else if (node.kind === 'doctype') parts.push(doctype(node.text));
    else if (node.kind === 'comment') parts.push(node.text);
    else {
      const preserves = isPreserved || node.name === 'pre' || node.name === 'textarea';
      parts.push({
        name: node.name,
        text: strip(textOf(node, preserves, SPECIAL.has(node.name) ? node.name : '', '')),
        attributes: new Map(
          [...node.attributes].map(([name, value]) => [name, attributeOf(node.name, name, value)]),
        ),
      });
      addParts(parts, node.children, preserves);
    }
  }
}

/** White space between elements is one space or one line feed. */
const shortened = (text: string): string => {
  if (/[^ \n\t\f\r]/.test(text)) return text;
  return text.includes('\n') ? '\n' : ' ';
};

const doctype = (text: string): string => {
  const [, name = '', keyword = '', rest = ''] = /^(\S*)\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return [name.toLowerCase(), keyword.toUpperCase(), rest].join(' ').replaceAll("'", '"').trim();
};

/** The text inside of these elements belongs to them alone, and not to the elements around them. */
const SPECIAL = new Set(['rt', 'rp', 'style', 'script', 'template']);

/** The text that belongs to an owner: an element of SPECIAL, or empty for every other element. */
function textOf(element: HtmlElement, isPreserved: boolean, owner: string, holder: string): string {
  const inner = SPECIAL.has(element.name) ? element.name : holder;
  return element.children
    .map(node => {
      if (node.kind === 'element') {
        const preserves = isPreserved || node.name === 'pre' || node.name === 'textarea';
        return textOf(node, preserves, owner, inner);
      }
      if (node.kind !== 'text' || inner !== owner) return '';
      return isPreserved ? node.text : shortened(node.text);
    })
    .join('');
}

const LISTS: Readonly<Record<string, readonly string[]>> = {
  a: ['rel', 'rev'],
  link: ['rel', 'rev'],
  td: ['headers'],
  th: ['headers'],
  form: ['accept-charset'],
  object: ['archive'],
  area: ['rel'],
  icon: ['sizes'],
  iframe: ['sandbox'],
  output: ['for'],
};
const LISTS_EVERYWHERE = ['class', 'accesskey', 'dropzone'];

/** White space between the names of classes does not matter. */
function attributeOf(element: string, name: string, value: string | null): string {
  const isList = LISTS_EVERYWHERE.includes(name) || LISTS[element]?.includes(name) === true;
  return isList ? (value ?? '').split(/\s+/).filter(Boolean).join(' ') : (value ?? '');
}
