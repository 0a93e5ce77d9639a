// Finds the coordinate rule that explains where clicks landed. A wrong rule gives plausible clicks in wrong places, and no error: the
// numbers of a reply do not reveal their space. So the numbers are compared with known targets under each rule that models are known to
// use, and then with the size of picture that fits best at each size of screen. Pure.

import type { CoordinateRule } from '../agents/model/profile.ts';
import { type Box, contains, type Point, type Size } from '../core/screen.ts';

export interface AimedClick {
  readonly screen: Size;
  /** The size of the image that was sent. */
  readonly sent: Size;
  readonly target: Box;
  /** As the model wrote them. */
  readonly numbers: Point;
}

export type FrameRule =
  | CoordinateRule
  /** Pixels of the screen before it was resized. */
  | { readonly kind: 'screen-pixels' };

export interface NamedFrame {
  readonly rule: FrameRule;
  /** The second coordinate is first. */
  readonly isSwapped: boolean;
}

/** The picture that the numbers of one size of screen refer to. */
export interface FittedPicture {
  readonly screen: Size;
  readonly sent: Size;
  readonly picture: Size;
}

/**
 * own: the rule of the profile explains the clicks as well as any other.
 * other: another rule explains them.
 * fixed: the numbers are pixels of one picture, whatever the screen.
 * resized: the numbers are pixels of pictures that differ from the sent ones: the server resizes images.
 */
export type FrameFit =
  | { readonly kind: 'own' }
  | { readonly kind: 'other'; readonly frame: NamedFrame; readonly landed: number }
  | { readonly kind: 'fixed'; readonly picture: Size; readonly landed: number }
  | { readonly kind: 'resized'; readonly pictures: readonly FittedPicture[]; readonly landed: number };

const RULES: readonly FrameRule[] = [
  { kind: 'sent-pixels' },
  { kind: 'screen-pixels' },
  { kind: 'relative', max: 1000 },
  { kind: 'relative', max: 100 },
  { kind: 'relative', max: 1 },
];

/** Fewer clicks fit a wrong rule by chance. */
const MIN_CLICKS = 4;
/** The share of all clicks that another rule must explain, and how many more than the rule of the profile. */
const MIN_SHARE = 0.6;
const MIN_GAIN = 0.15;

export function fitFrame(clicks: readonly AimedClick[], own: CoordinateRule): FrameFit {
  if (clicks.length < MIN_CLICKS) return { kind: 'own' };
  const landedBefore = landedIn(clicks, ({ screen, sent }) => pictureOf(own, { screen, sent }), false);
  const isBetter = (landed: number): boolean =>
    landed >= MIN_SHARE * clicks.length && landed >= landedBefore + MIN_GAIN * clicks.length;
  const named = RULES.flatMap(rule => [false, true].map(isSwapped => ({ rule, isSwapped })))
    .map(frame => ({
      frame,
      landed: landedIn(clicks, click => pictureOf(frame.rule, click), frame.isSwapped),
    }))
    .reduce((best, each) => (each.landed > best.landed ? each : best));
  if (isBetter(named.landed)) return { kind: 'other', ...named };
  const pictures = fittedPictures(clicks);
  const landed = landedIn(
    clicks,
    ({ screen }) => pictures.find(each => isSame(each.screen, screen))?.picture ?? screen,
    false,
  );
  if (!isBetter(landed) || !pictures.some(isResized)) return { kind: 'own' };
  const [first] = pictures;
  return first !== undefined &&
    pictures.length > 1 &&
    pictures.every(({ picture }) => isNear(picture, first.picture, SAME))
    ? { kind: 'fixed', picture: first.picture, landed }
    : { kind: 'resized', pictures, landed };
}

/** The numbers of a rule go from (0, 0) to this. */
function pictureOf(rule: FrameRule, { screen, sent }: Pick<AimedClick, 'screen' | 'sent'>): Size {
  switch (rule.kind) {
    case 'sent-pixels':
      return sent;
    case 'screen-pixels':
      return screen;
    case 'relative':
      return { width: rule.max, height: rule.max };
  }
}

function landedIn(
  clicks: readonly AimedClick[],
  picture: (click: AimedClick) => Size,
  isSwapped: boolean,
): number {
  return clicks.filter(click => {
    const { width, height } = picture(click);
    const { x, y } = click.numbers;
    const [across, down] = isSwapped ? [y, x] : [x, y];
    return contains(click.target, {
      x: (across * click.screen.width) / width,
      y: (down * click.screen.height) / height,
    });
  }).length;
}

/** By least squares through the origin, for each size of screen. */
function fittedPictures(clicks: readonly AimedClick[]): readonly FittedPicture[] {
  const groups = new Map<string, AimedClick[]>();
  for (const click of clicks) {
    const key = `${click.screen.width}x${click.screen.height}`;
    groups.set(key, [...(groups.get(key) ?? []), click]);
  }
  return [...groups.values()].flatMap(group => {
    const [first] = group;
    if (first === undefined) return [];
    const { screen, sent } = first;
    const length = (axis: 'x' | 'y', side: 'width' | 'height'): number => {
      const pairs = group.map(({ target, numbers }) => ({
        part: (target[axis] + target[side] / 2) / screen[side],
        number: numbers[axis],
      }));
      const products = pairs.reduce((sum, { part, number }) => sum + part * number, 0);
      return Math.round(products / pairs.reduce((sum, { part }) => sum + part * part, 0));
    };
    return [{ screen, sent, picture: { width: length('x', 'width'), height: length('y', 'height') } }];
  });
}

const isSame = (a: Size, b: Size): boolean => a.width === b.width && a.height === b.height;

/** A smaller difference is a model that aims badly in one direction, and no server that resizes. */
export const isResized = ({ sent, picture }: FittedPicture): boolean => !isNear(sent, picture, RESIZED);

const RESIZED = 0.08;
const SAME = 0.03;

const isNear = (a: Size, b: Size, tolerance: number): boolean =>
  Math.abs(a.width - b.width) <= tolerance * b.width && Math.abs(a.height - b.height) <= tolerance * b.height;
