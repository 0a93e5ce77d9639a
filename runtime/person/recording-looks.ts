// The looks of a client at a recording: each resolves once the screen or the state differs from what the client has. While a client looks, a
// screen that changes by itself is looked at as well.

import type { Clock } from '../core/clock.ts';
import type { RecordingLook } from '../protocol/daemon/record.ts';
import type { PersonDesktop } from './person-desktop.ts';
import type { RecordingBoard } from './recording-board.ts';
import type { SerialCalls } from './serial-calls.ts';
import type { PersonStep } from './steps.ts';

interface LooksOptions {
  readonly board: RecordingBoard;
  readonly calls: Pick<SerialCalls, 'isIdle'>;
  /** Looks at the desktop after all earlier calls. */
  readonly glance: () => Promise<void>;
  readonly now: () => LookedAt;
  readonly clock: Clock;
}

/** Of the recording, which changes while a client waits. */
interface LookedAt {
  readonly isOpen: boolean;
  readonly person: PersonDesktop | undefined;
  readonly steps: readonly PersonStep[];
}

export interface RecordingPicture {
  readonly result: RecordingLook;
  readonly png: Uint8Array;
}

/** A look without a change takes this long. */
const LOOK_MS = 1000;
/** While somebody watches a screen that changes by itself, it is looked at this often. */
const GLANCE_MS = 80;
/** The same after looks without a change: a look delays the input that arrives meanwhile. */
const MAX_GLANCE_MS = 320;

export class RecordingLooks {
  readonly #options: LooksOptions;
  #glanceMs = GLANCE_MS;

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  /** Somebody acted: the screen may change soon. */
  acted(): void {
    this.#glanceMs = GLANCE_MS;
  }

  /** Resolves after a second at the latest. Without a look nothing is compressed. */
  async look(frame: number, change: number): Promise<RecordingPicture> {
    const { board, calls, now, clock } = this.#options;
    const end = clock.now() + LOOK_MS;
    const isNew = (): boolean => board.state.change !== change || (now().person?.frame ?? 0) !== frame;
    while (!isNew() && clock.now() < end && now().isOpen) {
      await board.changeWithin(Math.min(this.#glanceMs, Math.max(1, end - clock.now())), clock);
      const { person } = now();
      const isLive = board.state.phase === 'acting' && person?.changesByItself === true;
      if (!isNew() && calls.isIdle && isLive) await this.#glance();
    }
    const { person, steps } = now();
    if (person === undefined) return { result: { state: board.state, frame: 0 }, png: NO_PICTURE };
    if (person.frame === frame) return { result: { state: board.state, frame }, png: NO_PICTURE };
    const picture = person.picture();
    person.forget(steps);
    const png = await picture.png;
    return { result: { state: board.state, frame: picture.frame, picture: picture.size }, png };
  }

  /** The state reports a failure. */
  async #glance(): Promise<void> {
    const { now, glance } = this.#options;
    const before = now().person?.frame;
    await glance().catch(() => undefined);
    const isStill = now().person?.frame === before;
    this.#glanceMs = isStill ? Math.min(MAX_GLANCE_MS, 2 * this.#glanceMs) : GLANCE_MS;
  }
}

const NO_PICTURE = new Uint8Array();
