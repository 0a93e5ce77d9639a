// Deeds in Settings: one setting changed, or Wi-Fi together with its network.

import type { Settings } from '../../world.ts';
import { toConnect, toNameDevice, toTurn, toUseAlertSound, toUseLanguage, toUseTheme } from '../phrases.ts';
import { fieldsChanged } from './difference.ts';
import { isPlain, said, type WorldChange, type WorldOutcome } from './outcome.ts';

type Namers = { readonly [Field in keyof Settings]: (now: Settings) => WorldOutcome | undefined };

const BOXES = {
  nightLight: ['settings-night-light', 'Night light'],
  muted: ['settings-mute', 'Mute'],
  bluetooth: ['settings-bluetooth', 'Bluetooth'],
  notifications: ['settings-notifications', 'Show notifications'],
} as const;

const box = (field: keyof typeof BOXES) => (now: Settings) => {
  const [kind, name] = BOXES[field];
  return said(kind, ...toTurn(name, now[field]));
};

/** A slider goes in steps of ten, so whoever hits it has hit one number of few. */
const slider = (field: 'volume' | 'brightness') => (now: Settings) =>
  said(
    `settings-${field}`,
    `Set the ${field} to ${now[field]}.`,
    `Change the ${field} to ${now[field]} percent.`,
    `Put the ${field} at ${now[field]} in Settings.`,
  );

const ONE: Namers = {
  nightLight: box('nightLight'),
  muted: box('muted'),
  bluetooth: box('bluetooth'),
  notifications: box('notifications'),
  theme: ({ theme }) => said('settings-theme', ...toUseTheme(theme)),
  alertSound: ({ alertSound }) => said('settings-alert-sound', ...toUseAlertSound(alertSound)),
  language: ({ language }) => said('settings-language', ...toUseLanguage(language)),
  deviceName: ({ deviceName }) =>
    isPlain(deviceName) ? said('settings-device-name', ...toNameDevice(deviceName)) : undefined,
  volume: slider('volume'),
  brightness: slider('brightness'),
  timeFormat: ({ timeFormat }) => {
    const hours = timeFormat.slice(0, 2);
    return said(
      'settings-time-format',
      `Show the time in ${hours} hours.`,
      `Change the time format to ${hours} hours.`,
      `The clock should count ${hours} hours.`,
    );
  },
  wifi: ({ wifi }) => {
    const turn = wifi ? 'on' : 'off';
    return said(
      'settings-wifi',
      `Turn Wi-Fi ${turn}.`,
      `Switch Wi-Fi ${turn} in Settings.`,
      `Wi-Fi should be ${turn}.`,
    );
  },
  network: ({ network, wifi }) =>
    wifi
      ? said(
          'settings-other-network',
          `Connect to the network ${network}.`,
          `Change the Wi-Fi network to ${network}.`,
          `Use the network ${network} from now on.`,
        )
      : undefined,
};

export function settingsDeed({ start, end }: WorldChange): WorldOutcome | undefined {
  const [before, now] = [start.settings, end.settings];
  const [first, second, ...more] = fieldsChanged(before, now);
  if (first === undefined || more.length > 0) return undefined;
  if (second === undefined) return ONE[first](now);
  // With Wi-Fi off a network cannot be chosen: to turn it on and to choose one is asked for as one thing.
  const isConnected = [first, second].includes('wifi') && [first, second].includes('network') && now.wifi;
  return isConnected ? said('settings-network', ...toConnect(now.network)) : undefined;
}
