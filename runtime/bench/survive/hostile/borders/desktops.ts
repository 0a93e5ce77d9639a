// The data that desktops send: RFB bytes of containers, trees of their element module, and replies of OSWorld guests.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { BoundaryError } from '../../../../core/failure.ts';
import type { Random } from '../../../../core/rng.ts';
import { systemClock } from '../../../../core/system-clock.ts';
import { elementsOf } from '../../../../environments/docker/elements.ts';
import { openHub } from '../../../../environments/docker/hub.ts';
import { Rfb } from '../../../../environments/docker/rfb/connection.ts';
import { type ByteStream, bufferedListener } from '../../../../environments/docker/streams.ts';
import { elementsFrom, screenshotOf } from '../../../../environments/guest/desktop.ts';
import { GuestApi } from '../../../../environments/guest/guest-api.ts';
import { GuestBrowser } from '../../../../environments/guest/guest-browser.ts';
import { GuestMachine } from '../../../../environments/guest/guest-machine.ts';
import { type Border, bytesOfText, type OpenBorder, rejection, textOf } from '../border.ts';
import { chosen, damagedBytes, damagedJsonText, oneIn } from '../damage.ts';
import { SAMPLE_PNG } from './samples.ts';

interface FedStream extends ByteStream {
  push(data: Uint8Array): void;
  finish(): void;
}

/** A stream that reads the input. Written bytes are ignored. */
function fedStream(): FedStream {
  const { push, onData } = bufferedListener();
  let finish: () => void = () => undefined;
  const closed = new Promise<number | undefined>(resolve => {
    finish = () => resolve(0);
  });
  return {
    push,
    onData,
    closed,
    finish: () => finish(),
    write: () => undefined,
    end: () => finish(),
    close: () => finish(),
  };
}

const OPTIONS = { thing: 'desktop-1', clock: systemClock };

const halves = (...values: readonly number[]): number[] =>
  values.flatMap(value => [(value >> 8) & 255, value & 255]);
const words = (...values: readonly number[]): number[] =>
  values.flatMap(value => [...halves(value >>> 16), ...halves(value & 0xffff)]);

const SIDE = 64;
const GREETING = [
  ...bytesOfText('RFB 003.008\n'),
  ...[1, 1, ...words(0)],
  ...[...halves(SIDE, SIDE), 32, 24, 0, 1, ...halves(255, 255, 255), 16, 8, 0, 0, 0, 0, ...words(4)],
  ...bytesOfText('desk'),
];

/** The top left corner: after it, the screen is there. */
const FIRST_UPDATE = Uint8Array.from([
  0,
  0,
  ...halves(1),
  ...halves(0, 0, 2, 2),
  ...words(0),
  ...new Uint8Array(16),
]);

const SIZES = [0, 1, 2, 16, SIDE, SIDE + 1, 1000, 4096, 0x4000, 0xffff];
const side = (random: Random): number => (oneIn(4, random) ? chosen(SIZES, random) : random.int(SIDE));

/** Messages whose sizes and places are often wrong. */
const MESSAGES: readonly ((random: Random) => readonly number[])[] = [
  // An update with raw pixels, some of them missing.
  random => {
    const [x, y, width, height] = [random.int(SIDE), random.int(SIDE), 1 + random.int(8), 1 + random.int(8)];
    const bytes = oneIn(6, random) ? random.int(400) : width * height * 4;
    return [0, 0, ...halves(1), ...halves(x, y, width, height), ...words(0), ...new Uint8Array(bytes)];
  },
  // Any encoding, at any place.
  random => {
    const encoding = chosen([0, 1, 1, 1, -223, -239, -312, 5, 16], random);
    const place = halves(side(random), side(random), side(random), side(random));
    return [0, 0, ...halves(1), ...place, ...words(encoding), ...halves(side(random), side(random))];
  },
  // Thousands of pieces in few bytes.
  random => {
    const [encoding, width] = chosen(
      [
        [1, SIDE],
        [0, 0],
        [-239, 0],
      ] as const,
      random,
    );
    const count = oneIn(50, random) ? 4000 : 20;
    const end = encoding === 1 ? halves(0, 0) : [];
    const piece = [...halves(0, 0, width, encoding === 0 ? 0xffff : SIDE), ...words(encoding), ...end];
    return [...[0, 0, ...halves(count)], ...Buffer.alloc(count * piece.length, Uint8Array.from(piece))];
  },
  random => [
    248,
    0,
    0,
    0,
    ...words(chosen([0x8000_0001, 0, 1, 0xffff_ffff], random)),
    4,
    ...words(random.int(9)),
  ],
  random => [3, 0, 0, 0, ...words(chosen([0, 4, 2 ** 28, 2 ** 31], random)), 1, 2, 3, 4],
  random => [1, 0, ...halves(0, chosen([0, 1, 0xffff], random)), ...new Uint8Array(12)],
  () => [150],
  () => [2],
  random => [random.int(256)],
];

function rfbInput(random: Random): Uint8Array {
  const greeting = oneIn(6, random)
    ? damagedBytes(Uint8Array.from(GREETING), random)
    : Uint8Array.from(GREETING);
  const messages = Array.from({ length: random.int(8) }, () =>
    Uint8Array.from(chosen(MESSAGES, random)(random)),
  );
  const all = new Uint8Array(Buffer.concat([greeting, FIRST_UPDATE, ...messages]));
  return oneIn(4, random) ? damagedBytes(all, random) : all;
}

/** In chunks, as a network delivers them. The desktop ends with the input. */
const openRfb = async (): Promise<OpenBorder> => ({
  take: async input => {
    const stream = fedStream();
    const used = Rfb.open(stream, OPTIONS).then(rfb => {
      rfb.frame();
      rfb.close();
    });
    const chunk = 1 + ((input[input.length - 1] ?? 0) << 8);
    for (let at = 0; at < input.length; at += chunk) stream.push(input.subarray(at, at + chunk));
    // Calls that wait for the screen go on first.
    const isOver = new Promise(resolve => setImmediate(resolve)).then(() => stream.finish());
    try {
      await Promise.all([used, isOver]);
      return [];
    } catch (error) {
      return rejection(error, BoundaryError);
    }
  },
  close: async () => undefined,
});

const TREE = {
  id: 1,
  still: true,
  windows: [
    { xid: 1, title: 'Writer', box: [0, 0, 640, 480], inner: [0, 20, 640, 460], pid: 7 },
    { xid: 2, title: 'Menu', box: [10, 10, 90, 90], inner: [10, 10, 90, 90], pid: 7 },
  ],
  nodes: [
    {
      w: 1,
      role: 'push button',
      name: 'Save',
      value: '',
      states: ['showing', 'visible'],
      box: [10, 40, 80, 30],
      depth: 1,
    },
    { w: 1, role: 'section', name: '', value: 'Text', states: ['showing'], box: [10, 80, 400, 20], depth: 2 },
    { w: 2, role: 'menu item', name: 'Open', value: '', states: [], box: [10, 10, 90, 20], depth: 1 },
  ],
  late: [],
  busy: [1],
  active: 1,
};

/** One line; the beginning is that of a real reply in most cases. */
function hubInput(random: Random): Uint8Array {
  const text = textOf(damagedJsonText(TREE, random)).replaceAll('\n', ' ');
  return bytesOfText(
    oneIn(4, random)
      ? `${text}\n`
      : `{"id":1,"still":true,${text.replace(/^\{("id":1,"still":true,)?/, '')}\n`,
  );
}

const openElements = async (): Promise<OpenBorder> => ({
  take: async input => {
    const stream = fedStream();
    const hub = openHub(stream, OPTIONS);
    const asked = hub.ask();
    stream.push(input);
    stream.finish();
    try {
      elementsOf((await asked).tree(), { width: 320, height: 240 }, 2);
      return [];
    } catch (error) {
      return rejection(error, BoundaryError);
    }
  },
  close: async () => undefined,
});

const STATE = 'xmlns:st="https://accessibility.ubuntu.example.org/ns/state"';
const COMPONENT = 'xmlns:cp="https://accessibility.ubuntu.example.org/ns/component"';
const ACCESSIBILITY = `<desktop-frame ${STATE} ${COMPONENT} name="main"><application name="writer"><push-button name="Save" st:showing="true" st:visible="true" cp:screencoord="(10, 40)" cp:size="(80, 30)">Save</push-button><text name="" st:showing="true" st:visible="true" cp:screencoord="(10, 80)" cp:size="(400, 20)">A &amp; B</text></application></desktop-frame>`;
const XML_PIECES = [
  ...[
    '<a>',
    '</a>',
    '<a',
    '>',
    '&',
    '&#0;',
    '&#x110000;',
    '&lt;',
    ']]>',
    '<![CDATA[',
    '<!--',
    '-->',
    '<?x?>',
    ' a="1"',
    '\u0000',
    '\ud800',
  ],
  ...[
    '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;&b;&b;">]>',
    '&c;',
    ' cp:size="(99999999999999999999, -1)"',
    ' st:showing="true"',
  ],
];

function accessibilityInput(random: Random): string {
  let text = ACCESSIBILITY;
  for (let change = 0; change <= random.int(3); change += 1) {
    const at = random.int(text.length);
    const times = oneIn(40, random) ? random.int(6000) : 1 + random.int(3);
    const piece = oneIn(4, random) ? ` a${random.int(9)}="1"` : chosen(XML_PIECES, random);
    const repeated = Array.from({ length: times }, (_, index) =>
      piece.replace('a="1"', `a${index}="1"`),
    ).join('');
    text = text.slice(0, at) + repeated + text.slice(oneIn(2, random) ? at : at + random.int(40));
  }
  return text;
}

/** A request to a guest, with a valid reply. */
const REQUESTS: readonly {
  readonly body: (random: Random) => Uint8Array;
  readonly ask: (machine: GuestMachine, api: GuestApi, browser: GuestBrowser) => Promise<unknown>;
}[] = [
  {
    body: random => damagedJsonText({ output: 'a', error: '', returncode: 0, status: 'success' }, random),
    ask: machine => machine.run({ command: ['ls'] }),
  },
  {
    body: random => damagedJsonText({ width: 1920, height: 1080 }, random),
    ask: async machine => [await machine.screenSize(), await machine.windowSize('code')],
  },
  {
    body: random =>
      damagedJsonText({ directory_tree: { type: 'directory', name: '/', children: [] } }, random),
    ask: machine => machine.directory('/home'),
  },
  {
    body: random => damagedJsonText({ output: 'user@host:~$ ls' }, random),
    ask: machine => machine.terminalText(),
  },
  {
    body: random => bytesOfText(JSON.stringify({ AT: accessibilityInput(random) })),
    ask: async (machine, api) =>
      elementsFrom(api, await machine.accessibilityTree(), { width: 1920, height: 1080 }),
  },
  {
    body: random => damagedJsonText({ AT: ACCESSIBILITY }, random),
    ask: machine => machine.accessibilityTree(),
  },
  { body: random => damagedBytes(SAMPLE_PNG, random), ask: (_, api) => screenshotOf(api) },
  {
    body: random =>
      damagedJsonText(
        [{ id: 'A1', type: 'page', title: 'Page', url: 'http://localhost/' }, { id: 'B' }],
        random,
      ),
    ask: async (_, __, browser) => [await browser.tabs(), await browser.evaluate(() => false, '1')],
  },
];
const GUEST_STATUSES = [200, 200, 200, 200, 404, 400];

/** The number of the request, the status, and the body of the reply. */
function guestInput(random: Random): Uint8Array {
  const index = random.int(REQUESTS.length);
  const body = REQUESTS[index]?.body(random) ?? new Uint8Array();
  return Buffer.concat([Uint8Array.of(index, random.int(GUEST_STATUSES.length)), body]);
}

async function openGuests(): Promise<OpenBorder> {
  let input: Uint8Array = new Uint8Array();
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(GUEST_STATUSES[input[1] ?? 0] ?? 200);
    response.end(input.subarray(2));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const api = new GuestApi({ url, clock: systemClock });
  const browser = new GuestBrowser({ url, clock: systemClock });
  const machine = new GuestMachine({ api, browser, vlc: async () => undefined });
  return {
    take: async given => {
      input = given;
      try {
        await REQUESTS[given[0] ?? 0]?.ask(machine, api, browser);
        return [];
      } catch (error) {
        return rejection(error, BoundaryError);
      }
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

export const DESKTOP_BORDERS: readonly Border[] = [
  { name: 'rfb', inputs: 60_000, make: rfbInput, open: openRfb },
  { name: 'elements', inputs: 60_000, make: hubInput, open: openElements },
  { name: 'guest', inputs: 6000, make: guestInput, open: openGuests },
];
