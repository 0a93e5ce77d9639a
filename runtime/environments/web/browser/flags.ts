// The command line of a browser that shows pages to agents: equal pixels on every run, no limit on frames, and no network traffic of its own.

import type { FoundBrowser } from './find-browser.ts';
import type { BrowserMachine } from './machine.ts';

export interface FlagOptions {
  readonly kind: FoundBrowser['kind'];
  /** The folder of the profile. */
  readonly profile: string;
  readonly machine: Pick<BrowserMachine, 'isRoot' | 'hasLittleSharedMemory'>;
}

/** Without a limit on frames, the browser asks for frames as fast as it can while it waits for a page's first one. It must not wait. */
const FIRST_FRAMES = ['--deadline-to-synchronize-surfaces=0'];

const SPEED = [
  '--disable-frame-rate-limit',
  '--disable-gpu-vsync',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  '--disable-background-timer-throttling',
  '--disable-ipc-flooding-protection',
];

const EQUAL_PIXELS = [
  '--force-color-profile=srgb',
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--disable-smooth-scrolling',
  '--lang=en-US',
];

/** A page behaves as for a mouse on a desktop, and all frames of a page are one target. */
const PAGES = [
  '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
  '--enable-blink-features=ComputedAccessibilityInfo',
  '--disable-site-isolation-trials',
  // The headless shell does not block them either.
  '--disable-popup-blocking',
  '--mute-audio',
];

/** Contexts have a proxy of their own. Everything else would go to a proxy that does not exist. */
const NETWORK = [
  '--proxy-server=http://proxy.invalid:1',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-domain-reliability',
  '--no-pings',
];

const NO_EXTRAS = [
  '--no-startup-window',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-breakpad',
  '--disable-crash-reporter',
  // Only fatal errors: Chromium logs every message of a page's console.
  '--log-level=3',
  '--disable-search-engine-choice-screen',
  '--password-store=basic',
  '--use-mock-keychain',
];

const DISABLED_FEATURES = [
  // Going back loads the page again, so that its state does not depend on memory.
  'BackForwardCache',
  // A document in the frame of the one before needs no surface of its own, which the browser would wait for.
  'RenderDocument',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'Translate',
  'OptimizationHints',
  'MediaRouter',
  // Each window of Chrome has two more pages for its address bar: 25 MB and a process.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
];

export const browserFlags = ({ kind, profile, machine }: FlagOptions): readonly string[] => [
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  ...(kind === 'full' ? ['--headless=new'] : []),
  ...(machine.isRoot ? ['--no-sandbox'] : []),
  ...(machine.hasLittleSharedMemory ? ['--disable-dev-shm-usage'] : []),
  ...SPEED,
  ...FIRST_FRAMES,
  ...EQUAL_PIXELS,
  ...PAGES,
  ...NETWORK,
  ...NO_EXTRAS,
  `--disable-features=${DISABLED_FEATURES.join()}`,
];

/** ICU and Chromium read these. They replace the values of the user. */
export const BROWSER_ENVIRONMENT: Readonly<Record<string, string>> = {
  TZ: 'UTC',
  LANGUAGE: 'en_US',
  LANG: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
};
