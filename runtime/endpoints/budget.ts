// The tokens and the money that an agent may spend. Requests in flight when the budget ends are completed, so it can be exceeded by their
// cost.

import { EndpointError } from './failure.ts';

export interface BudgetLimits {
  /** Of prompts and replies together. */
  readonly tokens?: number;
  /** In the currency of the prices. */
  readonly money?: number;
}

/** Per million tokens. */
export interface TokenPrices {
  readonly input: number;
  readonly output: number;
}

export interface SpentTokens {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly money: number;
}

const NOTHING: SpentTokens = { promptTokens: 0, completionTokens: 0, money: 0 };

export class TokenBudget {
  readonly #limits: BudgetLimits;
  readonly #prices: TokenPrices | undefined;
  readonly #before: SpentTokens;
  #spent = NOTHING;

  /** `before`: spent by earlier processes of the same run. It counts for the limits. */
  constructor(limits: BudgetLimits = {}, prices?: TokenPrices, before = NOTHING) {
    this.#limits = limits;
    this.#prices = prices;
    this.#before = before;
  }

  /** Since this budget was made. */
  get spent(): SpentTokens {
    return this.#spent;
  }

  /** Undefined without prices. */
  costOf(promptTokens: number, completionTokens: number): number | undefined {
    if (this.#prices === undefined) return undefined;
    return (promptTokens * this.#prices.input + completionTokens * this.#prices.output) / 1e6;
  }

  add(promptTokens: number, completionTokens: number): void {
    const { promptTokens: input, completionTokens: output, money } = this.#spent;
    this.#spent = {
      promptTokens: input + promptTokens,
      completionTokens: output + completionTokens,
      money: money + (this.costOf(promptTokens, completionTokens) ?? 0),
    };
  }

  /** Throws an EndpointError once a limit is reached. */
  require(agent: string): void {
    const { tokens = Number.POSITIVE_INFINITY, money = Number.POSITIVE_INFINITY } = this.#limits;
    const [before, now] = [this.#before, this.#spent];
    const cost = before.money + now.money;
    const used = before.promptTokens + before.completionTokens + now.promptTokens + now.completionTokens;
    if (used >= tokens)
      throw new EndpointError(
        'budget',
        agent,
        `The budget of ${tokens} tokens is spent (${used} used). Raise 'limits.tokens' of agent '${agent}'.`,
      );
    if (cost >= money)
      throw new EndpointError(
        'budget',
        agent,
        `The budget of ${money} is spent (cost ${cost.toFixed(4)}). Raise 'limits.money' of agent '${agent}'.`,
      );
  }
}
