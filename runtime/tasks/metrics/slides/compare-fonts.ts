// The fonts of two runs. A colour of the theme equals every colour.

import { sameRgb } from '../../formats/presentation/colour.ts';
import type { TextFont } from '../../formats/presentation/text.ts';
import type { CompareOptions } from './compare-options.ts';

export function sameFont(found: TextFont, wanted: TextFont, { examines }: CompareOptions): boolean {
  return (
    (found.name === wanted.name || !examines('font_name')) &&
    (found.size === wanted.size || !examines('font_size')) &&
    (isOn(found.bold) === isOn(wanted.bold) || !examines('font_bold')) &&
    (isOn(found.italic) === isOn(wanted.italic) || !examines('font_italic')) &&
    (sameColour(found, wanted) || !examines('color_rgb')) &&
    (sameUnderline(found, wanted) || !examines('font_underline')) &&
    (strikeOf(found) === strikeOf(wanted) || !examines('strike_through'))
  );
}

/** In cells only the colour is optional; names, sizes and strokes are not compared. */
export const sameCellFont = (found: TextFont, wanted: TextFont, { examines }: CompareOptions): boolean =>
  (sameColour(found, wanted) || !examines('color_rgb')) &&
  isOn(found.bold) === isOn(wanted.bold) &&
  isOn(found.italic) === isOn(wanted.italic) &&
  sameUnderline(found, wanted);

const isOn = (value: boolean | undefined): boolean => value ?? false;

const strikeOf = ({ strike }: TextFont): string => strike ?? 'noStrike';

const sameColour = (found: TextFont, wanted: TextFont): boolean =>
  found.colour === undefined || wanted.colour === undefined || sameRgb(found.colour, wanted.colour);

/** An open underline differs only from a single line. For Python the kinds `sng` and `words` are equal. */
function sameUnderline({ underline: found }: TextFont, { underline: wanted }: TextFont): boolean {
  if (found !== undefined && wanted !== undefined) return numbered(found) === numbered(wanted);
  return (found ?? wanted) !== 'sng';
}

const numbered = (underline: string): string => (underline === 'words' ? 'sng' : underline);
