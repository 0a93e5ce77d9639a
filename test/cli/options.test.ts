import { expect, test } from 'vitest';
import {
  countOf,
  minutesOf,
  modeOf,
  portOf,
  presetOf,
  seedOf,
  splitOf,
  tiersOf,
} from '../../runtime/cli/options.ts';

test('tiers are given alone or several at once, each counted once', () => {
  expect(tiersOf('1')).toEqual([1]);
  expect(tiersOf('2,1')).toEqual([1, 2]);
  expect(tiersOf('3, 3,4')).toEqual([3, 4]);
});

test('minutes are any time above none', () => {
  expect(minutesOf('5')).toBe(5);
  expect(minutesOf('0.2')).toBe(0.2);
});

test('what is right is taken as it is', () => {
  expect(modeOf('a11y_tree')).toBe('a11y_tree');
  expect(splitOf('unseen')).toBe('unseen');
  expect(presetOf('taught')).toBe('taught');
  expect(countOf('instances', '20', 1, 100)).toBe(20);
  expect(portOf('0')).toBe(0);
  expect(seedOf('any text')).toBe('any text');
});

test.each([
  ['--tier', '5', () => tiersOf('5')],
  ['--tier', '', () => tiersOf('1,')],
  ['--minutes', '0', () => minutesOf('0')],
  ['--minutes', '-1', () => minutesOf('-1')],
  ['--minutes', 'soon', () => minutesOf('soon')],
  ['--minutes', 'Infinity', () => minutesOf('Infinity')],
  ['--minutes', '', () => minutesOf('')],
  ['--mode', 'pixels', () => modeOf('pixels')],
  ['--preset', 'best', () => presetOf('best')],
  ['--split', 'tests', () => splitOf('tests')],
  ['--instances', '0', () => countOf('instances', '0', 1, 100)],
  ['--instances', '2.5', () => countOf('instances', '2.5', 1, 100)],
  ['--steps', '101', () => countOf('steps', '101', 1, 100)],
  ['--seed', '', () => seedOf('')],
])('%s %j is an error that names the option, the value and what would be right', (option, value, read) => {
  expect(read).toThrow(RangeError);
  expect(read).toThrow(`${option} takes`);
  expect(read).toThrow(`'${value}'`);
});
