// The defaults of a run that depend on its image. Pure.

import type { ScreenSize } from './screen-size.ts';
import { HEAVY_PACE, LIGHT_PACE, type SettlePace } from './settle.ts';

export interface ImageDefaults {
  readonly screen: ScreenSize;
  /** Megabytes of a desktop, its files included. */
  readonly memoryMb: number;
  /** Processes and threads of a desktop. */
  readonly processes: number;
  readonly pace: SettlePace;
}

/** Also those of an image of the user. */
const SMALL: ImageDefaults = { screen: '640x480', memoryMb: 512, processes: 256, pace: LIGHT_PACE };
const LARGE: ImageDefaults = { screen: '1280x720', memoryMb: 1024, processes: 768, pace: HEAVY_PACE };

/** True for `large`, and for the tag of an image that was built from it under its name. */
export const isLargeImage = (image: string): boolean =>
  image === 'large' || image.startsWith('dartboard-large:');

export const imageDefaults = (image: string): ImageDefaults => (isLargeImage(image) ? LARGE : SMALL);
