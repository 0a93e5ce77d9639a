// The browser that pages are tried in.

import { hasChromium as isInstalled } from '../../runtime/bench/panels/browser.ts';

export { HOW_TO, launch } from '../../runtime/bench/panels/browser.ts';

export const hasChromium = isInstalled();
