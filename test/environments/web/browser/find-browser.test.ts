import { describe, expect, test } from 'vitest';
import { findBrowser } from '../../../../runtime/environments/web/browser/find-browser.ts';

const machine = (platform: string, environment: Record<string, string>, installed: readonly string[]) => ({
  ...{ platform, environment },
  isExecutable: (path: string) => installed.includes(path),
});

describe('the search for a browser', () => {
  test('finds the program behind the script of a distribution', () => {
    const debian = machine('linux', { PATH: '/usr/bin' }, [
      '/usr/bin/chromium',
      '/usr/lib/chromium/chromium',
    ]);
    expect(findBrowser(undefined, debian)).toEqual({ path: '/usr/lib/chromium/chromium', kind: 'full' });
  });

  test('prefers a headless shell to every other browser', () => {
    const both = ['/opt/google/chrome/chrome', '/home/tools/chrome-headless-shell'];
    expect(findBrowser(undefined, machine('linux', { PATH: '/usr/bin:/home/tools' }, both))).toEqual({
      ...{ path: '/home/tools/chrome-headless-shell', kind: 'shell' },
    });
  });

  test('looks into the folders of applications of macOS', () => {
    const own = '/Users/x/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
    expect(findBrowser('', machine('darwin', { HOME: '/Users/x' }, [own]))).toEqual({
      path: own,
      kind: 'full',
    });
  });

  test('finds Edge on Windows', () => {
    const edge = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe';
    const windows = machine('win32', { 'ProgramFiles(x86)': 'C:\\Program Files (x86)' }, [edge]);
    expect(findBrowser(undefined, windows)).toEqual({ path: edge, kind: 'full' });
  });

  test('finds a program in the PATH of Windows', () => {
    const shell = 'D:\\tools\\chrome-headless-shell.exe';
    expect(findBrowser(undefined, machine('win32', { Path: 'C:\\a;D:\\tools' }, [shell]))).toEqual({
      ...{ path: shell, kind: 'shell' },
    });
  });

  test('a configured path replaces the search, also if no browser is there', () => {
    const linux = machine('linux', { PATH: '/usr/bin' }, ['/usr/bin/chromium', '/data/my-chrome']);
    expect(findBrowser('/data/my-chrome', linux)).toEqual({ path: '/data/my-chrome', kind: 'full' });
    expect(findBrowser('/data/none', linux)).toBeUndefined();
  });

  test('a configured name is searched in the PATH', () => {
    const linux = machine('linux', { PATH: '/usr/bin:/data' }, ['/data/brave']);
    expect(findBrowser('brave', linux)?.path).toBe('/data/brave');
  });

  test('finds nothing on a machine without a browser', () => {
    for (const platform of ['linux', 'darwin', 'win32'])
      expect(findBrowser(undefined, machine(platform, { PATH: '/usr/bin' }, []))).toBeUndefined();
  });
});
