// One guest over many episodes: waits until it is ready, and restores it to its clean state.

import type { Clock } from '../../core/clock.ts';
import { failureOf } from '../../core/failure.ts';
import type { Pixels } from '../../core/screen.ts';
import { isBlank } from './blank-screen.ts';
import type { GuestApi } from './guest-api.ts';

/** A virtual machine that boots. */
const READY_TIMEOUT_MS = 600_000;
const POLL_MS = 1000;

/** Against a screen that goes dark or is locked while an agent thinks. Each is tried; none is needed. */
const STAY_AWAKE =
  'gsettings set org.gnome.desktop.screensaver lock-enabled false; gsettings set org.gnome.desktop.session idle-delay 0; ' +
  'xset s off -dpms; true';

export interface GuestLimits {
  /** Guests become slow with age. */
  readonly ageMs: number;
  readonly screenshots: number;
}

export interface GuestHostOptions {
  readonly api: GuestApi;
  readonly clock: Clock;
  readonly screenshot: () => Promise<Pixels>;
  /** Restores the clean state, such as a snapshot of a virtual machine; undefined if the user gave no command. */
  readonly revert: ((signal: AbortSignal) => Promise<void>) | undefined;
  readonly limits: GuestLimits;
  /** Reports what the user should know, once. */
  readonly report: (message: string) => void;
}

export class GuestHost {
  readonly #options: GuestHostOptions;
  #isReady = false;
  /** The last restart that is known. */
  #freshSince: number | undefined;
  #screenshots = 0;
  #hasReported = false;
  #outage: string | undefined;

  constructor(options: GuestHostOptions) {
    this.#options = options;
  }

  /** Why the guest could not be prepared the last time; undefined if it could. */
  get outage(): string | undefined {
    return this.#outage;
  }

  get hasRevert(): boolean {
    return this.#options.revert !== undefined;
  }

  /** Counts what wears a guest out. */
  countScreenshot(): void {
    this.#screenshots += 1;
  }

  /** Restores the clean state if there is a command for it, and waits until the guest can be used. Rejects when the signal is aborted. */
  async prepare(signal: AbortSignal): Promise<void> {
    try {
      await this.#prepare(signal);
      this.#outage = undefined;
    } catch (error) {
      this.#isReady = false;
      // An abort is no fault of the guest.
      if (!signal.aborted) this.#outage = failureOf(error, 'environment', 'guest').message;
      throw error;
    }
  }

  /** The next episode begins with a check. */
  forget(): void {
    this.#isReady = false;
  }

  async #prepare(signal: AbortSignal): Promise<void> {
    const { revert } = this.#options;
    if (revert !== undefined) {
      await revert(signal);
      this.#isReady = false;
      this.#freshen();
    } else if (this.#isWornOut()) this.#reportOnce();
    if (this.#isReady) return;
    // A guest that did not answer and answers again was restarted.
    if ((await this.#untilReady(signal)) || this.#freshSince === undefined) this.#freshen();
    this.#isReady = true;
  }

  #freshen(): void {
    this.#freshSince = this.#options.clock.now();
    this.#screenshots = 0;
    this.#hasReported = false;
  }

  #isWornOut(): boolean {
    const { clock, limits } = this.#options;
    const age = clock.now() - (this.#freshSince ?? clock.now());
    return age > limits.ageMs || this.#screenshots > limits.screenshots;
  }

  #reportOnce(): void {
    if (this.#hasReported) return;
    this.#hasReported = true;
    this.#options.report(
      `It runs for long without a restart (${this.#screenshots} screenshots), and guests become slow. Restart it, or set ` +
        "'environments.guest.revert' to a command that restores it.",
    );
  }

  /** True if the guest did not answer at first. */
  async #untilReady(signal: AbortSignal): Promise<boolean> {
    const { api, clock, screenshot } = this.#options;
    const end = clock.now() + READY_TIMEOUT_MS;
    let why = 'it does not answer';
    let wasAway = false;
    for (; clock.now() < end; await clock.sleep(POLL_MS, signal)) {
      signal.throwIfAborted();
      try {
        await api.act('/execute', { json: { command: STAY_AWAKE, shell: true } });
        if (!isBlank(await screenshot())) return wasAway;
        why = 'its screen is blank: log in, and turn off the lock of the screen';
      } catch (error) {
        wasAway = true;
        why = failureOf(error, 'environment', 'guest').message;
      }
    }
    throw api.failure('the guest', `is not ready after ${READY_TIMEOUT_MS / 60_000} minutes: ${why}`);
  }
}
