// similar: the answer means what `expected` means, by the cosine of their embeddings. Both are recorded.

import { z } from 'zod';
import type { ChatRequest } from '../../request/request.ts';
import { cosine } from '../../request/vector.ts';
import { type GraderChoice, identityOf } from '../../responder/choice.ts';
import { finalText } from '../../target/trajectory.ts';
import type { Scorer, Verdict } from '../scorer.ts';
import { show, TOLERANCE, unjudged } from '../verdict.ts';
import { grading } from './grading.ts';

/** The cosine that passes unless the suite says otherwise. */
const LEAST_COSINE = 0.8;

const EMBEDDING_MODEL = 'The embedding model, as `provider/model`.';
const schema = z
  .strictObject({
    ...grading(EMBEDDING_MODEL),
    model: z.string().min(1).describe(EMBEDDING_MODEL),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(`The cosine that passes, 0 to 1; ${LEAST_COSINE} unless set.`),
  })
  .transform((args) => ({ ...args, threshold: args.threshold ?? LEAST_COSINE }));

type Args = z.output<typeof schema> & { by?: GraderChoice };

function requestOf({ provider, model: name, params: sent }: GraderChoice, text: string): ChatRequest {
  return {
    kind: 'embedding',
    ...identityOf(provider),
    model: name,
    ...(sent && { params: sent }),
    messages: [{ role: 'user', content: [{ type: 'text', text }] }],
  };
}

/** Passes when the answer's embedding and that of the case's `expected` are alike enough. */
export const similar: Scorer<Args> = {
  title: 'the answer means the same',
  schema: schema.describe(
    "Passes when the embeddings of the answer and of the case's `expected` have a cosine that is high enough. Both are recorded.",
  ),
  tools: () => [],
  asks: 'similar',
  async score({ by, threshold }, { ask, trajectory, expected }): Promise<Verdict> {
    if (!by || !ask) throw new Error('nobody gives embeddings');
    const judged = { model: `${by.provider.name}/${by.model}` };
    const text = finalText(trajectory);
    // Providers refuse to embed nothing.
    if (text.trim() === '') return { passed: false, value: 0, reason: 'the answer is empty', judged };
    const own = await ask(requestOf(by, text), by.provider);
    if (!own.ok) return unjudged(own.failure, judged);
    const other = await ask(requestOf(by, expected ?? ''), by.provider);
    if (!other.ok) return unjudged(other.failure, judged);
    const { servedModel } = own.response;
    const who = { ...judged, ...(servedModel !== undefined && { servedModel }) };
    const alike = cosine(own.response.embedding ?? '', other.response.embedding ?? '');
    if (alike === undefined) {
      const problem = 'the embeddings cannot be compared: they differ in length or are all zeros';
      return { passed: false, value: 0, reason: problem, error: problem, judged: who };
    }
    const value = Math.max(0, alike);
    const passed = value >= threshold - TOLERANCE;
    const reason = `the cosine to ${show(expected, 80)} is ${value.toFixed(3)}${passed ? '' : `, ${threshold} expected`}`;
    const turn = trajectory.turns.length;
    return { passed, value, reason, ...(!passed && turn > 0 && { turn }), judged: who };
  },
};
