// What of this machine the address of an engine may depend on.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';

export interface HostSettings {
  readonly platform: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly exists: (path: string) => boolean;
  /** Whether this user may talk to the socket. */
  readonly mayUse: (path: string) => boolean;
  /** What a file holds; undefined where it cannot be read. */
  readonly read: (path: string) => string | undefined;
}

export const hostSettings = (environment: HostSettings['environment'] = process.env): HostSettings => ({
  ...{ platform: process.platform, home: homedir(), environment, exists: existsSync, mayUse, read },
});

function mayUse(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
