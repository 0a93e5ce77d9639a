// The sessions of the server: as many as there are desktops. A session counts until its desktop is back in the pool.

import { OpenEnvSession, type OpenEnvSessionOptions, type SessionState } from './session.ts';
import { capacityReached } from './wire.ts';

export interface SessionsOptions extends OpenEnvSessionOptions {
  readonly max: number;
}

export class OpenEnvSessions {
  readonly #options: SessionsOptions;
  readonly #open = new Map<OpenEnvSession, Promise<void> | undefined>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  get active(): number {
    return this.#open.size;
  }

  get max(): number {
    return this.#options.max;
  }

  /** Needs no room. */
  stateOfNew(): SessionState {
    return new OpenEnvSession(this.#options).state();
  }

  /** Throws a ServedError when there is no room. */
  open(): OpenEnvSession {
    if (this.active >= this.max) throw capacityReached(this.active, this.max);
    const session = new OpenEnvSession(this.#options);
    this.#open.set(session, undefined);
    return session;
  }

  /** Resolves when the desktop of the session is back. Repeated calls have no effect. */
  async close(session: OpenEnvSession): Promise<void> {
    if (!this.#open.has(session)) return;
    const closing = this.#open.get(session) ?? session.close();
    this.#open.set(session, closing);
    await closing;
    this.#open.delete(session);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map(session => this.close(session)));
  }
}
