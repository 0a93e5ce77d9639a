// Opens docx files under the conditions of python-docx: a file that python-docx refuses is unreadable here too.

import { OfficePackage, type Relationship } from '../office-package.ts';
import { attribute, children, type Document, type Element, rootOf } from '../xml.ts';
import { DocumentError } from './document-error.ts';
import { isWord, wordChild } from './word-xml.ts';

export interface Docx {
  readonly package: OfficePackage;
  /** The path of the main part. */
  readonly path: string;
  readonly xml: Document;
  readonly body: Element;
  readonly relationships: ReadonlyMap<string, Relationship>;
}

const CONTENT_TYPES = '[Content_Types].xml';
const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
const MAIN_TYPE = `${WORD_TYPE}.document.main+xml`;

/** The parts of these types must be XML, since python-docx parses them while it opens a file. */
const PARSED_TYPES = new Set([
  MAIN_TYPE,
  ...['styles', 'settings', 'numbering', 'header', 'footer', 'comments'].map(
    part => `${WORD_TYPE}.${part}+xml`,
  ),
  'application/vnd.openxmlformats-package.core-properties+xml',
]);

export function openDocx(bytes: Uint8Array): Docx {
  try {
    return open(new OfficePackage(bytes));
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    throw new DocumentError('The file is not a docx document, or it is damaged.', { cause: error });
  }
}

function open(parts: OfficePackage): Docx {
  const typeOf = contentTypes(parts);
  checkParts(parts, typeOf);
  const mains = parts.relationships('').filter(({ type }) => type === 'officeDocument');
  const path = mains[0]?.target;
  if (path === undefined || mains.length > 1)
    throw new DocumentError(`The file has ${mains.length} main parts instead of one.`);
  if (typeOf(path) !== MAIN_TYPE)
    throw new DocumentError(`The main part has the type ${typeOf(path)}, which is not that of a document.`);
  const xml = parts.xml(path);
  const body = xml && wordChild(rootOf(xml), 'body');
  if (xml === undefined || body === undefined || !isWord(rootOf(xml)))
    throw new DocumentError(`The main part ${path} has no body.`);
  const relationships = new Map(parts.relationships(path).map(each => [each.id, each]));
  return { package: parts, path, xml, body, relationships };
}

type ContentType = (path: string) => string | undefined;

function contentTypes(parts: OfficePackage): ContentType {
  const document = parts.xml(CONTENT_TYPES);
  if (document === undefined) throw new DocumentError(`The file has no ${CONTENT_TYPES}.`);
  const entries = (name: string, key: string) =>
    new Map(
      children(rootOf(document), name).map(each => [
        attribute(each, key)?.toLowerCase(),
        attribute(each, 'ContentType'),
      ]),
    );
  const [overrides, defaults] = [entries('Override', 'PartName'), entries('Default', 'Extension')];
  return path =>
    overrides.get(`/${path}`.toLowerCase()) ?? defaults.get(/\.([^./]*)$/.exec(path)?.[1]?.toLowerCase());
}

/** Every part that relationships reach must exist and have a type. */
function checkParts(parts: OfficePackage, typeOf: ContentType): void {
  const known = new Set<string>();
  const pending = [''];
  for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
    for (const { target, type, isExternal } of parts.relationships(source)) {
      if (isExternal || known.has(target)) continue;
      known.add(target);
      pending.push(target);
      const contentType = typeOf(target);
      if (parts.bytes(target) === undefined || contentType === undefined)
        throw new DocumentError(`The part ${target} is missing or has no type.`);
      if (type !== 'image' && PARSED_TYPES.has(contentType)) parts.xml(target);
    }
  }
}
