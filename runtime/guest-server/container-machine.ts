// A container as a machine behind the guest API: one session for screen, elements and input, and a shell for each command that runs.

import { randomBytes } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Pixels, Point, Size } from '../core/screen.ts';
import type { ContainerHandle } from '../environments/docker/container-handle.ts';
import type { ElementTree } from '../environments/docker/element-tree.ts';
import type { Fleet } from '../environments/docker/fleet.ts';
import { ContainerSession } from '../environments/docker/session.ts';
import {
  type CommandResult,
  ContainerShell,
  type RunOptions,
  readFile,
  writeFile,
} from '../environments/docker/shell.ts';
import type { Warden } from '../environments/docker/warden.ts';
import type { InputProgram } from './program/input-program.ts';
import { Performer } from './program/performer.ts';
import type { OpenMachine, TakeDesktop } from './served-machine.ts';

/** The pictures of clients have all pixels of the desktop. */
const SCALE = 1;
/**
 * Xvnc would also make a copied text the primary selection, and applications then unselect what a paste should replace. An image of the
 * user may lack the program.
 */
const KEEP_SELECTIONS = 'vncconfig -set SetPrimary=0';

export const takeContainer =
  (fleet: Fleet, clock: Clock): TakeDesktop =>
  async signal => {
    const container = await fleet.take({ signal });
    const { died, warden } = container;
    return {
      died,
      open: () => ContainerMachine.open(container, clock),
      reset: () => warden.reset(),
      remove: () => container.remove(),
    };
  };

class ContainerMachine implements OpenMachine {
  readonly clock: Clock;
  readonly #session: ContainerSession;
  readonly #performer: Performer;
  readonly #newShell: () => ContainerShell;
  readonly #shells = new Set<ContainerShell>();
  #idle: ContainerShell[] = [];
  /** The hub answers one request at a time, and programs must not mix. */
  #lastTree: Promise<unknown> = Promise.resolve();
  #lastProgram: Promise<unknown> = Promise.resolve();

  static async open({ id, warden }: ContainerHandle, clock: Clock): Promise<ContainerMachine> {
    const thing = `container ${id.slice(0, 12)}`;
    const session = await ContainerSession.open(warden, { thing, clock, scale: SCALE });
    const machine = new ContainerMachine(session, warden, thing, clock);
    try {
      await machine.run(KEEP_SELECTIONS);
      await session.begin();
      return machine;
    } catch (error) {
      machine.close();
      throw error;
    }
  }

  private constructor(session: ContainerSession, warden: Warden, thing: string, clock: Clock) {
    this.clock = clock;
    this.#session = session;
    this.#performer = new Performer(session, clock);
    const secret = () => randomBytes(16).toString('hex');
    this.#newShell = () => new ContainerShell({ thing, clock, secret, open: () => warden.run(['sh']) });
  }

  get size(): Size {
    return this.#session.size;
  }

  get pointer(): Point {
    return this.#performer.pointer;
  }

  picture(): Promise<Pixels> {
    return this.#session.drawn();
  }

  tree(): Promise<ElementTree> {
    const tree = this.#lastTree.then(() => this.#session.tree());
    this.#lastTree = tree.catch(() => undefined); // Its caller gets the error.
    return tree;
  }

  run(line: string, options?: RunOptions): Promise<CommandResult> {
    return this.#withShell(shell => shell.run(line, options));
  }

  readFile(path: string): Promise<Uint8Array | undefined> {
    return this.#withShell(shell => readFile(shell, path));
  }

  writeFile(path: string, bytes: Uint8Array): Promise<void> {
    return this.#withShell(shell => writeFile(shell, path, bytes));
  }

  perform(program: InputProgram): Promise<string> {
    const printed = this.#lastProgram.then(() => this.#performer.perform(program));
    this.#lastProgram = printed.catch(() => undefined); // Its caller gets the error.
    return printed;
  }

  close(): void {
    for (const shell of this.#shells) shell.close();
    this.#session.close();
  }

  /** A shell runs one command at a time, and a command may take minutes. Idle shells are used again. */
  async #withShell<Result>(use: (shell: ContainerShell) => Promise<Result>): Promise<Result> {
    const shell = this.#idle.pop() ?? this.#newShell();
    this.#shells.add(shell);
    try {
      return await use(shell);
    } finally {
      this.#idle.push(shell);
    }
  }
}
