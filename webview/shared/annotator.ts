// The name that remarks are signed with: as the user typed it, else as the editor knows it.

import { type PageHost, SIGNATURE_KEY } from './host.ts';

const MAX_NAME_LENGTH = 100;

export function annotatorName(host: Pick<PageHost, 'read'>): string {
  const stored = host.read(SIGNATURE_KEY);
  if (typeof stored === 'string' && stored.trim() !== '') return stored.trim().slice(0, MAX_NAME_LENGTH);
  return document.body.dataset['who'] ?? 'anonymous';
}

export const setAnnotatorName = (host: Pick<PageHost, 'sign'>, name: string): void =>
  host.sign(name.slice(0, MAX_NAME_LENGTH));
