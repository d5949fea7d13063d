// `retake redact`: takes credentials out of recordings without asking any provider.

import {
  type Cassette,
  everyInteraction,
  type Grading,
  type Interaction,
  type Prompt,
  rebuildRequests,
  type Take,
} from '../cassette/cassette.ts';
import { openStore, type Store } from '../cassette/store.ts';
import { type Fault, UserError } from '../errors.ts';
import { type Redactor, redactor } from '../request/redact.ts';
import type { ChatRequest, ChatResponse } from '../request/request.ts';
import { mapTexts, type SecretValues } from '../request/secret.ts';
import { recorder } from '../responder/recorder.ts';
import { literalsOf, redactAnswers, withoutLiterals } from '../responder/redacting.ts';
import { isRecorded } from '../suite/live-code.ts';
import { loadProject } from '../suite/load.ts';
import { secretValues } from './secrets.ts';
import { takeStock } from './stock.ts';

/** What to redact. */
export interface RedactOptions {
  /** Absolute path of the working directory. */
  cwd: string;
  /** Globs of suite files relative to `cwd`; empty means the project's own `suites:`. */
  globs: string[];
  env: Record<string, string | undefined>;
  /** Rewrite what is found; else only list it. */
  write: boolean;
}

/** Where words stand in place of secrets. */
export interface Replacement {
  /** 1-based. */
  take: number;
  /** 1-based. */
  turn: number;
  part: 'prompt' | 'messages' | 'response';
  words: string[];
}

/** What was found. */
export interface RedactReport {
  /** How many cassettes were read. */
  cassettes: number;
  /** Whether the files were rewritten. */
  written: boolean;
  /** The cassettes that hold secrets, in the order of suites and cases. */
  changed: { file: string; replacements: Replacement[] }[];
}

interface Rewritten {
  cassette: Cassette;
  prompts: Map<string, Prompt>;
  replacements: Replacement[];
}

const WORD = /\[redacted:[^\]\s]{1,200}\]/g;

/** The words that stand in a value and did not before. */
function newWords(before: unknown, after: unknown): string[] {
  const wordsIn = (value: unknown) => new Set(JSON.stringify(value ?? null).match(WORD));
  const old = wordsIn(before);
  return [...wordsIn(after)].filter((word) => !old.has(word));
}

interface Turn {
  before: { request: ChatRequest; response: ChatResponse };
  after: { request: ChatRequest; response: ChatResponse };
  /** The index of the first message that is new in this turn. */
  from: number;
}

function replacementsOf({ before, after, from }: Turn, take: number, turn: number): Replacement[] {
  const head = ({ system, tools, params }: ChatRequest) => [system, tools, params];
  const words = {
    prompt: newWords(head(before.request), head(after.request)),
    messages: newWords(before.request.messages.slice(from), after.request.messages.slice(from)),
    response: newWords(before.response, after.response),
  };
  return (['prompt', 'messages', 'response'] as const).flatMap((part) =>
    words[part].length === 0 ? [] : [{ take, turn, part, words: words[part] }],
  );
}

/** Records interactions again from themselves: the answers come from the old ones, all else is as `retake record` does it. */
async function rewriteInteractions(
  interactions: readonly Interaction[],
  old: readonly ChatRequest[],
  { patterns, values, ownPrompt }: Facts,
) {
  const literals = literalsOf(values);
  const withWords = <Value>(value: Value) => mapTexts(value, (text) => withoutLiterals(text, literals));
  let answer: ChatResponse | undefined;
  const fresh = recorder(
    redactAnswers(
      { respond: async () => ({ ok: true, response: answer as ChatResponse, source: 'cassette' }) },
      values,
    ),
    { ownPrompt },
  );
  const turns: Turn[] = [];
  let conversation: { redact: Redactor; request: ChatRequest } | undefined;
  for (const [at, { start, messages, response }] of interactions.entries()) {
    const before = { request: old[at] as ChatRequest, response };
    let from = 0;
    if (start || !conversation) {
      const redact = redactor(patterns);
      conversation = { redact, request: redact.request(withWords(before.request)) };
    } else {
      const { redact, request } = conversation;
      from = request.messages.length + 1;
      const said = (turns.at(-1) as Turn).after.response.content;
      request.messages.push({ role: 'assistant', content: said }, ...withWords(messages).map(redact.message));
    }
    answer = response;
    const { request } = conversation;
    const answered = await fresh.respond(request);
    if (!answered.ok) throw new Error('a recorded answer was refused');
    turns.push({
      before,
      after: { request: { ...request, messages: [...request.messages] }, response: answered.response },
      from,
    });
  }
  return { interactions: fresh.interactions(), prompts: fresh.prompts(), turns };
}

/** A take with its interactions, in the order of `everyInteraction`, in place of the old ones. */
function rewrittenTake({ recorded, interactions, graders = [] }: Take, fresh: readonly Interaction[]): Take {
  const conversation = fresh.slice(0, interactions.length);
  const gradings = graders.map((grading, at): Grading => {
    const { start, ...interaction } = fresh[interactions.length + at] as Interaction;
    if (!start) throw new Error('a question without a beginning');
    return { for: grading.for, start, ...interaction };
  });
  return { recorded, interactions: conversation, ...(gradings.length > 0 && { graders: gradings }) };
}

interface Facts {
  ownPrompt: boolean;
  /** The project's own, RE2 syntax. */
  patterns: readonly string[] | undefined;
  store: Store;
  values: SecretValues;
}

async function rewrite(cassette: Cassette, facts: Facts): Promise<Rewritten> {
  const prompts = new Map<string, Prompt>();
  const replacements: Replacement[] = [];
  const takes: Take[] = [];
  const openPrompt = facts.store.openPrompt(cassette.suite);
  for (const [at, take] of cassette.takes.entries()) {
    const whole = everyInteraction(take);
    const fresh = await rewriteInteractions(whole, rebuildRequests(whole, openPrompt), facts);
    for (const [digest, prompt] of fresh.prompts) prompts.set(digest, prompt);
    takes.push(rewrittenTake(take, fresh.interactions));
    // A prompt is listed where it first stands.
    let prompt = '';
    for (const [index, turn] of fresh.turns.entries()) {
      for (const one of replacementsOf(turn, at + 1, index + 1)) {
        if (one.part === 'prompt' && prompt === one.words.join()) continue;
        if (one.part === 'prompt') prompt = one.words.join();
        replacements.push(one);
      }
    }
  }
  return { cassette: { ...cassette, takes }, prompts, replacements };
}

/** A cassette to be looked through, and its path for the report. */
interface Listed {
  file: string;
  /** Whether the case's prompt holds what no other case shares. */
  ownPrompt: boolean;
  read: () => Cassette | undefined;
}

/** Lists what looks like credentials in recordings and, where asked to, rewrites them: those of the project's cases and, where no suites are named, those that no case owns any more. Throws UserError before anything is written where a recording is damaged. */
export async function redact({ cwd, globs, env, write }: RedactOptions): Promise<RedactReport> {
  const project = loadProject({ cwd, globs, env });
  const store = openStore(project.root, project.config.cassettesDir);
  const values = secretValues(project, env);
  const faults: Fault[] = [];
  const report: RedactReport = { cassettes: 0, written: false, changed: [] };
  const found: Rewritten[] = [];
  const owned = project.suites.flatMap(({ cases }): Listed[] =>
    cases.filter(isRecorded).map(({ suite, name, ownPrompt = false }) => ({
      file: store.path(suite, name),
      ownPrompt,
      read: () => store.read(suite, name),
    })),
  );
  // Where only some suites are loaded, the cassettes of the others seem to be nobody's.
  const paths = globs.length === 0 ? takeStock(store, project.suites).unowned : [];
  const { cassettesDir, redact: patterns } = project.config;
  const unowned = paths.map(
    (path): Listed => ({ file: `${cassettesDir}/${path}`, ownPrompt: false, read: () => store.readAt(path) }),
  );
  for (const { file, read, ownPrompt } of [...owned, ...unowned]) {
    try {
      const cassette = read();
      if (!cassette) continue;
      report.cassettes++;
      const rewritten = await rewrite(cassette, { patterns, store, values, ownPrompt });
      if (rewritten.replacements.length === 0) continue;
      found.push(rewritten);
      report.changed.push({ file, replacements: rewritten.replacements });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0)
    throw new UserError([...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()]);
  if (!write || found.length === 0) return report;
  for (const { cassette, prompts } of found) {
    const unlock = store.lock(cassette.suite, cassette.case);
    try {
      store.write(cassette, prompts);
    } finally {
      unlock();
    }
  }
  for (const suite of new Set(found.map(({ cassette }) => cassette.suite))) store.sweep(suite);
  return { ...report, written: true };
}
