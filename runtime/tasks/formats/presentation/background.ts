// Backgrounds of slides and masters, and the notes of a slide.

import { fillOf, type ShapeFill } from './colour.ts';
import { type Deck, hasRelated, relatedPart, type XmlPart } from './deck.ts';
import { find, isNamed, need } from './dom.ts';
import { placeholderOf, placeholderType } from './placeholder.ts';
import { PresentationError } from './presentation-error.ts';
import { bodyOf, placeholdersOf } from './shapes.ts';
import { bodyText } from './text.ts';

/** The fill of a slide's own background, or that of its master if the slide has none. Undefined for any fill but a solid one. */
export function backgroundOf(deck: Deck, slide: XmlPart): ShapeFill | undefined {
  const own = ownBackground(slide);
  if (own !== 'inherited') return own;
  const layout = relatedPart(deck, slide, 'slideLayout');
  const master = ownBackground(relatedPart(deck, layout, 'slideMaster'));
  return master === 'inherited' ? undefined : master;
}

/** A reference to the theme and the fill `none` count as inherited. */
function ownBackground(part: XmlPart): ShapeFill | undefined | 'inherited' {
  const properties = find(need(part.root, 'p:cSld'), 'p:bg', 'p:bgPr');
  if (properties === undefined) return 'inherited';
  const fill = fillOf(properties);
  if (fill?.kind === 'noFill') return 'inherited';
  return fill?.kind === 'solidFill' ? fill : undefined;
}

/** The text of a slide's notes. A slide without notes has empty ones, if the master of notes has a place for them. */
export function notesOf(deck: Deck, slide: XmlPart): string {
  if (hasRelated(deck, slide, 'notesSlide')) return notesText(relatedPart(deck, slide, 'notesSlide'));
  if (hasRelated(deck, deck.main, 'notesMaster')) notesText(relatedPart(deck, deck.main, 'notesMaster'));
  return '';
}

function notesText(part: XmlPart): string {
  const body = placeholdersOf(part).find(shape => {
    const placeholder = placeholderOf(shape);
    return placeholder !== undefined && placeholderType(placeholder) === 'body';
  });
  if (body === undefined || !isNamed(body, 'p:sp'))
    throw new PresentationError(`The part ${part.path} has no text of notes. Add a text placeholder.`);
  return bodyText(bodyOf(body));
}
