// The metrics of settings of VS Code, VLC, GIMP, Thunderbird and LibreOffice, by name.

import type { Metrics } from '../metric.ts';
import { checkJsonKeybindings, checkJsonSettings, isExtensionInstalled } from './check-editor-settings.ts';
import { checkConfigStatus } from './check-gimp-config.ts';
import { checkLibreLocale } from './check-libre-locale.ts';
import {
  checkThunderbirdFilter,
  checkThunderbirdFolder,
  checkThunderbirdPrefs,
} from './check-thunderbird.ts';
import {
  checkGlobalKeyPlayPause,
  checkOneInstance,
  checkQtBgcone,
  checkQtMaxVolume,
  checkQtMinimalView,
  checkQtSliderColours,
  isVlcFullscreen,
  isVlcRecordingsFolder,
} from './check-vlc.ts';
import { isVlcPlaying } from './is-vlc-playing.ts';

export const SETTING_METRICS = {
  check_json_settings: checkJsonSettings,
  check_json_keybindings: checkJsonKeybindings,
  is_extension_installed: isExtensionInstalled,
  check_thunderbird_prefs: checkThunderbirdPrefs,
  check_thunderbird_filter: checkThunderbirdFilter,
  check_thunderbird_folder: checkThunderbirdFolder,
  check_qt_bgcone: checkQtBgcone,
  check_qt_max_volume: checkQtMaxVolume,
  check_qt_minimal_view: checkQtMinimalView,
  check_qt_slider_colours: checkQtSliderColours,
  check_global_key_play_pause: checkGlobalKeyPlayPause,
  check_one_instance_when_started_from_file: checkOneInstance,
  is_vlc_playing: isVlcPlaying,
  is_vlc_recordings_folder: isVlcRecordingsFolder,
  is_vlc_fullscreen: isVlcFullscreen,
  check_config_status: checkConfigStatus,
  check_libre_locale: checkLibreLocale,
} satisfies Metrics;
