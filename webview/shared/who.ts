// In whose name something is said of trajectories: as the editor tells it, or as the person wrote it down.

import type { Host } from './host.ts';

const KEPT = 'who';

export function whoIs(host: Pick<Host, 'read'>): string {
  const kept = host.read(KEPT);
  if (typeof kept === 'string' && kept.trim() !== '') return kept.trim().slice(0, 100);
  return document.body.dataset['who'] ?? 'somebody';
}

export const callOneself = (host: Pick<Host, 'keep'>, name: string): void => host.keep(KEPT, name);
