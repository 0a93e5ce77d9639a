// The name that remarks are signed with: as the user typed it, else as the editor knows it.

import type { PageHost } from './host.ts';

const STORAGE_KEY = 'who';

export function annotatorName(host: Pick<PageHost, 'read'>): string {
  const stored = host.read(STORAGE_KEY);
  if (typeof stored === 'string' && stored.trim() !== '') return stored.trim().slice(0, 100);
  return document.body.dataset['who'] ?? 'anonymous';
}

export const setAnnotatorName = (host: Pick<PageHost, 'keep'>, name: string): void =>
  host.keep(STORAGE_KEY, name);
