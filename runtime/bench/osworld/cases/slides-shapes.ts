// Writes the shapes of random presentations, with the structure of LibreOffice's own.

import type {
  DeckBox,
  DeckFont,
  DeckParagraph,
  DeckPart,
  DeckPicture,
  DeckTable,
  Shape,
  TextShape,
} from './slides-deck.ts';

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export const attributes = (values: Readonly<Record<string, string | number | boolean | undefined>>): string =>
  Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(
      ([name, value]) =>
        ` ${name}="${escaped(typeof value === 'boolean' ? `${Number(value)}` : `${value}`)}"`,
    )
    .join('');

export const solid = (colour: string): string =>
  `<a:solidFill>${colour.startsWith('theme') ? '<a:schemeClr val="tx1"/>' : `<a:srgbClr val="${colour}"/>`}</a:solidFill>`;

function fontXml(name: string, font: DeckFont | undefined, isField = false): string {
  if (font === undefined && !isField) return '';
  const { size, bold, italic, underline, strike, colour, name: typeface } = font ?? {};
  const content =
    (colour === undefined ? '' : solid(colour)) +
    (typeface === undefined ? '' : `<a:latin${attributes({ typeface })}/><a:ea${attributes({ typeface })}/>`);
  return `<a:${name}${attributes({ b: bold, i: italic, lang: 'en-US', strike, sz: size, u: underline })}>${content}</a:${name}>`;
}

function partXml({ kind, text, font }: DeckPart): string {
  if (kind === 'break') return '<a:br/>';
  const content = `<a:t>${escaped(text)}</a:t>`;
  if (kind === 'run') return `<a:r>${fontXml('rPr', font)}${content}</a:r>`;
  return `<a:fld id="{E5C5B4C2-0001-4A5A-9C8B-1B2C3D4E5F60}" type="slidenum">${fontXml('rPr', font, true)}${content}</a:fld>`;
}

function paragraphXml({ hasProperties, alignment, level, bullet, parts }: DeckParagraph): string {
  const isNeeded = hasProperties || alignment !== undefined || level !== undefined || bullet !== undefined;
  const colour = bullet?.colour === undefined ? '' : `<a:buClr><a:srgbClr val="${bullet.colour}"/></a:buClr>`;
  const bulletXml =
    bullet === undefined
      ? ''
      : `${colour}<a:buFont typeface="Symbol"/><a:buChar${attributes({ char: bullet.character })}/>`;
  const properties = `<a:pPr${attributes({ algn: alignment, lvl: level })}>${bulletXml}</a:pPr>`;
  return `<a:p>${isNeeded ? properties : ''}${parts.map(partXml).join('')}</a:p>`;
}

const bodyXml = (prefix: 'a' | 'p', paragraphs: readonly DeckParagraph[]): string =>
  `<${prefix}:txBody><a:bodyPr anchor="ctr"/><a:lstStyle/>${paragraphs.map(paragraphXml).join('')}</${prefix}:txBody>`;

export const boxXml = ({ left, top, width, height }: DeckBox, prefix: 'a' | 'p' = 'a'): string =>
  `<${prefix}:xfrm><a:off x="${left}" y="${top}"/><a:ext cx="${width}" cy="${height}"/></${prefix}:xfrm>`;

export const nameXml = (id: number): string => `<p:cNvPr id="${id}" name="Shape ${id}"/>`;

const GEOMETRIES = {
  placeholder: '',
  bare: '',
  'text box': '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom><a:noFill/>',
  'auto shape': '<a:prstGeom prst="ellipse"><a:avLst/></a:prstGeom>',
  freeform: '<a:custGeom><a:avLst/><a:pathLst/></a:custGeom>',
} as const;

export function textShapeXml(shape: TextShape, id: number): string {
  const { kind, type, index, box, paragraphs } = shape;
  const placeholder =
    kind === 'placeholder'
      ? `<p:ph${attributes({ type: type === 'obj' ? undefined : type, idx: index || undefined })}/>`
      : '';
  return (
    `<p:sp><p:nvSpPr>${nameXml(id)}<p:cNvSpPr${kind === 'text box' ? ' txBox="1"' : ''}/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr>` +
    `<p:spPr>${box === undefined ? '' : boxXml(box)}${GEOMETRIES[kind]}</p:spPr>` +
    `${paragraphs === undefined ? '' : bodyXml('p', paragraphs)}</p:sp>`
  );
}

const pictureXml = ({ box, image, isFilm }: DeckPicture, id: number): string =>
  `<p:pic><p:nvPicPr>${nameXml(id)}<p:cNvPicPr/><p:nvPr>${isFilm ? '<a:videoFile r:link="rId2"/>' : ''}</p:nvPr></p:nvPicPr>` +
  `<p:blipFill><a:blip r:embed="rId${image + 2}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>` +
  `<p:spPr>${boxXml(box)}<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>`;

const frameXml = (box: DeckBox, id: number, uri: string, content: string): string =>
  `<p:graphicFrame><p:nvGraphicFramePr>${nameXml(id)}<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>${boxXml(box, 'p')}` +
  `<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/${uri}">${content}</a:graphicData></a:graphic></p:graphicFrame>`;

function tableXml({ rows }: DeckTable): string {
  const columns = (rows[0] ?? []).map(() => '<a:gridCol w="1000000"/>').join('');
  const cells = (row: readonly DeckParagraph[]) =>
    row.map(each => `<a:tc>${bodyXml('a', [each])}<a:tcPr/></a:tc>`).join('');
  return `<a:tbl><a:tblPr firstRow="1"/><a:tblGrid>${columns}</a:tblGrid>${rows
    .map(row => `<a:tr h="370840">${cells(row)}</a:tr>`)
    .join('')}</a:tbl>`;
}

export function shapeXml(shape: Shape, id: number): string {
  switch (shape.kind) {
    case 'picture':
      return pictureXml(shape, id);
    case 'table':
      return frameXml(shape.box, id, 'table', tableXml(shape));
    case 'frame':
      return frameXml(shape.box, id, 'diagram', '');
    case 'line':
      return (
        `<p:cxnSp><p:nvCxnSpPr>${nameXml(id)}<p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr>` +
        `<p:spPr>${boxXml(shape.box)}<a:prstGeom prst="line"><a:avLst/></a:prstGeom></p:spPr></p:cxnSp>`
      );
    case 'group':
      return (
        `<p:grpSp><p:nvGrpSpPr>${nameXml(id)}<p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>${boxXml(shape.box)}</p:grpSpPr>` +
        `${shape.shapes.map((each, index) => shapeXml(each, id * 10 + index)).join('')}</p:grpSp>`
      );
    default:
      return textShapeXml(shape, id);
  }
}
