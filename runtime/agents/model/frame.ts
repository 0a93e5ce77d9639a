// The size in which an image is sent, and the conversion of coordinates between a model and the screen. Numbers do not reveal their
// space, so a profile states it. Pure.

import { roundHalfToEven } from '../../core/rounding.ts';
import type { Point, Size } from '../../core/screen.ts';
import type { CoordinateRule, Frame, ResizeRule } from './profile.ts';

/**
 * The size that the server would choose, by the arithmetic of its Python code, so that the server sends the image on unchanged. Throws a
 * RangeError for an image that no server accepts.
 */
export function sentSize(rule: ResizeRule, { width, height }: Size): Size {
  const { factor, minPixels, maxPixels, maxRatio } = rule;
  if (!(width >= 1 && height >= 1) || ratioOf({ width, height }) > maxRatio) {
    throw new RangeError(
      `Cannot send an image of ${width} × ${height} pixels: the longer side exceeds ${maxRatio} times the shorter one. ` +
        'Use a desktop with a lower ratio.',
    );
  }
  const nearest = (length: number) => Math.max(factor, roundHalfToEven(length / factor) * factor);
  const pixels = nearest(width) * nearest(height);
  if (pixels > maxPixels) {
    const beta = Math.sqrt((width * height) / maxPixels);
    const below = (length: number) => Math.max(factor, Math.floor(length / beta / factor) * factor);
    return limitRatio(rule, { width: below(width), height: below(height) });
  }
  if (pixels < minPixels) {
    const beta = Math.sqrt(minPixels / (width * height));
    const above = (length: number) => Math.ceil((length * beta) / factor) * factor;
    return limitRatio(rule, { width: above(width), height: above(height) });
  }
  return limitRatio(rule, { width: nearest(width), height: nearest(height) });
}

const ratioOf = ({ width, height }: Size): number => Math.max(width, height) / Math.min(width, height);

/** Rounding may push the ratio above the limit, where the server rejects the image. */
function limitRatio({ factor, maxRatio }: ResizeRule, { width, height }: Size): Size {
  const longest = Math.floor((Math.min(width, height) * maxRatio) / factor) * factor;
  return { width: Math.min(width, longest), height: Math.min(height, longest) };
}

/** The numbers that a model writes: from (0, 0) to the size of the picture. */
export interface CoordinateSpace {
  readonly screen: Size;
  readonly picture: Size;
}

export const spaceOf = (
  rule: CoordinateRule,
  { screen, sent }: Pick<Frame, 'screen' | 'sent'>,
): CoordinateSpace => ({
  screen,
  picture: rule.kind === 'sent-pixels' ? sent : { width: rule.max, height: rule.max },
});

export interface FrameRules {
  readonly resize: ResizeRule;
  readonly coordinates: CoordinateRule;
}

/** The space of a model that sees the whole screen. */
export const spaceOn = ({ resize, coordinates }: FrameRules, screen: Size): CoordinateSpace =>
  spaceOf(coordinates, { screen, sent: sentSize(resize, screen) });

/** The model's numbers are pixels of the screen. */
export const ownPixels = (screen: Size): CoordinateSpace => ({ screen, picture: screen });

/** Models place a point slightly beyond the edge. A larger excess means another coordinate space, and a wrong click. */
const TOLERANCE = 0.01;

/** The nearest pixel of the screen; undefined if the position is outside the picture. */
export function toScreen({ screen, picture }: CoordinateSpace, x: number, y: number): Point | undefined {
  const isWithin = (value: number, length: number) =>
    value >= -TOLERANCE * length && value <= (1 + TOLERANCE) * length;
  if (!isWithin(x, picture.width) || !isWithin(y, picture.height)) return undefined;
  const nearest = (value: number, from: number, to: number) =>
    Math.min(Math.max(Math.round((value * to) / from), 0), to - 1);
  return { x: nearest(x, picture.width, screen.width), y: nearest(y, picture.height, screen.height) };
}

/** The shortest numbers that convert back to this pixel: integers unless the picture is coarser than the screen. */
export function toPicture(space: CoordinateSpace, point: Point): readonly [string, string] {
  const { screen, picture } = space;
  return [
    shortest((point.x * picture.width) / screen.width, x => toScreen(space, x, 0)?.x === point.x),
    shortest((point.y * picture.height) / screen.height, y => toScreen(space, 0, y)?.y === point.y),
  ];
}

function shortest(value: number, convertsBack: (written: number) => boolean): string {
  const written = [0, 1, 2, 3].map(digits => value.toFixed(digits));
  return written.find(text => convertsBack(Number(text))) ?? String(value);
}
