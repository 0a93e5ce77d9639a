// The metrics of texts, lists, tables of text and structured data, by name.

import type { Metrics } from '../metric.ts';
import { checkAccessibilityTree } from './check-accessibility-tree.ts';
import { runSqlite3 } from './check-database.ts';
import { checkDirectJsonObject, checkJson, isIncludedAllJsonObjects } from './check-json.ts';
import { checkCsv, compareSpeedtestTime } from './check-records.ts';
import {
  checkGnomeFavoriteApps,
  checkMovedJpgs,
  checkTextEnlarged,
  isUtc0,
} from './check-system-settings.ts';
import { checkPythonFileByGoldFile, comparePythonPureText } from './compare-python-source.ts';
import {
  compareAnswer,
  compareConfig,
  compareResultFiles,
  compareTerminalAndTxt,
  diffTextFile,
  fuzzyMatch,
  isInClipboard,
  isInList,
  literalMatch,
} from './compare-texts.ts';
import { checkHtmlBackgroundImage, checkLineNumber, fileContains } from './search-text-file.ts';

export const TEXT_METRICS = {
  literal_match: literalMatch,
  is_in_list: isInList,
  fuzzy_match: fuzzyMatch,
  check_csv: checkCsv,
  check_json: checkJson,
  check_direct_json_object: checkDirectJsonObject,
  is_included_all_json_objects: isIncludedAllJsonObjects,
  diff_text_file: diffTextFile,
  file_contains: fileContains,
  check_line_number: checkLineNumber,
  compare_time_in_speedtest_results: compareSpeedtestTime(() => new Date()),
  compare_terminal_and_txt: compareTerminalAndTxt,
  compare_python_pure_text: comparePythonPureText,
  run_sqlite3: runSqlite3,
  check_accessibility_tree: checkAccessibilityTree,
  is_utc_0: isUtc0,
  check_text_enlarged: checkTextEnlarged,
  check_gnome_favorite_apps: checkGnomeFavoriteApps,
  check_moved_jpgs: checkMovedJpgs,
  is_in_vm_clickboard: isInClipboard,
  compare_config: compareConfig,
  compare_answer: compareAnswer,
  compare_result_files: compareResultFiles,
  check_python_file_by_gold_file: checkPythonFileByGoldFile,
  check_html_background_image: checkHtmlBackgroundImage,
} satisfies Metrics;
