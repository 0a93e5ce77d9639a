// Writes small documents, tables and presentations in the formats of Office, so that a task can contain them as lists of texts. Pure.

import { zipped } from '../../core/zip-writer.ts';

export type CellInput = string | number | null;

/** Equal parts give equal bytes. */
const packageOf = (parts: Readonly<Record<string, string>>): Uint8Array =>
  zipped(Object.entries(parts).map(([name, text]) => ({ name, content: Buffer.from(text), stored: true })));

const HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const CONTENT = 'application/vnd.openxmlformats-officedocument';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const SLIDE_NAMESPACES =
  `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${OFFICE}" ` +
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, each => ESCAPES[each] ?? each);

/** `parts` are the paths of the content with their types, below `CONTENT`. */
function contentTypes(parts: Readonly<Record<string, string>>): string {
  const overrides = Object.entries(parts).map(
    ([path, type]) => `<Override PartName="/${path}" ContentType="${CONTENT}.${type}+xml"/>`,
  );
  return (
    `${HEADER}<Types xmlns="${TYPES}">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  );
}

/** The ids are rId1, rId2 and so on. */
function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const rows = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `${HEADER}<Relationships xmlns="${PACKAGE}">${rows.join('')}</Relationships>`;
}

/** A text document with one paragraph per text. */
export function documentFile(paragraphs: readonly string[]): Uint8Array {
  const body = paragraphs.map(
    text => `<w:p><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`,
  );
  return packageOf({
    '[Content_Types].xml': contentTypes({ 'word/document.xml': 'wordprocessingml.document.main' }),
    '_rels/.rels': relationships([['officeDocument', 'word/document.xml']]),
    'word/document.xml': `${HEADER}<w:document xmlns:w="${WORD}"><w:body>${body.join('')}</w:body></w:document>`,
  });
}

const COLUMNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A table with one sheet of at most 26 columns. A text that begins with '=' is a formula. */
export function tableFile(rows: readonly (readonly CellInput[])[], name = 'Sheet1'): Uint8Array {
  const cell = (content: CellInput, at: string): string => {
    if (content === null) return '';
    if (typeof content === 'number') return `<c r="${at}"><v>${content}</v></c>`;
    if (content.startsWith('=')) return `<c r="${at}"><f>${escaped(content.slice(1))}</f></c>`;
    return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(content)}</t></is></c>`;
  };
  const data = rows.map((row, down) => {
    const cells = row.map((content, across) => cell(content, `${COLUMNS[across] ?? ''}${down + 1}`));
    return `<row r="${down + 1}">${cells.join('')}</row>`;
  });
  const sheets = `<sheets><sheet name="${escaped(name)}" sheetId="1" r:id="rId1"/></sheets>`;
  return packageOf({
    '[Content_Types].xml': contentTypes({
      'xl/workbook.xml': 'spreadsheetml.sheet.main',
      'xl/worksheets/sheet1.xml': 'spreadsheetml.worksheet',
    }),
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${HEADER}<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}">${sheets}</workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([['worksheet', 'worksheets/sheet1.xml']]),
    'xl/worksheets/sheet1.xml': `${HEADER}<worksheet xmlns="${SHEET}"><sheetData>${data.join('')}</sheetData></worksheet>`,
  });
}

/** Left, top, width and height, for slides of 10 × 7.5 inches. */
const PLACES = {
  title: '<a:xfrm><a:off x="457200" y="274638"/><a:ext cx="8229600" cy="1143000"/></a:xfrm>',
  body: '<a:xfrm><a:off x="457200" y="1600200"/><a:ext cx="8229600" cy="4525963"/></a:xfrm>',
} as const;

const shape = (id: number, type: 'title' | 'body', lines: readonly string[], hasPlace: boolean): string => {
  const text = lines.map(line => `<a:p><a:r><a:t>${escaped(line)}</a:t></a:r></a:p>`).join('');
  const kind = type === 'title' ? 'type="title"' : 'type="body" idx="1"';
  return (
    `<p:sp><p:nvSpPr><p:cNvPr id="${id}" name="${type} ${id}"/><p:cNvSpPr/><p:nvPr><p:ph ${kind}/></p:nvPr></p:nvSpPr>` +
    `<p:spPr>${hasPlace ? PLACES[type] : ''}</p:spPr><p:txBody><a:bodyPr/>${text || '<a:p/>'}</p:txBody></p:sp>`
  );
};

const sheet = (name: string, title: string, lines: readonly string[], hasPlaces: boolean, rest: string) =>
  `${HEADER}<p:${name} ${SLIDE_NAMESPACES}><p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>` +
  `${shape(2, 'title', [title], hasPlaces)}${shape(3, 'body', lines, hasPlaces)}</p:spTree></p:cSld>${rest}</p:${name}>`;

const COLOURS =
  '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2" accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink" folHlink="folHlink"/>';
const SAME_COLOURS = '<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr>';

/** A presentation. The first text of a slide is its title, the others are its lines. */
export function slidesFile(slides: readonly (readonly string[])[]): Uint8Array {
  const numbered = slides.map((texts, index) => ({ texts, path: `slides/slide${index + 1}.xml` }));
  const ids = numbered.map((_, index) => `<p:sldId id="${256 + index}" r:id="rId${index + 2}"/>`).join('');
  const [master, layout] = ['slideMasters/slideMaster1.xml', 'slideLayouts/slideLayout1.xml'];
  return packageOf({
    '[Content_Types].xml': contentTypes({
      'ppt/presentation.xml': 'presentationml.presentation.main',
      [`ppt/${master}`]: 'presentationml.slideMaster',
      [`ppt/${layout}`]: 'presentationml.slideLayout',
      ...Object.fromEntries(numbered.map(({ path }) => [`ppt/${path}`, 'presentationml.slide'])),
    }),
    '_rels/.rels': relationships([['officeDocument', 'ppt/presentation.xml']]),
    'ppt/presentation.xml':
      `${HEADER}<p:presentation ${SLIDE_NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="rId1"/></p:sldMasterIdLst>` +
      `<p:sldIdLst>${ids}</p:sldIdLst><p:sldSz cx="9144000" cy="6858000"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relationships([
      ['slideMaster', master],
      ...numbered.map(({ path }) => ['slide', path] as const),
    ]),
    [`ppt/${master}`]: sheet(
      'sldMaster',
      'Title',
      ['Text'],
      true,
      `${COLOURS}<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="rId1"/></p:sldLayoutIdLst>`,
    ),
    'ppt/slideMasters/_rels/slideMaster1.xml.rels': relationships([['slideLayout', `../${layout}`]]),
    [`ppt/${layout}`]: sheet('sldLayout', 'Title', ['Text'], true, SAME_COLOURS),
    'ppt/slideLayouts/_rels/slideLayout1.xml.rels': relationships([['slideMaster', `../${master}`]]),
    ...Object.fromEntries(
      numbered.flatMap(({ texts: [title = '', ...lines], path }, index) => [
        [`ppt/${path}`, sheet('sld', title, lines, false, SAME_COLOURS)],
        [`ppt/slides/_rels/slide${index + 1}.xml.rels`, relationships([['slideLayout', `../${layout}`]])],
      ]),
    ),
  });
}
