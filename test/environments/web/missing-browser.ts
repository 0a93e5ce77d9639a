// Why tests of web desktops are skipped: undefined if this machine has a browser.

import { messageOf } from '../../../runtime/core/errors.ts';
import { ANY_BROWSER, browserHere } from '../../../runtime/environments/web/browser-here.ts';

export const missingBrowser = reason();

function reason(): string | undefined {
  try {
    browserHere(ANY_BROWSER);
    return undefined;
  } catch (error) {
    process.stderr.write(`Skipped, tests of web desktops: ${messageOf(error)}\n`);
    return messageOf(error);
  }
}
