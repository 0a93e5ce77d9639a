// Writes random presentations as pptx files, with the structure of LibreOffice's own.

import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import type { Background, DeckBox, DeckModel, DeckParagraph, Slide } from './slides-deck.ts';
import { attributes, boxXml, escaped, nameXml, shapeXml, solid, textShapeXml } from './slides-shapes.ts';
import { zipOf } from './zip.ts';

const HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const NAMESPACES =
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ' +
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" ' +
  'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const FORMAT = 'application/vnd.openxmlformats-officedocument.presentationml';

const relationships = (entries: readonly (readonly [type: string, target: string])[]): string =>
  `${HEADER}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${entries
    .map(
      ([type, target], index) =>
        `<Relationship${attributes({ Id: `rId${index + 1}`, Type: `${OFFICE}/${type}`, Target: target })}/>`,
    )
    .join('')}</Relationships>`;

function backgroundXml(background: Background | undefined): string {
  if (background === undefined) return '';
  if (background === 'style') return '<p:bg><p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef></p:bg>';
  const fill =
    background === 'none'
      ? '<a:noFill/>'
      : background === 'gradient'
        ? '<a:gradFill><a:gsLst><a:gs pos="0"><a:srgbClr val="FF0000"/></a:gs><a:gs pos="100000"><a:srgbClr val="00FF00"/></a:gs></a:gsLst></a:gradFill>'
        : solid(background);
  return `<p:bg><p:bgPr>${fill}<a:effectLst/></p:bgPr></p:bg>`;
}

const treeXml = (shapes: string): string =>
  `<p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>${shapes}</p:spTree>`;

const sheetXml = (name: string, background: Background | undefined, shapes: string, rest = ''): string =>
  `${HEADER}<p:${name} ${NAMESPACES}><p:cSld>${backgroundXml(background)}${treeXml(shapes)}</p:cSld>${rest}</p:${name}>`;

const slideXml = ({ background, shapes, transition }: Slide): string =>
  sheetXml(
    'sld',
    background,
    shapes.map((shape, index) => shapeXml(shape, index + 2)).join(''),
    `<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>${transition ?? ''}`,
  );

const plain = (text: string): DeckParagraph => ({ hasProperties: false, parts: [{ kind: 'run', text }] });

const box = (left: number, top: number, width: number, height: number): DeckBox => ({
  left,
  top,
  width,
  height,
});

const LAYOUT = [
  textShapeXml({ kind: 'placeholder', type: 'title', index: 0, paragraphs: [plain('Title')] }, 2),
  textShapeXml(
    {
      kind: 'placeholder',
      type: 'obj',
      index: 1,
      box: box(457_200, 1_600_200, 8_229_600, 4_525_963),
      paragraphs: [plain('Text')],
    },
    3,
  ),
].join('');

function masterXml({ masterBackground, number }: DeckModel): string {
  const title = textShapeXml(
    {
      kind: 'placeholder',
      type: 'title',
      index: 0,
      box: box(457_200, 274_638, 8_229_600, 1_143_000),
      paragraphs: [plain('Title')],
    },
    2,
  );
  return sheetXml(
    'sldMaster',
    masterBackground ?? 'style',
    title + (number === undefined ? '' : numberXml(number)),
  );
}

/** As LibreOffice writes it: the text is a field, and its run has the colour. */
function numberXml({ text, colour, defaultColour }: NonNullable<DeckModel['number']>): string {
  const fill = (value: string | undefined): string => (value === undefined ? '' : solid(value));
  return (
    `<p:sp><p:nvSpPr>${nameXml(4)}<p:cNvSpPr/><p:nvPr><p:ph type="sldNum" idx="3"/></p:nvPr></p:nvSpPr><p:spPr>${boxXml(box(7_000_000, 6_300_000, 2_000_000, 400_000))}</p:spPr>` +
    `<p:txBody><a:bodyPr/><a:p><a:pPr algn="r">${defaultColour === undefined ? '' : `<a:defRPr>${fill(defaultColour)}</a:defRPr>`}</a:pPr>` +
    `<a:fld id="{E5C5B4C2-0001-4A5A-9C8B-1B2C3D4E5F60}" type="slidenum"><a:rPr lang="en-US">${fill(colour)}</a:rPr><a:t>${escaped(text)}</a:t></a:fld></a:p></p:txBody></p:sp>`
  );
}

const notesXml = (name: 'notes' | 'notesMaster', text: string): string =>
  sheetXml(
    name,
    undefined,
    textShapeXml({ kind: 'placeholder', type: 'body', index: 1, paragraphs: [plain(text)] }, 2),
  );

/** Two pictures that differ in one byte. Nothing decodes them. */
export const pictureBytes = (index: number): Uint8Array =>
  Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, index);

function contentTypes(slides: number, hasNotes: readonly boolean[], hasNotesMaster: boolean): string {
  const override = (path: string, type: string): string =>
    `<Override${attributes({ PartName: `/ppt/${path}`, ContentType: `${FORMAT}.${type}+xml` })}/>`;
  const numbers = Array.from({ length: slides }, (_, index) => index + 1);
  return (
    `${HEADER}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>' +
    override('presentation.xml', 'presentation.main') +
    override('slideMasters/slideMaster1.xml', 'slideMaster') +
    override('slideLayouts/slideLayout1.xml', 'slideLayout') +
    (hasNotesMaster ? override('notesMasters/notesMaster1.xml', 'notesMaster') : '') +
    numbers.map(number => override(`slides/slide${number}.xml`, 'slide')).join('') +
    numbers
      .filter(number => hasNotes[number - 1])
      .map(number => override(`notesSlides/notesSlide${number}.xml`, 'notesSlide'))
      .join('') +
    '</Types>'
  );
}

function presentationXml({ width, height, slides, hasNotesMaster }: DeckModel): string {
  const ids = slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 2}"/>`).join('');
  const notes = hasNotesMaster
    ? `<p:notesMasterIdLst><p:notesMasterId r:id="rId${slides.length + 2}"/></p:notesMasterIdLst>`
    : '';
  return (
    `${HEADER}<p:presentation ${NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>${notes}` +
    `<p:sldIdLst>${ids}</p:sldIdLst><p:sldSz cx="${width}" cy="${height}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`
  );
}

/** The files of the package by path, so that a case can damage one. */
export function deckFiles(deck: DeckModel): Record<string, string | Uint8Array> {
  const { slides, hasNotesMaster } = deck;
  const files: Record<string, string | Uint8Array> = {
    '[Content_Types].xml': contentTypes(
      slides.length,
      slides.map(({ notes }) => notes !== undefined),
      hasNotesMaster,
    ),
    '_rels/.rels': relationships([['officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml': presentationXml(deck),
    'ppt/_rels/presentation.xml.rels': relationships([
      ['slideMaster', 'slideMasters/slideMaster1.xml'],
      ...slides.map((_, index) => ['slide', `slides/slide${index + 1}.xml`] as const),
      ...(hasNotesMaster ? [['notesMaster', 'notesMasters/notesMaster1.xml'] as const] : []),
    ]),
    'ppt/slideMasters/slideMaster1.xml': masterXml(deck),
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationships([
      ['slideLayout', '../slideLayouts/slideLayout1.xml'],
    ]),
    'ppt/slideLayouts/slideLayout1.xml': sheetXml('sldLayout', undefined, LAYOUT),
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships([
      ['slideMaster', '../slideMasters/slideMaster1.xml'],
    ]),
    'ppt/media/image1.png': pictureBytes(0),
    'ppt/media/image2.png': pictureBytes(1),
  };
  if (hasNotesMaster) files['ppt/notesMasters/notesMaster1.xml'] = notesXml('notesMaster', 'Notes');
  for (const [index, slide] of slides.entries())
    Object.assign(files, slideFiles(slide, index + 1, hasNotesMaster));
  return files;
}

function slideFiles(slide: Slide, number: number, hasNotesMaster: boolean): Record<string, string> {
  const notesPath = `ppt/notesSlides/notesSlide${number}.xml`;
  const hasNotes = slide.notes !== undefined;
  return {
    [`ppt/slides/slide${number}.xml`]: slideXml(slide),
    [`ppt/slides/_rels/slide${number}.xml.rels`]: relationships([
      ['slideLayout', '../slideLayouts/slideLayout1.xml'],
      ['image', '../media/image1.png'],
      ['image', '../media/image2.png'],
      ...(hasNotes ? [['notesSlide', `../notesSlides/notesSlide${number}.xml`] as const] : []),
    ]),
    ...(hasNotes && {
      [notesPath]: notesXml('notes', slide.notes ?? ''),
      [`ppt/notesSlides/_rels/notesSlide${number}.xml.rels`]: relationships([
        ['slide', `../slides/slide${number}.xml`],
        ...(hasNotesMaster ? [['notesMaster', '../notesMasters/notesMaster1.xml'] as const] : []),
      ]),
    }),
  };
}

export const deckFile = (name: string, deck: DeckModel): TaskFile => ({
  name,
  bytes: zipOf(deckFiles(deck)),
});
