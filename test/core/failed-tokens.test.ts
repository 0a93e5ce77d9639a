import { expect, test } from 'vitest';
import {
  FAILED_TOKENS_WINDOW_MS,
  FailedTokens,
  MAX_FAILED_TOKENS,
} from '../../runtime/core/failed-tokens.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';

test('an address is blocked after too many wrong tokens, until the second is over', async () => {
  const clock = new VirtualClock();
  const tokens = new FailedTokens(clock);
  for (let tries = 0; tries < MAX_FAILED_TOKENS; tries += 1) {
    expect(tokens.isBlocked('10.0.0.1')).toBe(false);
    tokens.note('10.0.0.1');
  }
  expect([tokens.isBlocked('10.0.0.1'), tokens.isBlocked('10.0.0.2')]).toEqual([true, false]);
  await clock.run(clock.now() + FAILED_TOKENS_WINDOW_MS - 1);
  expect(tokens.isBlocked('10.0.0.1')).toBe(true);
  await clock.run(clock.now() + 1);
  expect(tokens.isBlocked('10.0.0.1')).toBe(false);
  tokens.note('10.0.0.1');
  expect(tokens.isBlocked('10.0.0.1')).toBe(false);
});

test('a network with any number of addresses does not fill the memory', () => {
  const tokens = new FailedTokens(new VirtualClock());
  const blocked = (address: string) => {
    for (let tries = 0; tries < MAX_FAILED_TOKENS; tries += 1) tokens.note(address);
  };
  blocked('first');
  for (let index = 0; index < 10_000; index += 1) tokens.note(`address ${index}`);
  blocked('last');
  expect([tokens.isBlocked('first'), tokens.isBlocked('last')]).toEqual([false, true]);
});
