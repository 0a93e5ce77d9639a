// After a reset a desktop looks from inside like a new one; a change that cannot be undone is reported.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { containerSpec } from '../../../runtime/environments/docker/container-spec.ts';
import { type DockerHost, openHost } from '../../../runtime/environments/docker/host.ts';
import { ContainerSession } from '../../../runtime/environments/docker/session.ts';
import { Warden } from '../../../runtime/environments/docker/warden.ts';
import { describeUnless } from './engine.ts';
import { image, missingDesktops } from './real-desktops.ts';
import { localAddress, outputOf, SLOW } from './test-engine.ts';

const LONG = 120_000;
const THING = 'reset';

/** Everything that a program inside can see of earlier programs: processes, files with their attributes, and shared objects. */
const SEEN = [
  // Without process ids, which increase, and without the processes of this script.
  "for file in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <$file 2>/dev/null; echo; done | grep -v -e '^sh ' -e '^tr ' -e '^grep ' -e '^sort ' -e '^$' | sort",
  // Without the sizes of logs, sockets and font caches, which also differ between two new containers.
  "cd /; find /home/desktop /tmp /dev/shm /dev/mqueue -printf '%p %y %m %u %g\\n' | grep -v -e '/dev/shm/.dartboard' -e '/tmp/elements/' -e fontconfig | sort",
  'find /home/desktop -type f -exec cksum {} + | grep -v fontconfig | sort',
  'cat /proc/sysvipc/shm /proc/sysvipc/sem /proc/sysvipc/msg | cut -c1-60',
  'cat /proc/1/limits; ulimit -a; nice; grep -e Cpus_allowed: -e SigIgn -e SigBlk /proc/self/status; umask; env | grep -v -e ^_= | sort',
  'cat /proc/net/unix | wc -l; cat /proc/net/tcp /proc/net/udp | wc -l; xprop -root 2>/dev/null | sort',
].join('\n');

/** Worse than any task. */
const MESS = [
  'echo mine >~/mine; mkdir -p ~/Documents/deep/deeper; echo x >~/Documents/deep/deeper/x; rm -rf ~/Documents/.keep',
  'mkdir ~/closed; echo x >~/closed/x; chmod 000 ~/closed; ln -s / ~/everything; mkfifo /tmp/pipe; chmod 000 ~',
  'echo x >/dev/shm/x; mkdir /dev/mqueue/x 2>/dev/null; : >/dev/mqueue/queue; ipcmk -M 4096 -S 2 -Q >/dev/null',
  'setsid sh -c "trap \'\' TERM HUP; while :; do sleep 0.1; echo x >>/tmp/goes-on; done" </dev/null >/dev/null 2>&1 &',
  '(setsid sleep 1000 &) ; mousepad >/dev/null 2>&1 & xterm >/dev/null 2>&1 & sleep 1; xrdb -merge /dev/null; true',
].join('\n');

describeUnless(missingDesktops, 'a desktop after a reset', () => {
  let host: DockerHost;

  const made = async (name: string) => {
    const labels = { dartboard: '1', 'dartboard.helper': THING };
    const id = await host.create(
      containerSpec({ name: `dartboard-${THING}-${name}-${process.pid}`, image: image ?? '', labels }),
    );
    return { id, warden: new Warden(await host.attach(id), { thing: THING, clock: systemClock }) };
  };
  const inspect = async (warden: Warden) => {
    const options = {
      thing: THING,
      clock: systemClock,
      secret: () => `mark${Math.random()}`.replace('.', ''),
    };
    const session = await ContainerSession.open(warden, options);
    const screen = await session.begin();
    const pixels = Buffer.from(screen.pixels.data);
    const { output } = await session.shell.run(SEEN);
    session.close();
    return { pixels, elements: screen.elements, seen: Buffer.from(output).toString() };
  };
  const run = async (warden: Warden, line: string) => {
    const stream = warden.run(['sh', '-c', line]);
    const output = outputOf(stream);
    await stream.closed;
    return output().trim();
  };

  beforeAll(async () => {
    host = await openHost(localAddress, systemClock, 'here');
  });
  afterAll(async () => {
    for (const { id } of await host.list({ 'dartboard.helper': THING })) await host.remove(id);
    host.close();
  }, SLOW);

  test('equals a new one, whatever happened before', { timeout: LONG }, async () => {
    const { warden } = await made('used');
    const fresh = await inspect(warden);
    expect(fresh.seen).toContain('/home/desktop/Documents');
    expect(fresh.seen).toContain('Xvnc');
    for (let time = 0; time < 3; time++) {
      await run(warden, MESS);
      expect(await run(warden, SEEN)).toMatch(/sleep 1000[\s\S]*\/tmp\/goes-on/);
      await warden.reset();
      const again = await inspect(warden);
      expect(again.seen).toBe(fresh.seen);
      expect(again.elements).toEqual(fresh.elements);
      expect(again.pixels.equals(fresh.pixels)).toBe(true);
    }
  });

  test.each([
    [
      'limits were lowered',
      'prlimit --pid 1 --nofile=512:512',
      /limits or priorities of processes were changed/,
    ],
    ['its priority was lowered', 'renice -n 5 -p 1', /limits or priorities of processes were changed/],
  ])('is refused if %s', { timeout: LONG }, async (_, mess, message) => {
    const { warden } = await made(mess.split(' ')[0] ?? '');
    await inspect(warden);
    await run(warden, mess);
    await expect(warden.reset()).rejects.toMatchObject({
      failure: { boundary: 'environment', message: expect.stringMatching(message) },
    });
  });

  test('ends when the connection of its owner closes, so that a killed process leaves no container', {
    timeout: LONG,
  }, async () => {
    const { id, warden } = await made('orphan');
    const running = async () => (await host.list({ 'dartboard.helper': THING })).map(found => found.id);
    await inspect(warden);
    expect(await running()).toContain(id);
    warden.close();
    await expect.poll(running, { timeout: 60_000 }).not.toContain(id);
  });

  test('no process inside can kill, stop or inspect the warden', { timeout: LONG }, async () => {
    const { warden } = await made('first');
    const line = 'kill -KILL 1; kill -STOP 1; cat /proc/1/environ; ls /proc/1/fd; echo there';
    expect(await run(warden, `{ ${line}; } 2>&1`)).toMatch(/denied[\s\S]*denied[\s\S]*there$/);
    expect(await run(warden, 'echo well')).toBe('well');
  });

  test('programs report output and exit code, and megabytes pass both ways', {
    timeout: LONG,
  }, async () => {
    const { warden } = await made('streams');
    const failing = warden.run(['sh', '-c', 'echo out; echo err >&2; exit 7']);
    const failed = outputOf(failing);
    expect(await failing.closed).toBe(7);
    expect(failed()).toBe('out\n');
    expect(await warden.run(['no-such-program']).closed).toBe(127);
    const copying = warden.run(['cat']);
    const copied = outputOf(copying);
    const much = Buffer.alloc(5_000_000, 'Both ways at once, and nobody waits for nobody. ');
    copying.write(much);
    copying.end();
    expect(await copying.closed).toBe(0);
    expect(Buffer.from(copied()).equals(much)).toBe(true);
  });
});
