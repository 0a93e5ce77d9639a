import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { thisMachine } from '../../../runtime/environments/web/browser/machine.ts';
import { temporaryFolder } from '../../temporary.ts';
import { INSTALLED_BROWSERS, openBrowsers } from './browsers.ts';

const missing = { path: '/nonexistent/chromium', kind: 'shell' } as const;
const options = { size: { width: 320, height: 240 }, tabOpened: () => undefined };

test('a desktop is not made before its browser runs', async () => {
  const browsers = openBrowsers(missing);
  await expect(browsers.ready()).rejects.toThrow('/nonexistent/chromium');
  await browsers.close();
});

test('closed browsers start no other one', async () => {
  const browsers = openBrowsers(missing);
  await browsers.close();
  await expect(browsers.openContext(options)).rejects.toThrow('the run has ended');
  await expect(browsers.ready()).rejects.toThrow('the run has ended');
});

/** The browser whose profile is below this folder. Its other processes end with it. */
const processesWith = (folder: string): readonly number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => commandLineOf(pid).includes(`--user-data-dir=${folder}`))
    .map(Number)
    .slice(0, 1);

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // It has ended.
  }
}

const [browser] = INSTALLED_BROWSERS;
test.skipIf(browser === undefined)(
  'a browser that crashed is reported, its profile is removed, and the next one is reported too',
  async () => {
    if (browser === undefined) return;
    const parent = temporaryFolder('profiles');
    const reports: (readonly [string, boolean, string])[] = [];
    const machine = { ...thisMachine(), temporaryFolder: parent };
    const browsers = openBrowsers(browser, [], machine, (...report) => reports.push(report));
    await browsers.ready();
    const [profile, ...others] = readdirSync(parent);
    expect(others).toEqual([]);
    for (const pid of processesWith(parent)) process.kill(pid, 'SIGKILL');
    await expect.poll(() => readdirSync(parent), { timeout: 20_000 }).not.toContain(profile);
    await browsers.ready();
    expect(reports).toEqual([
      [
        'browser',
        false,
        expect.stringMatching(/SIGKILL(.*[^.])?\. Another one is started when it is needed\.$/s),
      ],
      ['browser', true, 'works again'],
    ]);
    expect(readdirSync(parent)).toHaveLength(1);
    await browsers.close();
    expect(readdirSync(parent)).toEqual([]);
  },
);

test.skipIf(browser === undefined)(
  'a browser that crashed is no problem any more once another one has a free place',
  async () => {
    if (browser === undefined) return;
    const parent = temporaryFolder('profiles');
    const reports: boolean[] = [];
    const machine = { ...thisMachine(), temporaryFolder: parent };
    const health = (_: string, healthy: boolean) => reports.push(healthy);
    const browsers = openBrowsers(browser, [], machine, health, 1);
    const contexts = [await browsers.openContext(options), await browsers.openContext(options)];
    expect(readdirSync(parent)).toHaveLength(2);
    for (const pid of processesWith(parent)) process.kill(pid, 'SIGKILL');
    await expect.poll(() => reports, { timeout: 20_000 }).toEqual([false]);
    await expect.poll(() => readdirSync(parent), { timeout: 20_000 }).toHaveLength(1);
    for (const context of contexts) await context.close();
    await browsers.openContext(options);
    expect(readdirSync(parent)).toHaveLength(1);
    expect(reports).toEqual([false, true]);
    await browsers.close();
  },
);
