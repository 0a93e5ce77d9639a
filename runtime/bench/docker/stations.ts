// Desktops of the Docker benchmark: each has one application and an endless script of actions.

import { randomBytes } from 'node:crypto';
import type { Action } from '../../core/action.ts';
import { key } from '../../core/key.ts';
import { thisProcess } from '../../core/process-identity.ts';
import { centre, type Point } from '../../core/screen.ts';
import { systemClock } from '../../core/system-clock.ts';
import { defaultAddress, hostSettings } from '../../environments/docker/address.ts';
import { containerSpec } from '../../environments/docker/container-spec.ts';
import { type ContainerHandle, Fleet } from '../../environments/docker/fleet.ts';
import { type DockerHost, openHost } from '../../environments/docker/host.ts';
import { ensureImage, type ImageKind, inputsFolder, readInputs } from '../../environments/docker/images.ts';
import { Rfb } from '../../environments/docker/rfb/connection.ts';
import { ContainerSession } from '../../environments/docker/session.ts';
import type { Warden } from '../../environments/docker/warden.ts';

export type Application = 'galculator' | 'mousepad';

/** The environment variable of an existing image to measure. */
const IMAGE = 'DARTBOARD_IMAGE';
const START_TIMEOUT_MS = 20_000;

export interface Yard {
  readonly host: DockerHost;
  readonly image: string;
  take(): Promise<ContainerHandle>;
  close(): Promise<void>;
}

/** The Docker engine of this machine and the measured image, which is built if it is missing. */
export async function openEngine(
  tell: (line: string) => void,
  kind: ImageKind = 'small',
): Promise<Pick<Yard, 'host' | 'image'>> {
  const host = await openHost(defaultAddress(hostSettings()), systemClock, 'here');
  const named = process.env[IMAGE];
  const image =
    named ?? (await ensureImage(host, kind, await readInputs(inputsFolder()), { progress: tell }));
  return { host, image };
}

/** A source of containers; each is created on demand. */
export async function openYard(capacity: number, tell: (line: string) => void): Promise<Yard> {
  const { host, image } = await openEngine(tell);
  const fleet = new Fleet({
    hosts: [{ host, capacity }],
    spares: 0,
    image,
    spec: (name, labels) => containerSpec({ name, image, labels }),
    ...{
      id: `bench${randomBytes(4).toString('hex')}`,
      owner: 'bench',
      me: thisProcess(),
      takeTimeoutMs: 120_000,
    },
    ...{ clock: systemClock, health: (_, healthy, message) => healthy || tell(message) },
  });
  return {
    host,
    image,
    take: () => fleet.take(),
    close: async () => {
      await fleet.close();
      host.close();
    },
  };
}

/** A desktop with a running application. */
export interface Station {
  readonly container: ContainerHandle;
  readonly warden: Warden;
  readonly session: ContainerSession;
  /** The next action; every action changes the screen. */
  next(): Action;
}

export async function openStation(yard: Yard, application: Application): Promise<Station> {
  const container = await yard.take();
  const thing = container.id.slice(0, 12);
  const { warden } = container;
  const session = await ContainerSession.open(warden, { thing, clock: systemClock });
  await session.shell.run(`${application} >/dev/null 2>&1 &`);
  const wanted = application === 'galculator' ? ['1', '2', '3', '4', '5', '6', 'AC'] : ['File', 'Edit'];
  const places = await placesOf(session, wanted);
  const script = application === 'galculator' ? calculation(places) : writing(places);
  return { container, warden, session, next: () => script.next().value };
}

/** The screen without elements. Close the session first, or its pixels are sent twice. */
export const openScreen = (warden: Warden): Promise<Rfb> =>
  Rfb.open(warden.screen(), { thing: 'screen', clock: systemClock });

/** The screen through a `docker exec` process. */
export async function execScreen({ host, id }: ContainerHandle): Promise<Rfb> {
  const stream = await host.exec(id, ['socat', '-', 'UNIX-CONNECT:/tmp/rfb.sock']);
  return Rfb.open(stream, { thing: id.slice(0, 12), clock: systemClock });
}

/** Positions of the named elements, once all exist. */
async function placesOf(session: ContainerSession, names: readonly string[]): Promise<readonly Point[]> {
  for (const end = Date.now() + START_TIMEOUT_MS; Date.now() < end; ) {
    const { elements = [] } = await session.begin();
    const found = names.map(wanted => elements.find(({ name }) => name === wanted));
    if (found.every(element => element !== undefined)) return found.map(({ box }) => centre(box));
  }
  throw new Error(
    `The elements '${names.join("', '")}' did not all appear within ${START_TIMEOUT_MS / 1000} s. Check the image.`,
  );
}

/** Clears after six digits: further digits would not change the display. */
function* calculation(places: readonly Point[]): Generator<Action, never> {
  for (;;) for (const at of places) yield { kind: 'click', at };
}

function* writing(menus: readonly Point[]): Generator<Action, never> {
  for (;;) {
    for (const text of ['a', 'Bc', 'd e', 'f\n']) yield { kind: 'type', text };
    for (const at of menus) {
      yield { kind: 'click', at };
      yield { kind: 'hotkey', keys: [key('esc')] };
    }
    yield { kind: 'hotkey', keys: [key('ctrl'), key('a')] };
    yield { kind: 'hotkey', keys: [key('delete')] };
  }
}
