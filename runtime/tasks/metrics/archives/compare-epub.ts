// Compares books in the format EPUB by the lines of their tables of contents and pages.

import { type HtmlElement, type HtmlNode, parseHtml } from '../../formats/html/tree.ts';
import { writeHtml } from '../../formats/html/write.ts';
import { decodeUtf8, splitLines, strip } from '../../formats/python/text.ts';
import { compareTexts } from '../../formats/python/values.ts';
import { ArchiveError, readZip } from '../../formats/zip.ts';
import { linesRatio } from '../../similarity/lines-ratio.ts';
import { expectedFile, isFile, type Metric, MetricError } from '../metric.ts';

/** The similarity of the parts of two books in the order of their names, on average over the parts of the result. */
export const compareEpub: Metric = (result, expected) => {
  const wanted = partsOf(expectedFile(expected, 'compare_epub').bytes);
  if (wanted === undefined)
    throw new MetricError(
      'compare_epub cannot read the expected file: it is no EPUB, or a page is in a folder. Replace the file.',
    );
  const found = isFile(result) ? partsOf(result.bytes) : undefined;
  if (found === undefined || found.length === 0) return 0;
  const total = found
    .slice(0, wanted.length)
    .reduce((sum, lines, index) => sum + linesRatio(lines, wanted[index] ?? []), 0);
  return total / found.length;
};

type Lines = readonly string[];

/** The lines of each part; undefined where a part cannot be read. */
function partsOf(bytes: Uint8Array): readonly Lines[] | undefined {
  const files = filesOf(bytes);
  if (files === undefined) return undefined;
  const names = [...files.keys()].sort(compareTexts);
  const parts: Lines[] = [];
  for (const name of names) {
    const lines = linesOf(name, files.get(name) ?? new Uint8Array());
    if (lines === 'unreadable') return undefined;
    if (lines !== 'ignored') parts.push(lines);
  }
  return parts;
}

function filesOf(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> | undefined {
  try {
    return readZip(bytes);
  } catch (error) {
    if (error instanceof ArchiveError) return undefined;
    throw error;
  }
}

function linesOf(name: string, bytes: Uint8Array): Lines | 'unreadable' | 'ignored' {
  // The identifier and the points of navigation differ between two conversions of one text.
  const ignored = name === 'toc.ncx' ? 'navPoint' : name === 'content.opf' ? 'dc:identifier' : undefined;
  if (ignored === undefined && !name.endsWith('.html')) return 'ignored';
  const text = decodeUtf8(bytes);
  // OSWorld creates no folders for pages, so a page in a folder is an exception.
  if (text === undefined || (ignored === undefined && name.includes('/'))) return 'unreadable';
  if (ignored !== undefined) return splitLines(text).filter(line => !line.includes(ignored));
  const page = pageOf(text.replace(/[\r\n]/g, ''));
  return page === undefined ? 'unreadable' : splitLines(`${page}\n`);
}

/** A page as lxml writes it; undefined for an empty page. */
function pageOf(html: string): string | undefined {
  const nodes = parseHtml(decodedAsLxml(html));
  const root = nodes.find(isElement);
  if (root === undefined) return undefined;
  const [body, head] = [bodyOf(root, 'body'), bodyOf(root, 'head')];
  if (/^\s*<(?:html|!doctype)/i.test(html) || head !== undefined || body === undefined)
    return writeHtml(root);
  return fragmentOf(body);
}

const isElement = (node: HtmlNode): node is HtmlElement => node.kind === 'element';

const bodyOf = (root: HtmlElement, name: string): HtmlElement | undefined =>
  root.children.filter(isElement).find(each => each.name === name);

/** lxml reads a page as Latin-1 unless it starts with an XML declaration or names another encoding before its first such character. */
function decodedAsLxml(html: string): string {
  if (html.startsWith('<?xm') || html.startsWith('\uFEFF')) return html.replace(/^\uFEFF/, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all characters of ASCII.
  const start = /^[\x00-\x7f]*/.exec(html)?.[0] ?? '';
  if (start.length === html.length || /<meta[^>]*charset=["']?\s*utf-?8/i.test(start)) return html;
  return [...new TextEncoder().encode(html)].map(byte => String.fromCharCode(byte)).join('');
}

const BLOCKS = new Set(
  (
    'address blockquote caption center col colgroup dd del dir div dl dt fieldset form h1 h2 h3 h4 h5 h6 hr ins isindex legend ' +
    'li menu noscript ol optgroup option p pre table tbody td tfoot th thead tr ul'
  ).split(' '),
);

const hasBlock = (element: HtmlElement): boolean =>
  element.children.some(each => isElement(each) && (BLOCKS.has(each.name) || hasBlock(each)));

/** A page without html and head is its only element, or all of its elements in one. */
function fragmentOf(body: HtmlElement): string {
  const isBlank = (node: HtmlNode): boolean => node.kind === 'text' && strip(node.text) === '';
  const [only, ...others] = body.children.filter(each => !isBlank(each));
  if (only !== undefined && isElement(only) && others.length === 0) {
    const after = body.children[body.children.indexOf(only) + 1];
    return writeHtml(only) + (after?.kind === 'text' ? after.text : '');
  }
  return writeHtml({ ...body, name: hasBlock(body) ? 'div' : 'span' });
}
