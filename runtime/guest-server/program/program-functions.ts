// The functions that a program may call, with the parameters of pyautogui 0.9.54.

const AT = ['x', 'y'];
const OFFSET = ['xOffset', 'yOffset'];
const REST = ['logScreenshot', '_pause'];
const CLICK = [...AT, 'interval', 'button', 'duration', 'tween', ...REST];

/** Positional parameters of each function. */
export const PARAMETERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['pyautogui.click', [...AT, 'clicks', 'interval', 'button', 'duration', 'tween', ...REST]],
  ['pyautogui.leftClick', [...AT, 'interval', 'duration', 'tween', ...REST]],
  ['pyautogui.rightClick', [...AT, 'interval', 'duration', 'tween', ...REST]],
  ['pyautogui.middleClick', [...AT, 'interval', 'duration', 'tween', ...REST]],
  ['pyautogui.doubleClick', CLICK],
  ['pyautogui.tripleClick', CLICK],
  ['pyautogui.moveTo', [...AT, 'duration', 'tween', ...REST]],
  ['pyautogui.moveRel', [...OFFSET, 'duration', 'tween', ...REST]],
  ['pyautogui.move', [...OFFSET, 'duration', 'tween', ...REST]],
  ['pyautogui.dragTo', [...AT, 'duration', 'tween', 'button', ...REST, 'mouseDownUp']],
  ['pyautogui.dragRel', [...OFFSET, 'duration', 'tween', 'button', ...REST, 'mouseDownUp']],
  ['pyautogui.drag', [...OFFSET, 'duration', 'tween', 'button', ...REST, 'mouseDownUp']],
  ['pyautogui.mouseDown', [...AT, 'button', 'duration', 'tween', ...REST]],
  ['pyautogui.mouseUp', [...AT, 'button', 'duration', 'tween', ...REST]],
  ['pyautogui.scroll', ['clicks', ...AT, ...REST]],
  ['pyautogui.vscroll', ['clicks', ...AT, ...REST]],
  ['pyautogui.hscroll', ['clicks', ...AT, ...REST]],
  ['pyautogui.keyDown', ['key', ...REST]],
  ['pyautogui.keyUp', ['key', ...REST]],
  ['pyautogui.press', ['keys', 'presses', 'interval', ...REST]],
  ['pyautogui.write', ['message', 'interval', ...REST]],
  ['pyautogui.typewrite', ['message', 'interval', ...REST]],
  ['pyautogui.hotkey', []],
  ['pyautogui.position', AT],
  ['pyautogui.size', []],
  ['pyautogui.sleep', ['seconds']],
  ['time.sleep', ['seconds']],
  ['pyperclip.copy', ['text']],
]);

/** These end without pyautogui's pause. */
export const UNPAUSED = [
  'pyautogui.position',
  'pyautogui.size',
  'pyautogui.sleep',
  'time.sleep',
  'pyperclip.copy',
];
