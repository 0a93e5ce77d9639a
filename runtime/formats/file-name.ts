// File names from ids that may contain nearly all characters. Pure.

import { createHash } from 'node:crypto';

const MAX_NAME = 100;

/** Equal names have equal file names, and different names have different ones. */
export function fileNameOf(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9._-]/g, '_').replace(/^\.+/, '_');
  if (plain === name && name.length <= MAX_NAME) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${plain.slice(0, MAX_NAME)}-${hash}`;
}
