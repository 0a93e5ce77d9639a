// Splits the bytes of the debugging pipe into messages: JSON texts, each followed by a NUL byte.

const NUL = 0;

/** Far above the largest screenshot. A page can log texts of any size. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

export class MessageSplitter {
  readonly #receive: (text: string) => void;
  #parts: Buffer[] = [];
  #bytes = 0;

  constructor(receive: (text: string) => void) {
    this.#receive = receive;
  }

  /** Drops messages above the limit: a command without a reply runs into its deadline. */
  push(data: Buffer): void {
    let from = 0;
    for (let end = data.indexOf(NUL); end !== -1; end = data.indexOf(NUL, from)) {
      this.#keep(data.subarray(from, end));
      from = end + 1;
      const isWhole = this.#bytes <= MAX_MESSAGE_BYTES;
      const [first, ...rest] = this.#parts;
      this.#parts = [];
      this.#bytes = 0;
      if (isWhole && first !== undefined)
        this.#receive((rest.length === 0 ? first : Buffer.concat([first, ...rest])).toString('utf8'));
    }
    this.#keep(data.subarray(from));
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes <= MAX_MESSAGE_BYTES) this.#parts.push(part);
    else this.#parts = [];
  }
}
