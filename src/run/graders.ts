// What a take's expectations ask: put to whoever answers, counted and priced apart from the model under test.

import type { GraderKind } from '../cassette/cassette.ts';
import { redactor } from '../request/redact.ts';
import type { Graders } from '../responder/graders.ts';
import type { Failure } from '../responder/responder.ts';
import type { Evidence } from '../score/scorer.ts';
import type { AnswerDays, Prices } from './cost.ts';
import type { GraderTally } from './result.ts';
import { addGrading, emptyGraders } from './tally.ts';

/** Puts questions of expectations, and what they came to so far. */
export interface Asking {
  /** What an expectation of a kind asks with. */
  as(kind: GraderKind): NonNullable<Evidence['ask']>;
  /** Undefined where nothing was asked. */
  tally(): GraderTally | undefined;
  /** The first question that had no answer. */
  failure(): Failure | undefined;
}

/** Whom the questions of one take go to. */
export interface AskingSpec extends AnswerDays {
  graders: Graders;
  prices: Prices;
  /** The project's own patterns of secrets, RE2 syntax. */
  redact?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

/** Asks for the expectations of one take. */
export function asking({ graders, prices, redact, recorded, today, signal }: AskingSpec): Asking {
  let tally: GraderTally | undefined;
  let failed: Failure | undefined;
  return {
    as: (kind) => async (request, by) => {
      // What is graded was redacted; rubric, context and `expected` were not.
      const shown = redactor(redact).request(request);
      const answer = await graders.ask({ for: kind, request: shown, by }, signal);
      if (!answer.ok) {
        failed ??= answer.failure;
        return answer;
      }
      const { usage, servedModel } = answer.response;
      const isLive = answer.source === 'live';
      const day = isLive ? today : recorded;
      const asked = {
        provider: by.name,
        ...(by.endpoint !== undefined && { endpoint: by.endpoint }),
        model: request.model,
      };
      const usd = usage && day !== undefined ? await prices.cost({ ...asked, day }, usage, servedModel) : null;
      tally = addGrading(tally ?? emptyGraders(), { usage, usd, isLive });
      return answer;
    },
    tally: () => tally,
    failure: () => failed,
  };
}
