import { expect, test } from 'vitest';
import { textFile } from '../../../../runtime/bench/osworld/cases/words.ts';
import { MetricError } from '../../../../runtime/tasks/metrics/metric.ts';
import { SETTING_METRICS } from '../../../../runtime/tasks/metrics/settings/settings.ts';

const file = (text: string) => textFile('a', text);

test('check_json_settings compares whole values, and true equals 1', () => {
  const settings = file('{"files.exclude": {"a": true}, "wrap": true}');
  const score = (expected: unknown) => SETTING_METRICS.check_json_settings(settings, { expected }, {});
  expect(score({ 'files.exclude': { a: true } })).toBe(1);
  expect(score({ 'files.exclude': {} })).toBe(0);
  expect(score({ wrap: 1 })).toBe(1);
});

test('check_json_keybindings skips a first line that is a comment', () => {
  const bindings = file('// Place your key bindings here\n[{"key": "ctrl+j", "command": "x"}]');
  const score = (expected: unknown) => SETTING_METRICS.check_json_keybindings(bindings, { expected }, {});
  expect(score({ command: 'x', key: 'ctrl+j' })).toBe(1);
  expect(score({ key: 'ctrl+j' })).toBe(0);
});

test('check_thunderbird_prefs: the last value counts, and one bad value fails', () => {
  const rules = { expect: { theme: { method: 're', ref: 'dark' } } };
  const score = (text: string) => SETTING_METRICS.check_thunderbird_prefs(file(text), rules, {});
  expect(score('user_pref("theme", "light");\nuser_pref("theme", "dark");\n')).toBe(1);
  expect(score('user_pref("theme", "dark");\nuser_pref("theme", "light");\n')).toBe(0);
  expect(score('user_pref("theme", "dark");\nuser_pref("x", \'y\');\n')).toBe(0);
});

test('check_thunderbird_filter reads conditions with brackets and quotes', () => {
  const filter = file(
    'name="A"\nenabled="yes"\ncondition="AND (subject,is,\\"a (b), c\\") OR (from,contains,x)"\n',
  );
  const score = (pattern: unknown) =>
    SETTING_METRICS.check_thunderbird_filter(filter, { expect: [pattern] }, {});
  expect(score({ enabled: 'yes', condition: ['AND (subject,is,"a (b), c")', 'OR (from,contains,x)'] })).toBe(
    1,
  );
  expect(score({ enabled: 'no' })).toBe(0);
});

test('check_thunderbird_folder compares only whether both files have an empty message, as OSWorld does', () => {
  const score = (found: string, wanted: string) =>
    SETTING_METRICS.check_thunderbird_folder(file(found), file(wanted), {});
  expect(score('From - one', 'From - two')).toBe(1);
  expect(score('', 'From - two')).toBe(0);
});

test('settings of VLC have initial values, and comments count', () => {
  const score = (text: string, value: unknown) =>
    SETTING_METRICS.check_qt_max_volume(file(text), { expected_qt_max_volume: value }, {});
  expect(score('', 125)).toBe(1);
  expect(score('#qt-max-volume=200\n', 200)).toBe(1);
  expect(score('qt-max-volume=200\n', '200')).toBe(1);
  expect(score('qt-max-volume=200\n', 125)).toBe(0);
});

test('check_qt_slider_colours: blackish channels are all below 100', () => {
  const score = (colours: string) =>
    SETTING_METRICS.check_qt_slider_colours(file(`qt-slider-colours=${colours}`), { type: 'blackish' }, {});
  expect(score('99;0;0;50;50;50')).toBe(1);
  expect(score('100;0;0')).toBe(0);
  expect(score('99;0;0;255')).toBe(1);
  expect(() => SETTING_METRICS.check_qt_slider_colours(file(''), { type: 'red' }, {})).toThrow(MetricError);
});

test('is_vlc_playing reads the first of several places', () => {
  const status = (state: string, name: string) =>
    file(
      `<root><state>${state}</state><information><category name="meta"><info name="filename">${name}</info></category></information></root>`,
    );
  const rules = { type: 'file_name', file_name: 'b.mp4' };
  expect(SETTING_METRICS.is_vlc_playing(status('playing', '/home/b.mp4'), rules, {})).toBe(1);
  expect(SETTING_METRICS.is_vlc_playing(status('paused', 'b.mp4'), rules, {})).toBe(0);
  expect(SETTING_METRICS.is_vlc_playing(status('playing', 'b.mp4.part'), rules, {})).toBe(0);
});

test('check_config_status matches the first words and the last one', () => {
  const config = file('# x\n(theme "Dark")\n(history-item "filters-vignette" 1)\n');
  const score = (key: unknown, value: string) =>
    SETTING_METRICS.check_config_status(config, { key, value }, {});
  expect(score('theme', '"Dark"')).toBe(1);
  expect(score(['history-item', '"filters-vignette"'], '1')).toBe(1);
  expect(score('history-item', '2')).toBe(0);
});

test('check_libre_locale prefers the locale of formats', () => {
  const item = (name: string, value: string) =>
    `<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="${name}"><value>${value}</value></prop></item>`;
  const config = file(
    `<oor:items xmlns:oor="http://openoffice.org/2001/registry">${item('ooLocale', 'de-DE')}${item('ooSetupSystemLocale', 'en-GB')}</oor:items>`,
  );
  const score = (pattern: string) =>
    SETTING_METRICS.check_libre_locale(config, { locale_set: [pattern] }, {});
  expect(score('en-*')).toBe(1);
  expect(score('de-*')).toBe(0);
  expect(score('en-[!U]?')).toBe(1);
});
