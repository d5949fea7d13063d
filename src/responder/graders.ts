// Answers what a take's expectations ask: each question from the recording by its fingerprint, or live and recorded.

import type { GraderKind, Grading, Prompt } from '../cassette/cassette.ts';
import { identify } from '../request/fingerprint.ts';
import type { ChatRequest } from '../request/request.ts';
import type { ProviderChoice } from './choice.ts';
import { recorder } from './recorder.ts';
import type { Answer, Miss, Responder } from './responder.ts';

/** A question of an expectation's, redacted. */
export interface Question {
  for: GraderKind;
  request: ChatRequest;
  /** Who is asked where it is not on the cassette. */
  by: ProviderChoice;
}

/** What answers the expectations of one take. */
export interface Graders {
  ask(question: Question, signal?: AbortSignal): Promise<Answer>;
  /** What was asked and answered, in order: what a cassette is to hold. */
  gradings(): Grading[];
  /** The prompts that fresh gradings refer to, by digest. */
  prompts(): Map<string, Prompt>;
  /** Whether somebody was asked live. */
  isFresh(): boolean;
  /** Recorded questions that nobody asked. */
  unused(): number;
}

/** Where answers come from. */
export interface GradersSpec {
  /** What is on the cassette; each is served once. */
  recorded: readonly Grading[];
  /** Who answers what is not on the cassette; absent where nobody is to be asked. */
  live?: (by: ProviderChoice) => Responder;
  /** Explains a miss; `at` counts the questions of this take from 0. */
  explain: (question: Question, at: number) => Miss;
}

/** Answers from `recorded`, and what is not there from `live`. */
export function graders({ recorded, live, explain }: GradersSpec): Graders {
  const waiting = [...recorded];
  const gradings: Grading[] = [];
  const prompts = new Map<string, Prompt>();
  let asked = 0;
  let isFresh = false;

  async function askLive({ for: kind, request }: Question, to: Responder, signal?: AbortSignal): Promise<Answer> {
    const own = recorder(to);
    const answer = await own.respond(request, signal);
    const [interaction] = own.interactions();
    if (!answer.ok || !interaction?.start) return answer;
    isFresh = true;
    for (const [digest, prompt] of own.prompts()) prompts.set(digest, prompt);
    gradings.push({ for: kind, ...interaction, start: interaction.start });
    return answer;
  }

  return {
    async ask(question, signal) {
      const place = asked++;
      const { fingerprint } = identify(question.request);
      const at = waiting.findIndex((one) => one.for === question.for && one.fingerprint === fingerprint);
      const [found] = at === -1 ? [] : waiting.splice(at, 1);
      if (found) {
        gradings.push(found);
        return { ok: true, response: found.response, source: 'cassette' };
      }
      if (live) return askLive(question, live(question.by), signal);
      return { ok: false, failure: { kind: 'unrecorded', miss: explain(question, place) } };
    },
    gradings: () => gradings,
    prompts: () => prompts,
    isFresh: () => isFresh,
    unused: () => waiting.length,
  };
}
