// The kinds of desktops, and their names in texts.

export const DESKTOP_KINDS = ['pocket', 'docker', 'web', 'guest', 'offline'] as const;
export type DesktopKind = (typeof DESKTOP_KINDS)[number];

export const KIND_TITLES: Readonly<Record<DesktopKind, string>> = {
  pocket: 'Pocket desktop',
  docker: 'Docker desktops',
  web: 'Web desktops',
  guest: 'Guests',
  offline: 'Stored trajectories',
};
