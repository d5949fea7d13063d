// What a cassette holds. The text of it is in text.ts, the files in store.ts.

import type { ChatRequest, ChatResponse, JsonObject, Message, ToolDefinition } from '../request/request.ts';

/** The format's version, the value of `retake:` in every cassette and prompt file. */
export const CASSETTE_VERSION = 1;

/** What many cases share and a cassette only refers to: system prompt, tools and large parameters. */
export interface Prompt {
  system?: string;
  tools?: ToolDefinition[];
  /** Top-level parameters too large for a line; a request's parameters are these and the interaction's own, in code-unit order of names. */
  params?: JsonObject;
}

/** What stands where a conversation begins; later interactions of the conversation share it. */
export interface ConversationStart {
  provider: string;
  endpoint?: string;
  model: string;
  /** Without those of the prompt. */
  params?: JsonObject;
  /** The digest that names the prompt's file. */
  prompt?: string;
  /** The prompt itself, where it depends on this one case. */
  inlinePrompt?: Prompt;
}

/** A Request's fingerprint and readable part, with its Response. */
export interface Interaction {
  /** 32 lower-case hexadecimal digits. */
  fingerprint: string;
  /** Set where a conversation begins; unset where it continues the interaction before. */
  start?: ConversationStart;
  /** Where a conversation begins all messages, else those after the response before. */
  messages: Message[];
  response: ChatResponse;
}

/** The kinds of expectations whose questions are recorded. */
export const GRADERS = ['judge', 'similar'] as const;

/** One of `GRADERS`. */
export type GraderKind = (typeof GRADERS)[number];

/** A question of an expectation's and its answer: a conversation of its own. */
export interface Grading extends Interaction {
  for: GraderKind;
  start: ConversationStart;
}

/** All interactions of one run of one case. */
export interface Take {
  /** The UTC day it was recorded, `YYYY-MM-DD`. */
  recorded: string;
  /** The conversation; empty where no model is under test. */
  interactions: Interaction[];
  /** What its expectations asked, in their order; each is found and replaced by itself. Absent where nothing was asked. */
  graders?: Grading[];
}

/** The takes of one case. */
export interface Cassette {
  suite: string;
  case: string;
  takes: Take[];
}

/** Reads a prompt by its digest. */
export type OpenPrompt = (digest: string) => Prompt;

/** The parameters of a prompt and of an interaction as one object, names in code-unit order. */
function joinParams(prompt: Prompt | undefined, own: JsonObject | undefined): JsonObject | undefined {
  const all: JsonObject = { ...prompt?.params, ...own };
  const names = Object.keys(all).sort();
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, all[name] as JsonObject[string]]));
}

/** All interactions of a take in the order of its file: the conversation, then its graders. */
export function everyInteraction({ interactions, graders }: Take): readonly Interaction[] {
  return graders ? [...interactions, ...graders] : interactions;
}

/** The digests of the prompts that a cassette's takes refer to. */
export function promptDigestsOf({ takes }: Pick<Cassette, 'takes'>): Set<string> {
  return new Set(takes.flatMap((take) => everyInteraction(take).flatMap(({ start }) => start?.prompt ?? [])));
}

/** The whole Requests of a conversation or of graders, rebuilt: one for each interaction, in order. */
export function rebuildRequests(interactions: readonly Interaction[], openPrompt: OpenPrompt): ChatRequest[] {
  const requests: ChatRequest[] = [];
  let head: Omit<ChatRequest, 'messages'> | undefined;
  let messages: Message[] = [];
  for (const interaction of interactions) {
    if (interaction.start) {
      const { provider, endpoint, model, params, prompt: digest, inlinePrompt } = interaction.start;
      const prompt = inlinePrompt ?? (digest === undefined ? undefined : openPrompt(digest));
      const allParams = joinParams(prompt, params);
      head = {
        kind: interaction.response.embedding === undefined ? 'chat' : 'embedding',
        provider,
        ...(endpoint !== undefined && { endpoint }),
        model,
        ...(allParams && { params: allParams }),
        ...(prompt?.system !== undefined && { system: prompt.system }),
        ...(prompt?.tools && { tools: prompt.tools }),
      };
      messages = interaction.messages;
    } else {
      messages = [...messages, ...interaction.messages];
    }
    if (!head) throw new Error('the first interaction of a take has no start');
    requests.push({ ...head, messages });
    messages = [...messages, { role: 'assistant', content: interaction.response.content }];
  }
  return requests;
}
