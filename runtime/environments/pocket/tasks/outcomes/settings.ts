// Outcomes in Settings: one setting changed, or Wi-Fi together with its network.

import type { PocketSettings } from '../../world.ts';
import {
  defineOutcome,
  fieldsChanged,
  isQuotable,
  outcome,
  type WorldChange,
  type WorldOutcome,
} from './outcome.ts';

export const CHECKBOXES = {
  nightLight: { kind: 'settings-night-light', tab: 'Display', label: 'Night light' },
  muted: { kind: 'settings-mute', tab: 'Sound', label: 'Mute' },
  bluetooth: { kind: 'settings-bluetooth', tab: 'Network', label: 'Bluetooth' },
  notifications: { kind: 'settings-notifications', tab: 'Sound', label: 'Show notifications' },
} as const;

export function turn(field: keyof typeof CHECKBOXES, on: boolean): WorldOutcome {
  const { kind, label } = CHECKBOXES[field];
  const [onOrOff, thing] = [on ? 'on' : 'off', label.toLowerCase()];
  return outcome(kind, [
    `Turn ${onOrOff} "${label}" in Settings.`,
    `Switch ${thing} ${onOrOff}.`,
    `Please turn ${thing} ${onOrOff}.`,
  ]);
}

export const useTheme = defineOutcome('settings-theme', (theme: string) => [
  `Use the ${theme} theme.`,
  `Change the theme to ${theme}.`,
  `Make the desktop ${theme}.`,
]);

export const useAlertSound = defineOutcome('settings-alert-sound', (sound: string) => [
  `Set the alert sound to ${sound}.`,
  `I want ${sound} as alert sound.`,
  `Choose ${sound} as the sound for alerts.`,
]);

export const useLanguage = defineOutcome('settings-language', (language: string) => [
  `Change the language to ${language}.`,
  `Set the system language to ${language}.`,
]);

export const nameDevice = defineOutcome('settings-device-name', (name: string) => [
  `Name this device "${name}".`,
  `Rename the device to ${name}.`,
  `Set the device name to ${name} and save it.`,
]);

/** While Wi-Fi is off, no network can be chosen: an instruction asks for both. */
export const connect = defineOutcome('settings-network', (network: string) => [
  `Turn on Wi-Fi and connect to ${network}.`,
  `Connect to the network ${network}. Wi-Fi is off.`,
]);

const slide = (field: 'volume' | 'brightness', value: number): WorldOutcome =>
  outcome(`settings-${field}`, [
    `Set the ${field} to ${value}.`,
    `Change the ${field} to ${value} percent.`,
    `Put the ${field} at ${value} in Settings.`,
  ]);

const useTimeFormat = defineOutcome('settings-time-format', (hours: string) => [
  `Show the time in ${hours} hours.`,
  `Change the time format to ${hours} hours.`,
  `The clock should count ${hours} hours.`,
]);

const turnWifi = defineOutcome('settings-wifi', (onOrOff: string) => [
  `Turn Wi-Fi ${onOrOff}.`,
  `Switch Wi-Fi ${onOrOff} in Settings.`,
  `Wi-Fi should be ${onOrOff}.`,
]);

const useOtherNetwork = defineOutcome('settings-other-network', (network: string) => [
  `Connect to the network ${network}.`,
  `Change the Wi-Fi network to ${network}.`,
  `Use the network ${network} from now on.`,
]);

const BY_FIELD: {
  readonly [Field in keyof PocketSettings]: (now: PocketSettings) => WorldOutcome | undefined;
} = {
  nightLight: ({ nightLight }) => turn('nightLight', nightLight),
  muted: ({ muted }) => turn('muted', muted),
  bluetooth: ({ bluetooth }) => turn('bluetooth', bluetooth),
  notifications: ({ notifications }) => turn('notifications', notifications),
  theme: ({ theme }) => useTheme(theme),
  alertSound: ({ alertSound }) => useAlertSound(alertSound),
  language: ({ language }) => useLanguage(language),
  deviceName: ({ deviceName }) => (isQuotable(deviceName) ? nameDevice(deviceName) : undefined),
  volume: ({ volume }) => slide('volume', volume),
  brightness: ({ brightness }) => slide('brightness', brightness),
  timeFormat: ({ timeFormat }) => useTimeFormat(timeFormat.slice(0, 2)),
  wifi: ({ wifi }) => turnWifi(wifi ? 'on' : 'off'),
  network: ({ network, wifi }) => (wifi ? useOtherNetwork(network) : undefined),
};

export function settingsOutcome({ start, end }: WorldChange): WorldOutcome | undefined {
  const now = end.settings;
  const fields = fieldsChanged(start.settings, now);
  const [first] = fields;
  if (first !== undefined && fields.length === 1) return BY_FIELD[first](now);
  const isConnected =
    fields.length === 2 && fields.includes('wifi') && fields.includes('network') && now.wifi;
  return isConnected ? connect(now.network) : undefined;
}
