// Writes small docx files in the structure of python-docx and LibreOffice. The builders return WordprocessingML.

import type { TaskFile } from '../../../tasks/metrics/metric.ts';
import { zipOf } from './zip.ts';

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A run with text, where tabs and ends of lines become elements. */
export const run = (text: string, properties = '', more = ''): string =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}${pieces(text)}${more}</w:r>`;

const pieces = (text: string): string =>
  text
    .split(/([\t\n])/)
    .map(piece => {
      if (piece === '\t') return '<w:tab/>';
      if (piece === '\n') return '<w:br/>';
      return piece && `<w:t xml:space="preserve">${escaped(piece)}</w:t>`;
    })
    .join('');

export const paragraph = (content: string, properties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;

export const hyperlink = (content: string): string =>
  `<w:hyperlink w:anchor="top" w:history="1">${content}</w:hyperlink>`;

export const inserted = (content: string): string =>
  `<w:ins w:id="1" w:author="A" w:date="2026-01-01T00:00:00Z">${content}</w:ins>`;

export const contentControl = (blocks: string): string =>
  `<w:sdt><w:sdtPr><w:id w:val="7"/></w:sdtPr><w:sdtContent>${blocks}</w:sdtContent></w:sdt>`;

/** A field whose result is stored, as LibreOffice writes page numbers. */
export const pageField = (stored: string): string =>
  '<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> PAGE </w:instrText></w:r>' +
  `<w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(stored)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

export const cell = (blocks: string, properties = ''): string =>
  `<w:tc><w:tcPr><w:tcW w:w="2000" w:type="dxa"/>${properties}</w:tcPr>${blocks}</w:tc>`;

export const row = (cells: readonly string[], properties = ''): string =>
  `<w:tr>${properties && `<w:trPr>${properties}</w:trPr>`}${cells.join('')}</w:tr>`;

export const table = (columns: number, rows: readonly string[]): string =>
  '<w:tbl><w:tblPr><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>' +
  `${'<w:gridCol w:w="2000"/>'.repeat(columns)}</w:tblGrid>${rows.join('')}</w:tbl>`;

export const picture = (id: string): string =>
  '<w:drawing><wp:inline><wp:extent cx="50800" cy="50800"/><wp:docPr id="1" name="Picture 1"/><a:graphic>' +
  '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic><pic:blipFill>' +
  `<a:blip r:embed="${id}"/></pic:blipFill><pic:spPr/></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing>`;

/** A text box, which repeats its content for old programs. */
export const textBox = (blocks: string): string =>
  `<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor><a:graphic><a:graphicData uri="wps"><wps:wsp><wps:txbx><w:txbxContent>${blocks}` +
  '</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>' +
  `<w:txbxContent>${blocks}</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent>`;

export interface SectionParts {
  readonly footer?: string;
  readonly page?: string;
  readonly margins?: string;
}

export const sectionProperties = ({ footer, page, margins }: SectionParts = {}): string =>
  `<w:sectPr>${footer === undefined ? '' : `<w:footerReference w:type="default" r:id="${footer}"/>`}` +
  `<w:pgSz ${page ?? 'w:w="11906" w:h="16838"'}/><w:pgMar w:top="1134" w:bottom="1134" ${margins ?? 'w:left="1134" w:right="1134"'}/></w:sectPr>`;

export interface DocxParts {
  /** The blocks of the body and the properties of its last section. */
  readonly body: string;
  /** The blocks of footers; the first has the relationship `rIdF0`. */
  readonly footers?: readonly string[];
  /** Pictures by file name; the first has the relationship `rIdP0`. */
  readonly pictures?: readonly (readonly [name: string, bytes: Uint8Array])[];
  /** Further relationships of the document. */
  readonly relationships?: string;
  /** The type of the main part, such as that of a template. */
  readonly kind?: string;
  /** The path of the main part. */
  readonly path?: string;
}

const NAMESPACES = Object.entries({
  w: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  m: 'http://schemas.openxmlformats.org/officeDocument/2006/math',
  o: 'urn:schemas-microsoft-com:office:office',
  v: 'urn:schemas-microsoft-com:vml',
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
  mc: 'http://schemas.openxmlformats.org/markup-compatibility/2006',
  wps: 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape',
})
  .map(([prefix, address]) => `xmlns:${prefix}="${address}"`)
  .join(' ');

const HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const WORD_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml';

const relationship = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;

const relationships = (content: string): string =>
  `${HEADER}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`;

const STYLES = `${HEADER}<w:styles ${NAMESPACES}><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:pPr><w:jc w:val="center"/></w:pPr></w:style></w:styles>`;

export function docx(name: string, parts: DocxParts): TaskFile {
  return { name, bytes: zipOf(docxEntries(parts)) };
}

export function docxEntries({
  body,
  footers = [],
  pictures = [],
  relationships: more = '',
  kind = 'document',
  path = 'word/document.xml',
}: DocxParts): Record<string, string | Uint8Array> {
  const overrides = [
    [`/${path}`, `${kind}.main`],
    ['/word/styles.xml', 'styles'],
    ...footers.map((_, index) => [`/word/footer${index}.xml`, 'footer']),
  ];
  return {
    '[Content_Types].xml':
      `${HEADER}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      '<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Default Extension="bmp" ContentType="image/bmp"/>' +
      `${overrides.map(([part, type]) => `<Override PartName="${part}" ContentType="${WORD_TYPE}.${type}+xml"/>`).join('')}</Types>`,
    '_rels/.rels': relationships(relationship('rId1', 'officeDocument', path)),
    [path]: `${HEADER}<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`,
    [path.replace(/[^/]+$/, '_rels/$&.rels')]: relationships(
      relationship('rId1', 'styles', '/word/styles.xml') +
        footers
          .map((_, index) => relationship(`rIdF${index}`, 'footer', `/word/footer${index}.xml`))
          .join('') +
        pictures
          .map(([file], index) => relationship(`rIdP${index}`, 'image', `/word/media/${file}`))
          .join('') +
        more,
    ),
    'word/styles.xml': STYLES,
    ...Object.fromEntries(
      footers.map((blocks, index) => [
        `word/footer${index}.xml`,
        `${HEADER}<w:ftr ${NAMESPACES}>${blocks}</w:ftr>`,
      ]),
    ),
    ...Object.fromEntries(pictures.map(([file, bytes]) => [`word/media/${file}`, bytes])),
  };
}
