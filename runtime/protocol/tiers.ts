// The names of the four tiers of difficulty, for every page, tree and terminal.

export const TIER_NAMES: Readonly<Record<number, string>> = {
  1: 'single steps',
  2: 'several steps',
  3: 'long tasks',
  4: 'several applications',
};

/** 'Tier 3: long tasks'. */
export function tierTitle(tier: number): string {
  const name = TIER_NAMES[tier];
  return name === undefined ? `Tier ${tier}` : `Tier ${tier}: ${name}`;
}
