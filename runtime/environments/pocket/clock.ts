// The time of day as people write it, in the format that the settings ask for.

import type { PocketWorld, Settings } from './world.ts';

/** 'HH:MM', or '3:05 PM'. */
export function timeText(time: string, format: Settings['timeFormat']): string {
  if (format === '24h') return time;
  const hour = Number(time.slice(0, 2));
  return `${hour % 12 === 0 ? 12 : hour % 12}${time.slice(2)} ${hour < 12 ? 'AM' : 'PM'}`;
}

export const clockFace = ({ now, settings }: PocketWorld): string =>
  timeText(now.slice(-5), settings.timeFormat);
