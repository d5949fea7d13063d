// The tool loop: ask, resolve the calls, append, ask again.

import { identify } from '../request/fingerprint.ts';
import { argumentsText } from '../request/json.ts';
import { redactor } from '../request/redact.ts';
import {
  type ChatRequest,
  type ChatResponse,
  type Json,
  type ToolCallBlock,
  type ToolMessage,
  toolCallsOf,
} from '../request/request.ts';
import type { Failure, Responder, Source } from '../responder/responder.ts';
import { type CommandLine, printedValue, type RunCode } from './command-line.ts';
import { type Mocks, mockResolver } from './mocks.ts';
import type { Target } from './target.ts';
import type { Trajectory, TrajectoryStop, Turn } from './trajectory.ts';

/** A prompt with its tools and what answers them. */
export interface AgentSpec {
  /** The first request; its messages are the case's input. */
  request: ChatRequest;
  mocks: Mocks;
  /** How often the model may be asked. */
  maxTurns: number;
  /** What a call that no rule matches does: fail the case, or give an empty result. */
  onUnmocked: 'error' | 'null';
  /** The project's own patterns of secrets, RE2 syntax. */
  redact?: readonly string[];
  /** Runs the commands of mocks; absent where no mock has one. */
  code?: RunCode;
}

const STOPS = {
  end_turn: 'end_turn',
  // Stopped for tools, yet called none: there is nothing to answer.
  tool_use: 'error',
  max_tokens: 'max_tokens',
  refusal: 'refusal',
  error: 'error',
} as const satisfies Record<ChatResponse['stop'], TrajectoryStop>;

function turnOf(request: ChatRequest, response: ChatResponse, source: Source): Turn {
  const { content, stop, stopDetail, usage, latencyMs, servedModel } = response;
  const { fingerprint, head } = identify(request);
  // Field by field, in the document's order: spreads here cost a twentieth of a large replay.
  const turn: Partial<Turn> = { fingerprint, head, source, content, stop };
  if (stopDetail !== undefined) turn.stopDetail = stopDetail;
  if (usage) turn.usage = usage;
  turn.latencyMs = latencyMs;
  if (servedModel !== undefined) turn.servedModel = servedModel;
  turn.results = [];
  return turn as Turn;
}

function failureEnd(failure: Failure): Pick<Trajectory, 'stopped' | 'detail' | 'failure'> {
  if (failure.kind === 'unrecorded' || failure.kind === 'no_key') return { stopped: 'unrecorded', failure };
  return { stopped: 'provider_error', detail: failure.message, failure };
}

/** What a tool gives back for a call. */
type ToolAnswer = { return: Json } | { error: string };

/** The answer of a mock's command: what it prints, or its error where it ends with another code than 0; else why there is none. */
async function answerOf(
  line: CommandLine,
  call: ToolCallBlock,
  { code, signal }: { code: RunCode | undefined; signal: AbortSignal | undefined },
): Promise<ToolAnswer | Pick<Trajectory, 'stopped' | 'detail' | 'failure'>> {
  if (!code) throw new Error(`nothing runs the command of ${call.name}`);
  const ran = await code(line, argumentsText(call), signal);
  if (ran.ok) return { return: printedValue(ran.stdout) };
  const { reason, message } = ran;
  if (reason === 'aborted') return failureEnd({ kind: 'aborted', message });
  return reason === 'exit' ? { error: message } : { stopped: 'code_failed', detail: message };
}

/** An agent: our own loop on a prompt, with tools answered by mocks. */
export function agentTarget(spec: AgentSpec): Target {
  return {
    async run(responder: Responder, signal?: AbortSignal): Promise<Trajectory> {
      // Redacted from here on: only the wire gets the real text.
      const redact = redactor(spec.redact);
      const request = redact.request(spec.request);
      const input = [...request.messages];
      const resolve = mockResolver(spec.mocks);
      const turns: Turn[] = [];
      const end = (more: Pick<Trajectory, 'stopped' | 'detail' | 'failure'>): Trajectory => ({
        input,
        turns,
        ...more,
      });
      for (;;) {
        const said = await responder.respond(request, signal);
        if (!said.ok) return end(failureEnd(said.failure));
        const { response } = said;
        const turn = turnOf(request, response, said.source);
        turns.push(turn);
        const calls = toolCallsOf(response.content);
        if (response.stop !== 'tool_use' || calls.length === 0) {
          return end({
            stopped: STOPS[response.stop],
            ...(response.stopDetail !== undefined && { detail: response.stopDetail }),
          });
        }
        for (const call of calls) {
          const outcome = resolve(call) ?? (spec.onUnmocked === 'null' ? { return: null } : undefined);
          if (!outcome) {
            return end({ stopped: 'unmocked_tool', detail: `no mock of ${call.name} matches ${argumentsText(call)}` });
          }
          const answer = 'run' in outcome ? await answerOf(outcome.run, call, { code: spec.code, signal }) : outcome;
          if ('stopped' in answer) return end(answer);
          const to = { role: 'tool', name: call.name, callId: call.id } as const;
          const result: ToolMessage =
            'error' in answer ? { ...to, result: answer.error, isError: true } : { ...to, result: answer.return };
          turn.results.push(redact.message(result));
        }
        if (turns.length >= spec.maxTurns) return end({ stopped: 'max_turns' });
        request.messages.push({ role: 'assistant', content: response.content }, ...turn.results);
      }
    },
  };
}
