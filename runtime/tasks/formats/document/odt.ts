// Reads odt files as odfpy does: what it counts as a paragraph, which styles it knows, and which files it refuses.

import {
  attribute,
  children,
  contents,
  type Document,
  descendants,
  type Element,
  parseXml,
  rootOf,
} from '../xml.ts';
import { readZip } from '../zip.ts';
import { DocumentError } from './document-error.ts';

export interface Odt {
  /** The content, then the styles, which contain headers and footers. */
  readonly parts: readonly Document[];
}

const MANIFEST = 'META-INF/manifest.xml';
const XML_PARTS = ['content.xml', 'styles.xml'];
const UNREAD_PARTS = [...XML_PARTS, 'settings.xml', 'meta.xml'];
const TEXT = 'urn:oasis:names:tc:opendocument:xmlns:text:1.0';
const STYLE = 'urn:oasis:names:tc:opendocument:xmlns:style:1.0';
const FORMAT = 'urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0';

export function openOdt(bytes: Uint8Array): Odt {
  try {
    return open(readZip(bytes));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError('The file is not an odt document, or it is damaged.', { cause: error });
  }
}

function open(files: ReadonlyMap<string, Uint8Array>): Odt {
  const manifest = files.get(MANIFEST);
  if (manifest === undefined) throw new DocumentError(`The file has no ${MANIFEST}.`);
  const listed = children(rootOf(parseXml(manifest)), 'file-entry').map(
    each => attribute(each, 'full-path') ?? '',
  );
  const isRead = (path: string) =>
    !path.endsWith('/') && !UNREAD_PARTS.includes(path) && !path.startsWith('Object ');
  const missing = listed.find(path => isRead(path) && !files.has(path));
  if (missing !== undefined) throw new DocumentError(`The manifest lists ${missing}, which does not exist.`);
  const parts = XML_PARTS.filter(path => listed.includes(path)).flatMap(path => {
    const content = files.get(path);
    return content === undefined ? [] : [parseXml(content)];
  });
  return { parts };
}

/** The text of each paragraph, also of those in tables, notes, headers and footers. Headings are not paragraphs. */
export const odtParagraphs = ({ parts }: Odt): readonly string[] =>
  parts.flatMap(part => textElements(part, 'p')).map(paragraphText);

const textElements = (parent: Document, name: string): readonly Element[] =>
  descendants(parent, name).filter(each => each.namespaceURI === TEXT);

/** The characters directly in a paragraph and directly in its spans: no links, tabs, repeated spaces or breaks of lines. */
const paragraphText = (paragraph: Element): string =>
  contents(paragraph)
    .map(each => (typeof each === 'string' ? each : isSpan(each) ? ownText(each) : ''))
    .join('');

const isSpan = ({ namespaceURI, localName }: Element): boolean =>
  namespaceURI === TEXT && localName === 'span';

const ownText = (element: Element): string =>
  contents(element)
    .filter(each => typeof each === 'string')
    .join('');

/** The background colours of all spans with an automatic style, which is how direct formatting is stored. */
export function spanBackgrounds({ parts }: Odt): readonly string[] {
  const names = new StyleNames();
  const colors = new Map<string, string[]>();
  const spans: string[] = [];
  for (const part of parts) {
    for (const element of children(rootOf(part)).flatMap(styleElements)) {
      const style = names.declare(element);
      if (element.parentNode?.localName === 'automatic-styles')
        colors.set(style, [...(colors.get(style) ?? []), ...children(element).map(backgroundOf)]);
    }
    for (const span of textElements(part, 'span'))
      spans.push(names.refer(span.getAttributeNS(TEXT, 'style-name') ?? ''));
  }
  return spans.flatMap(span => colors.get(span) ?? []);
}

const backgroundOf = (properties: Element): string =>
  properties.getAttributeNS(FORMAT, 'background-color') ?? '';

const styleElements = (list: Element): readonly Element[] =>
  list.localName === 'styles' || list.localName === 'automatic-styles' ? children(list) : [];

/** Both parts may declare a style of one name. The later one gets an M before its name, and so do later references. */
class StyleNames {
  readonly #known = new Set<string>();
  readonly #renamed = new Set<string>();

  declare(element: Element): string {
    const written = element.getAttributeNS(STYLE, 'name') ?? '';
    const name = written.replaceAll(':', '_3a_').replaceAll(' ', '_20_');
    if (element.namespaceURI !== STYLE || element.localName !== 'style') return name;
    if (!this.#known.has(name)) {
      this.#known.add(name);
      return name;
    }
    this.#renamed.add(name);
    this.#known.add(`M${name}`);
    return `M${name}`;
  }

  refer(name: string): string {
    return this.#renamed.has(name) ? `M${name}` : name;
  }
}
