// The bullets and levels of all paragraphs of two slides, also those in groups and tables.

import type { XmlPart } from '../../formats/presentation/deck.ts';
import { attributeOf, find, leadingText, within } from '../../formats/presentation/dom.ts';
import { strip } from '../../formats/python/text.ts';
import type { Element } from '../../formats/xml.ts';
import { everyPair } from './pairs.ts';

interface Bullet {
  readonly paragraph: Element;
  readonly hasProperties: boolean;
  readonly level: string;
  readonly character: string | undefined;
  readonly text: string;
}

/** The paragraphs with text. Undefined if a text element is empty, since OSWorld skips the comparison then. */
export function bulletsOf(slide: XmlPart): readonly Bullet[] | undefined {
  const bullets: Bullet[] = [];
  for (const paragraph of within(slide.root, 'a:p')) {
    const texts = within(paragraph, 'a:t').map(leadingText);
    if (texts.includes(undefined)) return undefined;
    const text = texts.join('');
    const properties = find(paragraph, 'a:pPr');
    const bullet = find(properties, 'a:buChar');
    if (strip(text) !== '')
      bullets.push({
        paragraph,
        hasProperties: properties !== undefined,
        level: attributeOf(properties, 'lvl') ?? '0',
        character: bullet === undefined ? 'none' : attributeOf(bullet, 'char'),
        text,
      });
  }
  return bullets;
}

/**
 * A paragraph without properties differs from one of level 0, unless it has been compared before: python-pptx adds the properties when
 * it reads them. So `compared` has the paragraphs up to the current one.
 */
export function sameBullets(
  found: readonly Bullet[] | undefined,
  wanted: readonly Bullet[] | undefined,
  compared: ReadonlySet<Element>,
): boolean {
  if (found === undefined || wanted === undefined) return true;
  const levelOf = ({ paragraph, hasProperties, level }: Bullet): string =>
    hasProperties || compared.has(paragraph) ? level : 'none';
  return (
    found.length === wanted.length &&
    everyPair(
      found,
      wanted,
      (one, other) =>
        one.text === other.text && one.character === other.character && levelOf(one) === levelOf(other),
    )
  );
}
