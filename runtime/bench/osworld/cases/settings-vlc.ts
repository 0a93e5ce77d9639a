// Cases of the metrics of VLC.

import type { Random } from '../../../core/rng.ts';
import type { CaseMaker, CaseMakers } from '../metric-case.ts';
import { foundText, oneIn, pick, repeat, shuffled } from './texts-choice.ts';
import { word } from './words.ts';

/** A line of a configuration as VLC writes it, as a comment while the value is the initial one. */
const line = (random: Random, key: string, values: readonly string[]): readonly string[] => {
  const value = pick(random, values);
  return pick(random, [
    [`# A setting (integer)`, `${key}=${value}`],
    [`# A setting (integer)`, `${key}=${value}`],
    [`# A setting (integer)`, `#${key}=${value}`],
    [`${key}=${value}\r`],
    [`${key} = ${value}`],
    [`${key}=${value}`, ''],
    [`${key}=${pick(random, values)}`, `${key}=${value}`],
    [],
  ]);
};

const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  'qt-bgcone': ['0', '1'],
  'qt-max-volume': ['125', '200', '100'],
  'qt-minimal-view': ['0', '1'],
  'global-key-play-pause': ['', 'Space', 'Ctrl+p', '0'],
  'key-play-pause': ['Space', ''],
  'one-instance-when-started-from-file': ['0', '1'],
  'input-record-path': ['/home/user/Desktop', '/home/user/Desktop', '/home/user/Videos', ''],
  'qt-slider-colours': [
    '153;210;153;20;210;20;255;199;15;245;39;29',
    '10;20;30;40;50;60;70;80;90;99;0;1',
    '0;0;0;10;10;10;20;20;20;40;40;40',
    '1;2;3;4;5',
    '1;2;3;200',
    '100;0;0',
    'a;b;c',
    '',
  ],
};

function configuration(random: Random): string {
  const lines = shuffled(random, Object.keys(SETTINGS)).map(key => line(random, key, SETTINGS[key] ?? []));
  return ['# vlc 3.0.16', '', '[qt] # Qt interface', ...lines.flat(), ''].join('\n');
}

/** Cases of a metric that compares one setting with a rule. */
const setting =
  (rule: string, values: readonly unknown[]): CaseMaker =>
  random => ({
    result: foundText(random, 'vlcrc', configuration(random)),
    expected: { [rule]: pick(random, values) },
  });

const BINARY = [0, 1, '0', '1', '1', true, 1.5];

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function status(random: Random, infos: readonly (readonly [name: string, text: string])[]): string {
  const state = oneIn(random, 8) ? pick(random, ['paused', 'stopped', '']) : 'playing';
  const meta = infos.map(([name, text]) => `<info name='${name}'>${escapeXml(text)}</info>`);
  return (
    '<?xml version="1.0" encoding="utf-8" standalone="yes" ?>\n<root>\n<fullscreen>false</fullscreen>\n' +
    `<state>${state}</state>\n<information>\n<category name="meta">${meta.join('\n')}</category>\n` +
    "<category name='Stream 0'><info name='Type'>Video</info><info name='Codec'>H264 - MPEG-4 AVC (part 10) (avc1)</info></category>\n" +
    '</information>\n</root>\n'
  );
}

export const VLC_CASES = {
  check_qt_bgcone: setting('expected_qt_bgcone', BINARY),
  check_qt_max_volume: setting('expected_qt_max_volume', [125, 200, '125', '200', 100]),
  check_qt_minimal_view: setting('expected_qt_minimal_view', BINARY),
  check_global_key_play_pause: setting('expected_global_key_play_pause', BINARY),
  check_one_instance_when_started_from_file: setting('expected_one_instance_when_started_from_file', BINARY),
  check_qt_slider_colours: random => ({
    result: foundText(random, 'vlcrc', configuration(random)),
    expected: pick(random, [
      { type: 'blackish' },
      { type: 'blackish' },
      { type: 'match', expected_qt_slider_colours: pick(random, SETTINGS['qt-slider-colours'] ?? []) },
      { type: 'match', expected_qt_slider_colours: '0;0;0;10;10;10;20;20;20;40;40;40' },
      { type: 'match', expected_qt_slider_colours: '153;210;153;20;210;20;255;199;15;245;39;29' },
      { type: 'white' },
    ]),
  }),
  is_vlc_recordings_folder: setting('recording_file_path', [
    '/home/user/Desktop',
    '/home/user/Desktop',
    '/home/user/Videos',
  ]),
  is_vlc_fullscreen: random => {
    const size = { width: pick(random, [1920, 1280]), height: 1080 };
    const other = { width: size.width, height: pick(random, [1080, 1080, 1053]) };
    return {
      result: pick<unknown>(random, [size, other, other, other, { width: 1920 }, null]),
      expected: pick<unknown>(random, [size, size, size, size, { height: 1080 }, null]),
    };
  },
  is_vlc_playing: random => {
    const name = `${word(random)} & ${word(random)}.${pick(random, ['mp4', 'm3u8'])}`;
    const url = `https://cdn.example.org/${word(random)}/${name.replaceAll(' ', '_')}`;
    const shown = pick(random, [
      name,
      name,
      name,
      url,
      url,
      `/home/user/Videos/${name}`,
      `${url}?token=1`,
      word(random),
      '',
      `x${name}`,
    ]);
    const names = shuffled(random, [
      'filename',
      'title',
      'uri',
      'location',
      'name',
      'url',
      'URI',
      'album',
    ]).slice(0, 5);
    const infos = names.map(
      each => [each, oneIn(random, 8) ? pick(random, ['', word(random)]) : shown] as const,
    );
    const text = status(random, oneIn(random, 12) ? [] : infos);
    return {
      result: foundText(random, 'status.xml', oneIn(random, 20) ? text.replace('<state>', '<status>') : text),
      expected: pick(random, [
        { type: 'file_name', file_name: name },
        { type: 'file_name', file_name: name },
        { type: 'file_name', file_name: name.split(' & ')[1] },
        { type: 'url', url },
        { type: 'url', url: url.replace('https', 'http') },
        ...repeat(oneIn(random, 3) ? 1 : 0, () => ({
          type: 'url',
          url: `https://example.org/${word(random)}`,
        })),
        ...repeat(oneIn(random, 3) ? 1 : 0, () => ({ type: 'path', path: name })),
      ]),
    };
  },
} satisfies CaseMakers;
