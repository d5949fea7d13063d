// The turns of one case in order, and why it stopped.

import {
  type AssistantBlock,
  type Message,
  type Stop,
  type ToolCallBlock,
  type ToolMessage,
  textOf,
  type Usage,
} from '../request/request.ts';
import type { Failure, Source } from '../responder/responder.ts';

/** A chat request, its response, and the tool results fed back. */
export interface Turn {
  /** Fingerprint of the request. */
  fingerprint: string;
  /** Digest of all that stands before the messages: provider, model, params, system, tools. */
  head: string;
  source: Source;
  content: AssistantBlock[];
  stop: Stop;
  stopDetail?: string;
  usage?: Usage;
  latencyMs: number;
  servedModel?: string;
  /** The tools' answers to this turn's calls, in call order. */
  results: ToolMessage[];
}

/** Why a conversation stopped. `error` is a stop of the model's that we do not know, `code_failed` a command of the project's that gave no answer. */
export type TrajectoryStop =
  | 'end_turn'
  | 'max_turns'
  | 'max_tokens'
  | 'refusal'
  | 'unmocked_tool'
  | 'code_failed'
  | 'provider_error'
  | 'unrecorded'
  | 'error';

/** What happened in one run of one case. */
export interface Trajectory {
  input: Message[];
  turns: Turn[];
  stopped: TrajectoryStop;
  /** More on the stop in words: the unmocked tool with its arguments, what became of the command, the provider's message. */
  detail?: string;
  /** Set where `stopped` is `provider_error` or `unrecorded`. */
  failure?: Failure;
}

/** A tool call with its place: `turn` and `index` are 1-based. */
export interface PlacedCall {
  turn: number;
  index: number;
  call: ToolCallBlock;
}

/** All tool calls of a trajectory in order. */
export function callsOf(trajectory: Trajectory): PlacedCall[] {
  const calls: PlacedCall[] = [];
  trajectory.turns.forEach((turn, at) => {
    for (const block of turn.content) {
      if (block.type === 'tool_call') calls.push({ turn: at + 1, index: calls.length + 1, call: block });
    }
  });
  return calls;
}

/** The text of the last turn, empty where there is none. */
export function finalText(trajectory: Trajectory): string {
  const last = trajectory.turns.at(-1);
  return last ? textOf(last.content) : '';
}

/** The ordered calls and the stop in one line: `lookup_order → issue_refund → (end_turn)`. */
export function pathOf(trajectory: Trajectory): string {
  return [...callsOf(trajectory).map(({ call }) => call.name), `(${trajectory.stopped})`].join(' → ');
}
