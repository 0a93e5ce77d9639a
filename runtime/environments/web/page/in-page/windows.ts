// The windows of a page, and the script of Dartboard in each.

/// <reference lib="dom" />
/** The part of the script that the scripts in other windows of the page call. */
export interface InWindow {
  takeChanged(): boolean;
  isDragBegunHere(): boolean;
  drawWidgetsIn(root: Document | ShadowRoot): void;
}

declare global {
  interface Window {
    /** The script of this world in that window. */
    readonly dartboard?: InWindow;
  }
}

/** A window and the frames in it that scripts may read. */
export function windowsOf(of: Window): readonly Window[] {
  const found = [of];
  for (let index = 0; index < of.length; index++) {
    const child = of[index];
    if (child !== undefined && isReadable(child)) found.push(...windowsOf(child));
  }
  return found;
}

/** Throws for a frame of another origin. */
function isReadable(child: Window): boolean {
  try {
    return child.document !== null;
  } catch {
    return false;
  }
}
