// Metrics of pictures that must keep their structure.

import { convert } from '../../formats/picture/convert.ts';
import type { DecodedPicture } from '../../formats/picture/picture.ts';
import { BICUBIC, resize } from '../../formats/picture/resize.ts';
import { cropped, mirrored, opaqueBox } from '../../formats/picture/shape.ts';
import { type Metrics, pass } from '../metric.ts';
import { pairMetric } from './read-picture.ts';
import { isSameStructure } from './same-structure.ts';

/** A program does not mirror every picture exactly: JPEG loses a little. */
const MIRROR_THRESHOLD = 0.99;

export const STRUCTURE_METRICS = {
  check_structure_sim: pairMetric('check_structure_sim', (found, wanted) =>
    pass(isSameStructure(found, wanted)),
  ),

  check_file_exists_and_structure_sim: pairMetric('check_file_exists_and_structure_sim', (found, wanted) =>
    pass(isSameStructure(found, wanted)),
  ),

  /** The part of the result that is not transparent, at the size of the expected picture. */
  check_structure_sim_resized: pairMetric('check_structure_sim_resized', (found, wanted) => {
    const content = opaquePart(found);
    if (content === undefined) return 0;
    return pass(isSameStructure(resize(content, wanted.width, wanted.height, BICUBIC), wanted));
  }),

  /** The result has a palette. */
  check_palette_and_structure_sim: pairMetric('check_palette_and_structure_sim', (found, wanted) =>
    pass(found.mode === 'P' && isSameStructure(found, wanted)),
  ),

  check_image_mirror: pairMetric('check_image_mirror', (found, wanted) =>
    pass(isSameStructure(mirrored(found), wanted, MIRROR_THRESHOLD)),
  ),
} satisfies Metrics;

function opaquePart(picture: DecodedPicture): DecodedPicture | undefined {
  const { mode, isMarkedTransparent } = picture;
  if (mode !== 'RGBA' && mode !== 'LA' && !isMarkedTransparent) return picture;
  const rgba = convert(picture, 'RGBA');
  const box = opaqueBox(rgba);
  return box && convert(cropped(rgba, box), 'RGB');
}
