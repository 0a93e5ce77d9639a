// The images of one episode: encodes each screen, and keeps the images that the messages of the next turns can refer to.

import { createHash } from 'node:crypto';
import type { SentImage } from '../../core/agent.ts';
import type { ChatPart } from '../../core/chat.ts';
import { pngSize } from '../../core/png.ts';
import type { Pixels, Size } from '../../core/screen.ts';
import { pngOfDataUrl } from '../../endpoints/data-url.ts';
import { pngDataUrl } from './image/png-data-url.ts';
import { ScreenEncoder } from './image/screen-encoder.ts';

export type ImagePart = Extract<ChatPart, { type: 'image' }>;

interface AddedImage {
  readonly part: ImagePart;
  /** The image, unless the episode had it before. */
  readonly added?: SentImage;
}

export interface ScreenImagesOptions {
  /** The size in which a screen is sent. */
  readonly sizeOf: (screen: Size) => Size;
  /** The number of latest screens that messages refer to. */
  readonly window: number;
}

export class ScreenImages {
  readonly #encoder: ScreenEncoder;
  readonly #window: number;
  /** The data URLs by hash, least recently used first. They are sent with every turn; the PNGs are not kept beside them. */
  readonly #images = new Map<string, Uint8Array>();
  /** Hashes of all images of the episode. */
  readonly #known = new Set<string>();
  #last: SentImage | undefined;

  constructor({ sizeOf, window }: ScreenImagesOptions) {
    if (!(window >= 1))
      throw new RangeError(`A window of ${window} images has no room for the current one. Use at least 1.`);
    this.#encoder = new ScreenEncoder(sizeOf);
    this.#window = window;
  }

  /** One call at a time. `needed` images of earlier screens are kept: fewer than the window. */
  async add(pixels: Pixels, needed: ReadonlySet<string> = NONE): Promise<AddedImage> {
    const png = await this.#encoder.encode(pixels);
    const image = this.#last?.png === png ? this.#last : { sha256: sha256Of(png), png };
    this.#last = image;
    const { sha256 } = image;
    const part: ImagePart = { type: 'image', sha256, ...pngSize(png) };
    const url = this.#images.get(sha256) ?? pngDataUrl(png);
    this.#images.delete(sha256);
    this.#images.set(sha256, url);
    for (const oldest of this.#images.keys()) {
      if (this.#images.size <= this.#window) break;
      if (!needed.has(oldest)) this.#images.delete(oldest);
    }
    if (this.#known.has(sha256)) return { part };
    this.#known.add(sha256);
    return { part, added: image };
  }

  /** Releases the images; further screens start from nothing. */
  clear(): void {
    this.#images.clear();
    this.#known.clear();
    this.#last = undefined;
    this.#encoder.clear();
  }

  /** The PNG of an image within the window. */
  readonly source = (sha256: string): Uint8Array => pngOfDataUrl(this.dataUrls(sha256));

  /** For requests: the data URL of an image within the window. */
  readonly dataUrls = (sha256: string): Uint8Array => {
    const url = this.#images.get(sha256);
    if (url !== undefined) return url;
    throw new RangeError(
      `Image ${sha256} is not among the latest ${this.#window} screens. Enlarge the image window of the profile.`,
    );
  };
}

const NONE: ReadonlySet<string> = new Set();

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
