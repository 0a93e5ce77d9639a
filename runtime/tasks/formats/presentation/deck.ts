// Opens a presentation (pptx) and finds its parts: slides, layouts, masters and notes. It accepts and rejects the files that python-pptx
// accepts and rejects.

import { posix } from 'node:path';
import { messageOf } from '../../../core/errors.ts';
import { OfficePackage, type Relationship } from '../office-package.ts';
import { attribute, children, type Element, rootOf } from '../xml.ts';
import { integer } from './attribute-values.ts';
import { allOf, childrenOf, find, isNamed, neededAttribute } from './dom.ts';
import { PresentationError } from './presentation-error.ts';

const MAIN_TYPES: readonly string[] = [
  'application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml',
  'application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml',
];

const PART_TYPES = {
  slide: 'application/vnd.openxmlformats-officedocument.presentationml.slide+xml',
  slideLayout: 'application/vnd.openxmlformats-officedocument.presentationml.slideLayout+xml',
  slideMaster: 'application/vnd.openxmlformats-officedocument.presentationml.slideMaster+xml',
  notesSlide: 'application/vnd.openxmlformats-officedocument.presentationml.notesSlide+xml',
  notesMaster: 'application/vnd.openxmlformats-officedocument.presentationml.notesMaster+xml',
} as const;

export type PartKind = keyof typeof PART_TYPES;

/** Parts of these types must be XML, or the presentation cannot be opened. */
const XML_TYPES: readonly string[] = [
  ...MAIN_TYPES,
  ...Object.values(PART_TYPES),
  'application/vnd.openxmlformats-package.core-properties+xml',
  'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
];

export interface Deck {
  readonly files: OfficePackage;
  /** The content type of each part that can be reached. */
  readonly types: ReadonlyMap<string, string>;
  readonly main: XmlPart;
}

export interface XmlPart {
  readonly files: OfficePackage;
  readonly path: string;
  readonly root: Element;
}

export function openDeck(bytes: Uint8Array): Deck {
  try {
    const files = new OfficePackage(bytes);
    const types = typesOf(files);
    for (const [path, type] of types) if (XML_TYPES.includes(type)) files.xml(path);
    const { target } = onlyOne(files, '', 'officeDocument');
    const type = types.get(target) ?? 'unknown';
    if (!MAIN_TYPES.includes(type))
      throw new PresentationError(`The file has the content type ${type}. Use a pptx file.`);
    return { files, types, main: partAt(files, target) };
  } catch (error) {
    if (error instanceof PresentationError) throw error;
    throw new PresentationError(`The file is not a presentation: ${messageOf(error)}`, { cause: error });
  }
}

function typesOf(files: OfficePackage): ReadonlyMap<string, string> {
  const document = files.xml('[Content_Types].xml');
  if (document === undefined) throw new PresentationError('The file has no content types. Use a pptx file.');
  const table = (name: string, key: string) =>
    new Map(
      children(rootOf(document), name).map(element => [
        (attribute(element, key) ?? '').toLowerCase(),
        attribute(element, 'ContentType') ?? '',
      ]),
    );
  const [overrides, defaults] = [table('Override', 'PartName'), table('Default', 'Extension')];
  const types = new Map<string, string>();
  for (const path of reachablePaths(files)) {
    const type =
      overrides.get(`/${path}`.toLowerCase()) ?? defaults.get(posix.extname(path).slice(1).toLowerCase());
    if (type === undefined)
      throw new PresentationError(`The part ${path} has no content type. Repair the file.`);
    types.set(path, type);
  }
  return types;
}

function reachablePaths(files: OfficePackage): ReadonlySet<string> {
  const found = new Set<string>();
  const queue = [''];
  for (let path = queue.pop(); path !== undefined; path = queue.pop())
    for (const { target, isExternal } of files.relationships(path)) {
      if (isExternal || found.has(target) || files.bytes(target) === undefined) continue;
      found.add(target);
      queue.push(target);
    }
  return found;
}

function partAt(files: OfficePackage, path: string): XmlPart {
  const document = files.xml(path);
  if (document === undefined) throw new PresentationError(`The part ${path} is missing. Repair the file.`);
  return { files, path, root: rootOf(document) };
}

/** The relationships to parts that exist. Of two with one id the last counts. */
function relationships(files: OfficePackage, path: string): ReadonlyMap<string, Relationship> {
  const existing = files
    .relationships(path)
    .filter(({ target, isExternal }) => isExternal || files.bytes(target) !== undefined);
  return new Map(existing.map(each => [each.id, each]));
}

function onlyOne(files: OfficePackage, path: string, type: string): Relationship {
  const [first, ...others] = [...relationships(files, path).values()].filter(each => each.type === type);
  if (first === undefined || others.length > 0)
    throw new PresentationError(
      `${path === '' ? 'The package' : `The part ${path}`} has ${first === undefined ? 'no' : 'more than one'} ${type}. Repair the file.`,
    );
  return first;
}

/** The bytes of the part that an id of a relationship names. */
export function bytesOf(part: XmlPart, id: string): Uint8Array {
  const path = relationships(part.files, part.path).get(id)?.target;
  const bytes = path === undefined ? undefined : part.files.bytes(path);
  if (bytes === undefined)
    throw new PresentationError(`The part ${part.path} has no relationship ${id}. Repair the file.`);
  return bytes;
}

function typedPart(deck: Deck, path: string, kind: PartKind): XmlPart {
  if (deck.types.get(path) !== PART_TYPES[kind])
    throw new PresentationError(`The part ${path} is not a ${kind}. Repair the file.`);
  return partAt(deck.files, path);
}

/** The single part of that kind that a part is related to. */
export const relatedPart = (deck: Deck, part: XmlPart, kind: PartKind): XmlPart =>
  typedPart(deck, onlyOne(deck.files, part.path, kind).target, kind);

export const hasRelated = (deck: Deck, part: XmlPart, kind: PartKind): boolean =>
  [...relationships(deck.files, part.path).values()].some(({ type }) => type === kind);

const listed = (deck: Deck, entries: readonly Element[], kind: PartKind): readonly XmlPart[] => {
  const targets = relationships(deck.files, deck.main.path);
  return entries.map(entry => {
    const id = neededAttribute(entry, 'r:id');
    const target = targets.get(id)?.target;
    if (target === undefined) throw new PresentationError(`There is no ${kind} ${id}. Repair the file.`);
    return typedPart(deck, target, kind);
  });
};

/** The slides in their order. */
export function slidesOf(deck: Deck): readonly XmlPart[] {
  const list = find(deck.main.root, 'p:sldIdLst');
  const entries = list === undefined ? [] : childrenOf(list);
  if (!entries.every(entry => isNamed(entry, 'p:sldId')))
    throw new PresentationError('The list of slides has other elements. Repair the file.');
  return listed(deck, entries, 'slide');
}

export function mastersOf(deck: Deck): readonly XmlPart[] {
  const list = find(deck.main.root, 'p:sldMasterIdLst');
  return listed(deck, list === undefined ? [] : allOf(list, 'p:sldMasterId'), 'slideMaster');
}

/** The size of slides in EMU; undefined if the presentation names none. */
export function slideSizeOf(deck: Deck): { readonly width: number; readonly height: number } | undefined {
  const size = find(deck.main.root, 'p:sldSz');
  return (
    size && { width: integer(neededAttribute(size, 'cx')), height: integer(neededAttribute(size, 'cy')) }
  );
}
