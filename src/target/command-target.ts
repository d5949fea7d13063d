// A command as what is under test: the input on stdin, the answer on stdout. Live code, never recorded.

import { createHash } from 'node:crypto';
import { answerRedactor, redactor } from '../request/redact.ts';
import { type ChatRequest, inputText, type Message } from '../request/request.ts';
import { type SecretValues, valuesForMarks } from '../request/secret.ts';
import { literalsOf, withoutLiterals } from '../responder/redacting.ts';
import type { CommandLine, RunCode } from './command-line.ts';
import type { Target } from './target.ts';
import type { Trajectory } from './trajectory.ts';

/** A command and what it is given. */
export interface CommandSpec {
  line: CommandLine;
  input: Message[];
  code: RunCode;
  /** Put in for `${VAR}` in the input; their values are taken out of the answer. */
  secrets: SecretValues;
  /** The project's own patterns of secrets, RE2 syntax. */
  redact?: readonly string[];
}

function digestOf(...parts: string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** A command under test. It asks no Responder, and its time is no part of the result: equal answers give equal bytes. */
export function commandTarget({ line, input, code, secrets, redact }: CommandSpec): Target {
  return {
    async run(_responder, signal): Promise<Trajectory> {
      const real: ChatRequest = { kind: 'chat', provider: 'command', model: line.command, messages: input };
      const shown = redactor(redact).request(real);
      const trajectory = { input: shown.messages, turns: [] };
      const missing = new Set<string>();
      const text = valuesForMarks(inputText(input), secrets, missing);
      const [name] = missing;
      if (name !== undefined) {
        const message = `the input needs ${name}, which is not set`;
        return { ...trajectory, stopped: 'unrecorded', failure: { kind: 'no_key', message, remedy: `Set ${name}.` } };
      }
      const ran = await code(line, text, signal);
      const words = answerRedactor(shown);
      const literals = literalsOf(secrets);
      const clean = (said: string) => words(withoutLiterals(said, literals));
      if (ran.ok) {
        const head = digestOf('command', line.command);
        const turn = {
          fingerprint: digestOf(head, inputText(shown.messages)),
          head,
          source: 'code',
          content: [{ type: 'text', text: clean(ran.stdout) }],
          stop: 'end_turn',
          latencyMs: 0,
          results: [],
        } as const;
        return { ...trajectory, turns: [{ ...turn, content: [...turn.content], results: [] }], stopped: 'end_turn' };
      }
      const message = clean(ran.message);
      if (ran.reason === 'aborted') {
        return { ...trajectory, stopped: 'provider_error', detail: message, failure: { kind: 'aborted', message } };
      }
      return { ...trajectory, stopped: 'code_failed', detail: message };
    },
  };
}
