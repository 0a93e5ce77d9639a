// What a double of a Tinker server can do.

export interface TinkerTraits {
  /** The only base model. */
  readonly model: string;
  /** Models at the same time. */
  readonly room: number;
  /** Requests and results in protobuf. */
  readonly protobuf: boolean;
  /** Answers a repeated request with its first answer. */
  readonly recognisesRepeats: boolean;
  /** Log-probabilities of prompts under the base model. */
  readonly promptLogProbabilities: boolean;
  readonly reduction: 'sum' | 'row-mean';
  /** ppo: computes PPO's loss. ppo-one-sided: forgets the lower bound. unreported: reports no losses. none: refuses the loss. */
  readonly clip: 'ppo' | 'ppo-one-sided' | 'unreported' | 'none';
  readonly key?: string;
  /** The hardware time that each pass and each step reports; by default, none reports it. */
  readonly hardwareSeconds?: number;
  /** A step with a higher learning rate fails. */
  readonly maxLearningRate?: number;
}

export const HOSTED: TinkerTraits = {
  ...{ model: 'table', room: 4, protobuf: true, recognisesRepeats: true },
  ...{ promptLogProbabilities: true, reduction: 'sum', clip: 'ppo' },
};

/** An older server: JSON, and no memory of requests. */
export const JSON_SERVER: TinkerTraits = { ...HOSTED, protobuf: false, recognisesRepeats: false };

/** The metric of a pass or a step. */
export const hardwareTime = ({ hardwareSeconds }: TinkerTraits): Readonly<Record<string, number>> =>
  hardwareSeconds === undefined ? {} : { 'hardware_seconds:sum': hardwareSeconds };
