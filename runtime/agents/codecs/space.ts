// Coordinate spaces of models, and conversion to screen pixels. Models use positions on their input picture, which rarely has the
// screen's size. Numbers do not reveal their space, so the caller must specify it.

import type { Point, Size } from '../../core/screen.ts';

export interface CoordinateSpace {
  readonly screen: Size;
  /** Size of the picture that the model's numbers refer to. */
  readonly picture: Size;
}

/** The model's input has the size of the screen. */
export const ownPixels = (screen: Size): CoordinateSpace => ({ screen, picture: screen });

/** Positions in thousandths of the screen, as the first UI-TARS and Doubao write them. */
export const thousandths = (screen: Size): CoordinateSpace => ({
  screen,
  picture: { width: 1000, height: 1000 },
});

const FACTOR = 28;
const MIN_PICTURE_AREA = 100 * FACTOR ** 2;
const MAX_PICTURE_AREA = 16_384 * FACTOR ** 2;

/**
 * Qwen2.5-VL, and so UI-TARS 1.5 and the DART models, see the screen resized to multiples of 28 and write pixels of that:
 * 1920 × 1080 becomes 1932 × 1092.
 */
export const resizedBy28 = (screen: Size): CoordinateSpace => {
  const nearest = (length: number) => Math.max(FACTOR, roundHalfToEven(length / FACTOR) * FACTOR);
  const picture = { width: nearest(screen.width), height: nearest(screen.height) };
  const pixels = picture.width * picture.height;
  if (pixels >= MIN_PICTURE_AREA && pixels <= MAX_PICTURE_AREA) return { screen, picture };
  const bound = pixels > MAX_PICTURE_AREA ? MAX_PICTURE_AREA : MIN_PICTURE_AREA;
  const whole = pixels > MAX_PICTURE_AREA ? Math.floor : Math.ceil;
  const scale = Math.sqrt(bound / (screen.width * screen.height));
  const fitted = (length: number) => Math.max(FACTOR, whole((length * scale) / FACTOR) * FACTOR);
  return { screen, picture: { width: fitted(screen.width), height: fitted(screen.height) } };
};

/** The nearest pixel; undefined if the position is outside the picture. */
export const toScreen = (space: CoordinateSpace, x: number, y: number): Point | undefined => {
  const { screen, picture } = space;
  if (!(x >= 0 && y >= 0 && x <= picture.width && y <= picture.height)) return undefined;
  // The picture's far edge would round to a pixel that the screen does not have.
  return {
    x: Math.min(Math.round((x * screen.width) / picture.width), screen.width - 1),
    y: Math.min(Math.round((y * screen.height) / picture.height), screen.height - 1),
  };
};

/** The shortest numbers that convert back to this pixel: integers unless the picture is coarser than the screen. */
export const toPicture = (space: CoordinateSpace, point: Point): readonly [string, string] => {
  const { screen, picture } = space;
  return [
    shortest((point.x * picture.width) / screen.width, x => toScreen(space, x, 0)?.x === point.x),
    shortest((point.y * picture.height) / screen.height, y => toScreen(space, 0, y)?.y === point.y),
  ];
};

const shortest = (value: number, comesBack: (written: number) => boolean): string => {
  const written = [0, 1, 2, 3].map(digits => value.toFixed(digits));
  return written.find(text => comesBack(Number(text))) ?? String(value);
};

// Python rounds halves to even; the picture size must equal the model's input size exactly.
const roundHalfToEven = (value: number): number => {
  const floor = Math.floor(value);
  const isHalf = value - floor === 0.5;
  return isHalf && floor % 2 === 0 ? floor : Math.round(value);
};
