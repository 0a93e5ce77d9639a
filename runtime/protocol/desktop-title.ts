// The titles of training desktops, for people: 'd0' is Desktop 1. A desktop of a joined host has its name in front: 'tower-d0'.

export const desktopNumber = (desktop: string): number => Number(/\d+$/.exec(desktop)?.[0] ?? 0) + 1;

/** The joined host of a desktop. Undefined for a desktop of the daemon's machine. */
export const desktopHost = (desktop: string): string | undefined => /^(.+)-d\d+$/.exec(desktop)?.[1];

export function desktopTitle(desktop: string): string {
  const title = `Desktop ${desktopNumber(desktop)}`;
  const host = desktopHost(desktop);
  return host === undefined ? title : `${title} of ${host}`;
}
