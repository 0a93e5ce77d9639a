// The texts and backgrounds of an odt file, as odfpy reads them.

import { expect, test } from 'vitest';
import {
  odt,
  odtParagraph,
  odtSpan,
  odtStyle,
  odtText,
} from '../../../runtime/bench/osworld/cases/documents-odt.ts';
import { DocumentError } from '../../../runtime/tasks/formats/document/document-error.ts';
import { odtParagraphs, openOdt, spanBackgrounds } from '../../../runtime/tasks/formats/document/odt.ts';

const YELLOW = 'fo:background-color="#ffff00"';

test('a paragraph has its own characters and those of its spans, but no tabs, links or spans in spans', () => {
  const content =
    `${odtText('a\tb ')}${odtSpan(`span ${odtSpan('deep', 'T2')}`, 'T1')}` +
    '<text:a xlink:href="http://a/">link</text:a>';
  expect(odtParagraphs(openOdt(odt('a.odt', { body: odtParagraph(content) }).bytes))).toEqual(['ab span ']);
});

test('headers come after the body, and headings are left out', () => {
  const parts = {
    body: `<text:h text:outline-level="1">Heading</text:h>${odtParagraph('body')}`,
    header: odtParagraph('header'),
  };
  expect(odtParagraphs(openOdt(odt('a.odt', parts).bytes))).toEqual(['body', 'header']);
});

test('only styles of spans give a background', () => {
  const styles = odtStyle('T1', YELLOW) + odtStyle('T2', 'fo:color="#000000"');
  const backgrounds = (style: string) =>
    spanBackgrounds(openOdt(odt('a.odt', { styles, body: odtParagraph(odtSpan('x', style)) }).bytes));
  expect(backgrounds('T1')).toEqual(['#ffff00']);
  expect(backgrounds('T2')).toEqual(['']);
  expect(backgrounds('T9')).toEqual([]);
});

test('a span of the header uses the style of the header, although the body has one of the same name', () => {
  const body = odtParagraph(odtSpan('x', 'T1'));
  const parts = { body, styles: odtStyle('T1', ''), headerStyles: odtStyle('T1', YELLOW) };
  expect(spanBackgrounds(openOdt(odt('a.odt', parts).bytes))).toEqual(['']);
  const withHeader = { ...parts, header: odtParagraph(odtSpan('y', 'T1')) };
  expect(spanBackgrounds(openOdt(odt('a.odt', withHeader).bytes))).toEqual(['', '#ffff00']);
});

test('a file that lacks what its manifest lists is unreadable', () => {
  const bytes = odt('a.odt', { body: '', listed: ['Pictures/lost.png'] }).bytes;
  expect(() => openOdt(bytes)).toThrow(DocumentError);
});
