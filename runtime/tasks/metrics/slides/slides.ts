// The metrics of presentations, by name.

import type { Metrics } from '../metric.ts';
import { backgroundNearness } from './background-distance.ts';
import { comparePresentations } from './compare-presentations.ts';
import { checkAutoSavingTime, checkPresenterConsoleDisabled } from './office-settings.ts';
import { checkPageNumberColours, checkSlideNumbersColour } from './page-numbers.ts';
import { checkLeftPanel } from './side-panel.ts';
import { checkPortrait, checkStretchedPicture } from './slide-size.ts';
import { checkStrikethrough } from './strikethrough.ts';
import { checkTransition } from './transition.ts';

export const SLIDE_METRICS = {
  compare_pptx_files: comparePresentations,
  check_strikethrough: checkStrikethrough,
  check_slide_orientation_Portrait: checkPortrait,
  evaluate_presentation_fill_to_rgb_distance: backgroundNearness,
  check_left_panel: checkLeftPanel,
  check_transition: checkTransition,
  check_page_number_colors: checkPageNumberColours,
  check_image_stretch_and_center: checkStretchedPicture,
  check_slide_numbers_color: checkSlideNumbersColour,
  check_presenter_console_disable: checkPresenterConsoleDisabled,
  check_auto_saving_time: checkAutoSavingTime,
} satisfies Metrics;
