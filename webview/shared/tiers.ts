// How the tiers of difficulty are called on every page. Pure.

export const tierInWords = (tier: number): string =>
  ({
    1: 'One or two steps',
    2: 'A few steps',
    3: 'Dialogs, scrolling, searching',
    4: 'Across applications',
  })[tier] ?? '';
