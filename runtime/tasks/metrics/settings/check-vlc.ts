// Checks the configuration of VLC.

import { decodeUtf8, strip } from '../../formats/python/text.ts';
import { isSame, readInt, written } from '../../formats/python/values.ts';
import { isFile, isRecord, type Metric, pass } from '../metric.ts';
import { ruleChoice, ruleText, ruleValue } from '../rules.ts';

/** The lines of a configuration file; undefined for a missing or an unreadable one. */
const linesOf = (file: unknown): readonly string[] | undefined =>
  isFile(file) ? decodeUtf8(file.bytes)?.split('\n') : undefined;

const settingIn = (line: string): string => strip(line.slice(line.lastIndexOf('=') + 1));

/** The value in the last line that contains a text. As in OSWorld, lines that are comments count too. */
const lastValue = (lines: readonly string[], text: string): string | undefined => {
  const line = lines.findLast(each => each.includes(text));
  return line === undefined ? undefined : settingIn(line);
};

interface Setting {
  readonly key: string;
  readonly initial: string;
  readonly read?: (value: string) => string;
}

/** A metric that compares one setting with the rule `expected_...`. */
const checkSetting =
  (metric: string, rule: string, { key, initial, read = value => value }: Setting): Metric =>
  (result, rules) => {
    const expected = ruleValue(rules, rule, metric);
    const lines = linesOf(result);
    if (lines === undefined) return 0;
    const value = lastValue(lines, `${key}=`);
    const wanted = typeof expected === 'boolean' || Number.isInteger(expected) ? written(expected) : expected;
    return pass((value === undefined ? initial : read(value)) === wanted);
  };

export const checkQtBgcone = checkSetting('check_qt_bgcone', 'expected_qt_bgcone', {
  key: 'qt-bgcone',
  initial: '1',
});

export const checkQtMaxVolume = checkSetting('check_qt_max_volume', 'expected_qt_max_volume', {
  key: 'qt-max-volume',
  initial: '125',
});

export const checkQtMinimalView = checkSetting('check_qt_minimal_view', 'expected_qt_minimal_view', {
  key: 'qt-minimal-view',
  initial: '0',
});

export const checkOneInstance = checkSetting(
  'check_one_instance_when_started_from_file',
  'expected_one_instance_when_started_from_file',
  { key: 'one-instance-when-started-from-file', initial: '1' },
);

/** 1 where a global key is set. */
export const checkGlobalKeyPlayPause = checkSetting(
  'check_global_key_play_pause',
  'expected_global_key_play_pause',
  { key: 'global-key-play-pause', initial: '0', read: value => (value === '' ? '0' : '1') },
);

const INITIAL_COLOURS = '153;210;153;20;210;20;255;199;15;245;39;29';
/** All three channels of a colour that counts as black are below this. */
const BLACKISH = 100;

/** The colours of the volume slider equal the expected ones, or are all nearly black. */
export const checkQtSliderColours: Metric = (result, rules) => {
  const type = ruleChoice(rules, 'type', 'check_qt_slider_colours', ['match', 'blackish']);
  const expected =
    type === 'match' ? ruleText(rules, 'expected_qt_slider_colours', 'check_qt_slider_colours') : '';
  const lines = linesOf(result);
  if (lines === undefined) return 0;
  const colours = lastValue(lines, 'qt-slider-colours') ?? INITIAL_COLOURS;
  if (type === 'match') return pass(colours === expected);
  const channels = colours.split(';').map(readInt);
  if (channels.includes(undefined)) return 0;
  // A last colour with less than three channels is ignored.
  const complete = channels.slice(0, channels.length - (channels.length % 3));
  return pass(complete.every(channel => channel !== undefined && channel < BLACKISH));
};

/** The first recording folder in the configuration, outside of comments. */
export const isVlcRecordingsFolder: Metric = (result, rules) => {
  const expected = ruleText(rules, 'recording_file_path', 'is_vlc_recordings_folder');
  const line = linesOf(result)?.find(each => !each.startsWith('#') && each.includes('input-record-path'));
  return pass(line !== undefined && settingIn(line) === expected);
};

/** The window is as large as the screen. */
export const isVlcFullscreen: Metric = (result, screen) => {
  if (!isRecord(result) || !isRecord(screen)) return 0;
  return pass(
    ['width', 'height'].every(side => side in result && side in screen && isSame(result[side], screen[side])),
  );
};
