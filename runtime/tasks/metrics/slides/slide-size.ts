// check_slide_orientation_Portrait and check_image_stretch_and_center: the size of slides, and a picture that fills one.

import { type Deck, slideSizeOf, slidesOf } from '../../formats/presentation/deck.ts';
import { type PlacedShape, type ShapeSide, sideOf } from '../../formats/presentation/position.ts';
import { PresentationError } from '../../formats/presentation/presentation-error.ts';
import { kindOf, pictureBytes, shapesOf } from '../../formats/presentation/shapes.ts';
import { type Metric, pass } from '../metric.ts';
import { readExpected, scoreDeck } from './decks.ts';

export const checkPortrait: Metric = result =>
  scoreDeck(result, deck => {
    const size = slideSizeOf(deck);
    return pass(size !== undefined && size.width < size.height);
  });

/** The largest deviation, in EMU: half an inch. */
const MAX_DEVIATION = 457_200;

/** The first picture of the expected presentation fills the first slide of the result. */
export const checkStretchedPicture: Metric = (result, expected) => {
  const wanted = readExpected(expected, 'check_image_stretch_and_center', originalOf);
  return scoreDeck(result, deck => {
    const pictures = picturesOf(deck).map(picture => ({ picture, bytes: bytesOfPicture(picture) }));
    const stretched = pictures.findLast(({ bytes }) => wanted.bytes && isEqual(bytes, wanted.bytes))?.picture;
    if (stretched === undefined) return 0;
    const side = (name: ShapeSide): number => definedSide(stretched, name);
    const [width, height] = [side('width'), side('height')];
    const deviations = [
      width - wanted.width,
      height - wanted.height,
      side('left') - (wanted.width - width) / 2,
      side('top') - (wanted.height - height) / 2,
    ];
    return pass(deviations.every(each => Math.abs(each) <= MAX_DEVIATION));
  });
};

/** The first picture, undefined without one, and the size of the slides. */
function originalOf(deck: Deck): { bytes: Uint8Array | undefined; width: number; height: number } {
  const size = slideSizeOf(deck);
  if (size === undefined) throw new PresentationError('The presentation has no size of slides. Give it one.');
  const [picture] = picturesOf(deck);
  return { ...size, bytes: picture && bytesOfPicture(picture) };
}

function picturesOf(deck: Deck): readonly PlacedShape[] {
  const [slide] = slidesOf(deck);
  if (slide === undefined) throw new PresentationError('The presentation has no slide. Add one.');
  return shapesOf(slide)
    .filter(shape => kindOf(shape) === 'picture')
    .map(shape => ({ deck, slide, shape }));
}

const bytesOfPicture = ({ slide, shape }: PlacedShape): Uint8Array => pictureBytes(slide, shape);

const isEqual = (first: Uint8Array, second: Uint8Array): boolean =>
  first.length === second.length && first.every((byte, index) => byte === second[index]);

function definedSide(placed: PlacedShape, name: ShapeSide): number {
  const value = sideOf(placed, name);
  if (value === undefined) throw new PresentationError('A picture has no position. Give it one.');
  return value;
}
