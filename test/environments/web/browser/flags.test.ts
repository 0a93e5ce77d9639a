import { describe, expect, test } from 'vitest';
import { browserFlags } from '../../../../runtime/environments/web/browser/flags.ts';

const flags = (kind: 'shell' | 'full', isRoot = false, hasLittleSharedMemory = false) =>
  browserFlags({ kind, profile: '/tmp/profile', machine: { isRoot, hasLittleSharedMemory } });

describe('the command line of a browser', () => {
  test('turns the sandbox off only for root', () => {
    expect(flags('shell', true)).toContain('--no-sandbox');
    expect(flags('shell').join(' ')).not.toContain('sandbox');
  });

  test('makes a full browser headless; a shell has no such mode', () => {
    expect(flags('full')).toContain('--headless=new');
    expect(flags('shell').join(' ')).not.toContain('--headless');
  });

  test('uses files for shared memory where /dev/shm is small', () => {
    expect(flags('full', false, true)).toContain('--disable-dev-shm-usage');
    expect(flags('full')).not.toContain('--disable-dev-shm-usage');
  });

  test('has each flag once, because the last one would replace the others', () => {
    const names = flags('full', true, true).map(flag => flag.split('=')[0]);
    expect(new Set(names).size).toBe(names.length);
  });
});
