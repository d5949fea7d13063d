// What live answers may cost: prices as the project knows them, the guard before each request, refusals.

import { type Fault, UserError } from '../errors.ts';
import type { ChatRequest, Json, Usage } from '../request/request.ts';
import type { GraderChoice } from '../responder/choice.ts';
import type { Responder } from '../responder/responder.ts';
import type { Budget } from '../run/budget.ts';
import { type Asked, type Prices, pricesOf } from '../run/cost.ts';
import { dollars } from '../score/verdict.ts';
import type { Config } from '../suite/config.ts';
import { gradersOf } from '../suite/graders.ts';
import type { PlannedCase, PlannedSuite } from '../suite/plan.ts';

/** The project's prices, then the list that is built in, which is loaded when it is needed. */
export function projectPrices({ prices }: Config): Prices {
  return pricesOf(prices ?? new Map(), async () => (await import('../run/price-list.ts')).priceList);
}

/** Whom a case or a grader asks, on `day`. */
export function askedOf({ provider, model }: Pick<GraderChoice, 'provider' | 'model'>, day: string): Asked {
  const { name, endpoint } = provider;
  return { provider: name, ...(endpoint !== undefined && { endpoint }), model, day };
}

/** Characters a token is taken to have, where nothing was recorded. */
const CHARACTERS = 4;
/** Output tokens expected where neither a recording nor a parameter says how many. */
const OUTPUT_TOKENS = 1000;
/** Parameters that bound the output, in the providers' words. */
const BOUNDS = ['max_completion_tokens', 'max_output_tokens', 'max_tokens', 'maxOutputTokens'];

function boundOf(params: ChatRequest['params']): number {
  const nested = params?.['generationConfig'];
  const inner = typeof nested === 'object' && nested !== null && !Array.isArray(nested) ? nested : {};
  const values: (Json | undefined)[] = BOUNDS.map((name) => params?.[name] ?? inner[name]);
  return (values.find((value) => typeof value === 'number' && value >= 1) as number | undefined) ?? OUTPUT_TOKENS;
}

/** The tokens a request is expected to take by its length and the bound on its answer. */
function usageByLength(request: ChatRequest): Usage {
  const { system = '', tools = [], messages } = request;
  const characters = system.length + JSON.stringify(tools).length + JSON.stringify(messages).length;
  return { inputTokens: Math.ceil(characters / CHARACTERS), outputTokens: Math.ceil(boundOf(request.params)) };
}

/** What a run may spend, and how what it asks is priced. */
export interface Spending {
  prices: Prices;
  budget: Budget;
  limitUsd: number;
  /** The UTC day. */
  day: string;
}

/** Wraps a live Responder: a request the budget may not cover is not sent. `usages` is what its answers took before, in order. */
export function guarded(
  live: Responder,
  { prices, budget, limitUsd }: Spending,
  { asked, usages }: { asked: Asked; usages: readonly (Usage | undefined)[] },
): Responder {
  let turn = 0;
  return {
    async respond(request, signal) {
      const recorded = usages[turn++];
      const expected =
        (recorded && (await prices.cost(asked, recorded))) ?? (await prices.cost(asked, usageByLength(request)));
      // Models without a price were refused before the run began.
      if (expected === null) throw new Error(`no price for ${asked.provider}/${asked.model}`);
      if (!(await budget.reserve(expected))) {
        const message = `the budget of ${dollars(limitUsd)} ended: the next request is expected to cost ${dollars(expected)}`;
        return { ok: false, failure: { kind: 'aborted', message } };
      }
      let spent: number | null = 0;
      try {
        const answer = await live.respond(request, signal);
        if (answer.ok) {
          const { usage: billed, servedModel } = answer.response;
          spent = billed ? await prices.cost(asked, billed, servedModel) : null;
        }
        return answer;
      } finally {
        budget.settle(expected, spent);
      }
    },
  };
}

/** Whether what is under test is a model, whose tokens have a price: a script, a command and a service have none. */
export function isPriced({ script, command, provider }: PlannedCase): boolean {
  return !script && !command && provider.wire !== 'http';
}

/** A budget cannot be kept where a price is unknown. Throws UserError that names every such model. */
export async function checkPrices(
  suites: readonly PlannedSuite[],
  { prices, limitUsd, day }: Pick<Spending, 'prices' | 'limitUsd' | 'day'>,
): Promise<void> {
  const faults = new Map<string, Fault>();
  for (const suite of suites) {
    for (const planned of suite.cases) {
      for (const asked of [...(isPriced(planned) ? [planned] : []), ...gradersOf(planned.expect)]) {
        const model = `${asked.provider.name}/${asked.model}`;
        if (faults.has(model)) continue;
        const usd = await prices.cost(askedOf(asked, day), { inputTokens: 1, outputTokens: 1 });
        if (usd !== null) continue;
        faults.set(model, {
          code: 'price_unknown',
          message: `no price is known for ${model}, so a budget of ${dollars(limitUsd)} cannot be kept`,
          place: { file: planned.path ?? suite.path, line: planned.line },
          remedy: `Say in retake.yaml what a million tokens cost in USD, \`prices: {"${model}": {input: 0.4, output: 1.6}}\`, or set no budget.`,
        });
      }
    }
  }
  if (faults.size > 0) throw new UserError([...faults.values()]);
}
