/** The form of a test with few cases, for `npm test`, or the long one: `npm run test:real` sets DARTBOARD_LONG_TESTS. */
export const shortOrLong = <T>(short: T, long: T): T =>
  process.env['DARTBOARD_LONG_TESTS'] === undefined ? short : long;
