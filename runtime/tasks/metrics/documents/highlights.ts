// Metrics of highlighted text.

import { DocumentError } from '../../formats/document/document-error.ts';
import { odtParagraphs, openOdt, spanBackgrounds } from '../../formats/document/odt.ts';
import { leadingText, wordAttribute, wordDescendants } from '../../formats/document/word-xml.ts';
import { parseXml, XmlError } from '../../formats/xml.ts';
import { ArchiveError, readZip } from '../../formats/zip.ts';
import { expectedFile, isFile, type Metrics, pass } from '../metric.ts';
import { haveSameText } from './compare-text.ts';
import { openExpected, zeroIfUnreadable } from './open-documents.ts';

const YELLOW = '#ffff00';
const CONTENT = 'word/document.xml';

export const HIGHLIGHT_METRICS = {
  /** The text of an odt file is unchanged, and no yellow highlight is left in it. */
  check_highlighted_words: (result, expected) => {
    const file = expectedFile(expected, 'check_highlighted_words');
    const gold = openExpected(file, 'check_highlighted_words', openOdt);
    if (!isFile(result) || ![result, file].every(({ name }) => name.endsWith('.odt'))) return 0;
    return zeroIfUnreadable(() => {
      const document = openOdt(result.bytes);
      return pass(
        haveSameText(odtParagraphs(document), odtParagraphs(gold)) &&
          !spanBackgrounds(document).includes(YELLOW),
      );
    });
  },

  /** Two docx files have the same set of highlighted texts. */
  compare_highlighted_text: (result, expected) => {
    const file = expectedFile(expected, 'compare_highlighted_text');
    const wanted = openExpected(file, 'compare_highlighted_text', highlightedTexts);
    if (!isFile(result)) return 0;
    return zeroIfUnreadable(() => {
      const found = highlightedTexts(result.bytes);
      return pass(found.size === wanted.size && [...found].every(text => wanted.has(text)));
    });
  },
} satisfies Metrics;

/** The first text of each highlighted run. Unlike other metrics, this one does not need a complete docx file. */
function highlightedTexts(bytes: Uint8Array): ReadonlySet<string> {
  const texts = wordDescendants(contentOf(bytes), 'r').flatMap(run => {
    const highlight = wordDescendants(run, 'highlight')[0];
    const text = wordDescendants(run, 't')[0];
    const isHighlighted = highlight !== undefined && wordAttribute(highlight, 'val') !== 'none';
    return isHighlighted && text !== undefined ? [leadingText(text)] : [];
  });
  return new Set(texts);
}

function contentOf(bytes: Uint8Array) {
  try {
    const content = readZip(bytes).get(CONTENT);
    if (content !== undefined) return parseXml(content);
  } catch (error) {
    if (!(error instanceof ArchiveError) && !(error instanceof XmlError)) throw error;
    throw new DocumentError('The file is not a docx document, or it is damaged.', { cause: error });
  }
  throw new DocumentError(`The file has no ${CONTENT}.`);
}
