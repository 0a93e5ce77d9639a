// The options of compare_pptx_files: what it examines, and how far positions may differ.

import { isTruthy } from '../../formats/python/values.ts';
import { MetricError, type Options } from '../metric.ts';

/** The names of the options without `examine_`, and their defaults. */
const EXAMINED = {
  number_of_slides: true,
  shape: true,
  text: true,
  indent: true,
  font_name: true,
  font_size: true,
  font_bold: true,
  font_italic: true,
  color_rgb: true,
  font_underline: true,
  strike_through: true,
  alignment: true,
  title_bottom_position: false,
  table_bottom_position: false,
  run_count: true,
  right_position: false,
  top_position: false,
  shape_for_shift_size: false,
  image_size: false,
  modify_height: false,
  bullets: true,
  background_color: true,
  note: true,
} as const;

export type Examined = keyof typeof EXAMINED;

export interface CompareOptions {
  readonly examines: (what: Examined) => boolean;
  /** The difference of two lengths, divided by the longer one. */
  readonly tolerance: number;
  /** OSWorld reports each shape by default, and fails for shapes that it cannot report. */
  readonly reports: boolean;
}

export function compareOptions(options: Options): CompareOptions {
  const tolerance = options['approximately_tolerance'] ?? 0.005;
  if (typeof tolerance !== 'number')
    throw new MetricError(
      `compare_pptx_files has the option approximately_tolerance ${JSON.stringify(tolerance)}. Use a number.`,
    );
  return {
    examines: what => {
      const option = options[`examine_${what}`];
      return option === undefined ? EXAMINED[what] : isTruthy(option);
    },
    tolerance,
    reports: isTruthy(options['enable_debug'] ?? true),
  };
}
