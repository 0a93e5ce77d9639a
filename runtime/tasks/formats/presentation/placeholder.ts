// Placeholders: shapes that inherit their position from a layout, which inherits it from a master.

import type { Element } from '../xml.ts';
import { integer, oneOf } from './attribute-values.ts';
import { attributeOf, childrenOf, find } from './dom.ts';

const TYPES: readonly string[] =
  'clipArt body ctrTitle chart dt ftr hdr media obj dgm pic sldImg sldNum subTitle tbl title'.split(' ');

/** The element that makes a shape a placeholder. */
export const placeholderOf = (shape: Element): Element | undefined =>
  find(childrenOf(shape)[0], 'p:nvPr', 'p:ph');

export const placeholderType = (placeholder: Element): string =>
  oneOf(TYPES, attributeOf(placeholder, 'type') ?? 'obj', 'a type of placeholder');

export const placeholderIndex = (placeholder: Element): number =>
  integer(attributeOf(placeholder, 'idx') ?? '0');
