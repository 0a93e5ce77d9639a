// The hosts that have joined a run: a unique name and a token for each, which ends when the host is silent.

import { createHash } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import { newToken } from '../core/token.ts';
import { HOST_TTL_MS } from './messages.ts';

export interface MembersOptions {
  /** Names that no joined host gets. */
  readonly reserved: readonly string[];
  readonly clock: Clock;
}

interface Member {
  readonly host: string;
  /** That it offered. */
  readonly desktops: number;
  seenMs: number;
}

export class Members {
  readonly #options: MembersOptions;
  /** By the digest of its token: the time of a search tells nothing about a token. */
  readonly #members = new Map<string, Member>();
  /** Why each was refused, by the same digest. */
  readonly #refused = new Map<string, string>();
  /** They are not given again: nothing that comes under them is accepted. */
  readonly #refusedNames = new Set<string>();

  constructor(options: MembersOptions) {
    this.#options = options;
  }

  get hosts(): readonly string[] {
    this.#forgetSilent();
    return [...this.#members.values()].map(({ host }) => host);
  }

  /** The name that a host would get; a number follows a name that is in use. */
  nameFor(wanted: string): string {
    const used = new Set([...this.#options.reserved, ...this.#refusedNames, ...this.hosts]);
    let name = wanted;
    for (let number = 2; used.has(name); number += 1) name = `${wanted}-${number}`;
    return name;
  }

  /** Returns the token. */
  add(host: string, desktops: number): string {
    const token = newToken();
    this.#members.set(digestOf(token), { host, desktops, seenMs: this.#options.clock.now() });
    return token;
  }

  /** That a host offered; 0 if it is no member. */
  desktopsOf(host: string): number {
    for (const member of this.#members.values()) if (member.host === host) return member.desktops;
    return 0;
  }

  /** The host with this token. Its time starts anew. */
  find(token: string): string | undefined {
    this.#forgetSilent();
    const member = this.#members.get(digestOf(token));
    if (member !== undefined) member.seenMs = this.#options.clock.now();
    return member?.host;
  }

  /** Its token ends now, with a reason. The host may have left: its last values arrive later. */
  refuse(host: string, why: string): void {
    this.#refusedNames.add(host);
    for (const [digest, member] of this.#members) if (member.host === host) this.#refused.set(digest, why);
    this.remove(host);
  }

  /** Why the host with this token was refused. */
  refusal(token: string): string | undefined {
    return this.#refused.get(digestOf(token));
  }

  remove(host: string): void {
    for (const [digest, member] of this.#members) if (member.host === host) this.#members.delete(digest);
  }

  #forgetSilent(): void {
    const oldest = this.#options.clock.now() - HOST_TTL_MS;
    for (const [digest, { seenMs }] of this.#members) if (seenMs < oldest) this.#members.delete(digest);
  }
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex');
