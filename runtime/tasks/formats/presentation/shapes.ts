// The shapes of a slide, a layout or a master, and the kind of each.

import type { Element } from '../xml.ts';
import { flag } from './attribute-values.ts';
import { bytesOf, type XmlPart } from './deck.ts';
import {
  allOf,
  attributeOf,
  childrenOf,
  find,
  isNamed,
  need,
  neededAttribute,
  preorder,
  type QualifiedName,
} from './dom.ts';
import { placeholderOf, placeholderType } from './placeholder.ts';
import { PresentationError } from './presentation-error.ts';

const SHAPES: readonly QualifiedName[] = [
  'p:sp',
  'p:grpSp',
  'p:graphicFrame',
  'p:cxnSp',
  'p:pic',
  'p:contentPart',
];

const treeOf = (part: XmlPart): Element => need(part.root, 'p:cSld', 'p:spTree');

const shapesBelow = (tree: Element): readonly Element[] =>
  childrenOf(tree).filter(element => SHAPES.some(name => isNamed(element, name)));

/** The shapes of a slide from back to front; a group is one shape. */
export function shapesOf(slide: XmlPart): readonly Element[] {
  const shapes = readableShapes(slide);
  for (const shape of shapes) {
    const placeholder = isNamed(shape, 'p:sp') ? placeholderOf(shape) : undefined;
    if (placeholder !== undefined) placeholderType(placeholder);
  }
  return shapes;
}

function readableShapes(part: XmlPart): readonly Element[] {
  const shapes = shapesBelow(treeOf(part));
  if (shapes.some(shape => isNamed(shape, 'p:contentPart')))
    throw new PresentationError('Ink cannot be read. Remove the content parts from the slides.');
  return shapes;
}

export const placeholdersOf = (part: XmlPart): readonly Element[] =>
  readableShapes(part).filter(shape => placeholderOf(shape) !== undefined);

export const hasText = (shape: Element): boolean => isNamed(shape, 'p:sp');

/** The text body; undefined if the shape has none yet. */
export const bodyOf = (shape: Element): Element | undefined => find(shape, 'p:txBody');

/** The shapes with text, also those within groups. */
export const textShapesOf = (slide: XmlPart): readonly Element[] =>
  preorder(shapesOf(slide), shape => (isNamed(shape, 'p:grpSp') ? shapesBelow(shape) : [])).filter(hasText);

export type ShapeKind =
  | 'placeholder'
  | 'freeform'
  | 'auto shape'
  | 'text box'
  | 'picture'
  | 'media'
  | 'group'
  | 'line'
  | 'table'
  | 'other frame';

/** A shape without a geometry that is neither a placeholder nor a text box has no kind, which is an error. */
export function kindOf(shape: Element): ShapeKind {
  if (isNamed(shape, 'p:grpSp')) return 'group';
  if (isNamed(shape, 'p:cxnSp')) return 'line';
  // A frame is not counted among the placeholders, even where it fills one.
  if (isNamed(shape, 'p:graphicFrame')) return isTable(shape) ? 'table' : 'other frame';
  if (placeholderOf(shape) !== undefined) return 'placeholder';
  if (isNamed(shape, 'p:pic'))
    return find(shape, 'p:nvPicPr', 'p:nvPr', 'a:videoFile') === undefined ? 'picture' : 'media';
  return kindOfGeometry(shape);
}

function kindOfGeometry(shape: Element): ShapeKind {
  const properties = need(shape, 'p:spPr');
  if (find(properties, 'a:custGeom') !== undefined) return 'freeform';
  const isTextBox = flag(attributeOf(need(shape, 'p:nvSpPr', 'p:cNvSpPr'), 'txBox') ?? '0');
  if (isTextBox) return 'text box';
  if (find(properties, 'a:prstGeom') !== undefined) return 'auto shape';
  throw new PresentationError('A shape has no geometry, and is no text box. Give it a geometry.');
}

const TABLE_ADDRESS = 'http://schemas.openxmlformats.org/drawingml/2006/table';

const isTable = (frame: Element): boolean =>
  neededAttribute(need(frame, 'a:graphic', 'a:graphicData'), 'uri') === TABLE_ADDRESS;

/** The cells of a table by row and column. */
export interface Table {
  readonly columns: number;
  readonly rows: readonly (readonly Element[])[];
}

export function tableOf(frame: Element): Table {
  if (!isNamed(frame, 'p:graphicFrame') || !isTable(frame))
    throw new PresentationError('A shape is not a table. Compare tables with tables.');
  const table = need(frame, 'a:graphic', 'a:graphicData', 'a:tbl');
  return {
    columns: allOf(need(table, 'a:tblGrid'), 'a:gridCol').length,
    rows: allOf(table, 'a:tr').map(row => allOf(row, 'a:tc')),
  };
}

/** The file of a picture. */
export function pictureBytes(part: XmlPart, picture: Element): Uint8Array {
  const blip = find(need(picture, 'p:blipFill'), 'a:blip');
  const id = attributeOf(blip, 'r:embed');
  if (id === undefined) throw new PresentationError('A picture is not embedded. Embed it in the file.');
  return bytesOf(part, id);
}
