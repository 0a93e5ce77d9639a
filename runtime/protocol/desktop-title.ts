// The titles of training desktops, for people: 'd0' is Desktop 1.

export const desktopNumber = (desktop: string): number => Number(/\d+$/.exec(desktop)?.[0] ?? 0) + 1;

export const desktopTitle = (desktop: string): string => `Desktop ${desktopNumber(desktop)}`;
