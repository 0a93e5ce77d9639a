// Sections of docx files: their page and their footer.

import { type Element, rootOf } from '../xml.ts';
import { DocumentError } from './document-error.ts';
import type { Docx } from './docx.ts';
import { paragraphsOf } from './paragraph.ts';
import { twipsOf } from './value.ts';
import { relationshipId, wordAttribute, wordChild, wordChildren, wordDescendants } from './word-xml.ts';

/** The properties of each section: those of the last one are in the body, those of others in their last paragraph. */
export const sectionsOf = ({ body }: Docx): readonly Element[] =>
  wordChildren(body, 'p', 'sectPr').flatMap(each =>
    each.localName === 'sectPr'
      ? [each]
      : wordChildren(each, 'pPr').flatMap(properties => wordChildren(properties, 'sectPr')),
  );

/** The width between the margins in EMU; undefined if the section does not declare all of it. */
export function textWidth(section: Element): number | undefined {
  const margins = wordChild(section, 'pgMar');
  const page = twipsOf(wordChild(section, 'pgSz'), 'w');
  const left = twipsOf(margins, 'left');
  const right = twipsOf(margins, 'right');
  return page === undefined || left === undefined || right === undefined ? undefined : page - left - right;
}

/** The paragraphs of the default footer of a section. A section without one repeats that of the section before. */
export function footerParagraphs(docx: Docx, section: Element): readonly Element[] {
  const all = wordDescendants(docx.xml, 'sectPr');
  const before = all.slice(0, all.indexOf(section) + 1).reverse();
  for (const each of before) {
    const reference = defaultFooter(each);
    if (reference !== undefined) return paragraphsOf(footerOf(docx, reference));
  }
  return [];
}

const defaultFooter = (section: Element): Element | undefined =>
  wordChildren(section, 'footerReference').find(each => wordAttribute(each, 'type') === 'default');

function footerOf(docx: Docx, reference: Element): Element {
  const relationship = docx.relationships.get(relationshipId(reference) ?? '');
  const xml = relationship?.type === 'footer' ? docx.package.xml(relationship.target) : undefined;
  if (xml === undefined)
    throw new DocumentError('A section refers to a footer that does not exist.', { xml: docx.xml });
  return rootOf(xml);
}
