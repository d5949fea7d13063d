// Why a request has no recording: the nearest one, and the first thing that differs.

import { blockIdentity } from '../request/fingerprint.ts';
import { isObject } from '../request/json.ts';
import type {
  AssistantBlock,
  ChatRequest,
  ImageBlock,
  Json,
  JsonObject,
  Message,
  ToolDefinition,
} from '../request/request.ts';
import type { Difference, Miss } from './responder.ts';

/** How much of a long text is shown on each side of the place where it differs. */
const AROUND = 40;
/** How much is shown of any other value. */
const MOST_SHOWN = 200;

function shown(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** Two texts cut down to the place where they differ. */
function around(recorded: string, now: string): { recorded: string; now: string } {
  let at = 0;
  while (at < recorded.length && recorded.charCodeAt(at) === now.charCodeAt(at)) at++;
  const cut = (text: string) => {
    const from = Math.max(0, at - AROUND);
    const to = Math.min(text.length, at + AROUND);
    return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`;
  };
  return { recorded: JSON.stringify(cut(recorded)), now: JSON.stringify(cut(now)) };
}

/** Names in their order, cut down where they are many. */
function listed(names: readonly string[]): string {
  const text = names.join(', ');
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, at) => name === other[at]);
}

function difference(path: string, recorded: Json | undefined, now: Json | undefined): Difference {
  if (typeof recorded === 'string' && typeof now === 'string') return { path, ...around(recorded, now) };
  const [before, after] = [shown(recorded), shown(now)];
  return { path, ...(before !== undefined && { recorded: before }), ...(after !== undefined && { now: after }) };
}

/** The first place where two values differ; the order of keys counts, as it does for a model. */
function firstDifference(path: string, recorded: Json | undefined, now: Json | undefined): Difference | undefined {
  if (isObject(recorded) && isObject(now)) {
    const [before, after] = [Object.keys(recorded), Object.keys(now)];
    for (const key of new Set([...before, ...after])) {
      const inner = firstDifference(
        path === '' ? key : `${path}.${key}`,
        Object.hasOwn(recorded, key) ? recorded[key] : undefined,
        Object.hasOwn(now, key) ? now[key] : undefined,
      );
      if (inner) return inner;
    }
    if (!isSame(before, after)) {
      return { path: `${path} (order of keys)`, recorded: listed(before), now: listed(after) };
    }
    return undefined;
  }
  if (Array.isArray(recorded) && Array.isArray(now)) {
    for (let at = 0; at < Math.max(recorded.length, now.length); at++) {
      const inner = firstDifference(`${path}[${at}]`, recorded[at], now[at]);
      if (inner) return inner;
    }
    return undefined;
  }
  return recorded === now ? undefined : difference(path, recorded, now);
}

function textDifference(path: string, recorded: string | undefined, now: string | undefined): Difference | undefined {
  if (recorded === now) return undefined;
  if (recorded === undefined || now === undefined) return difference(path, recorded, now);
  const [before, after] = [recorded.split('\n'), now.split('\n')];
  const line = before.findIndex((text, at) => text !== after[at]);
  const at = line === -1 ? before.length : line;
  const place = before.length === 1 && after.length === 1 ? path : `${path}, line ${at + 1}`;
  return difference(place, before[at], after[at]);
}

function toolsDifference(recorded: ToolDefinition[] = [], now: ToolDefinition[] = []): Difference | undefined {
  const names = (tools: ToolDefinition[]) => tools.map(({ name }) => name);
  const [before, after] = [names(recorded), names(now)];
  if (!isSame(before, after)) {
    const what = isSame(before.toSorted(), after.toSorted()) ? 'tools (order)' : 'tools';
    return { path: what, recorded: listed(before) || 'none', now: listed(after) || 'none' };
  }
  for (const [at, tool] of now.entries()) {
    const old = recorded[at] as ToolDefinition;
    const found =
      firstDifference(`tools[${at}].description`, old.description, tool.description) ??
      firstDifference(`tools[${at}].input_schema`, old.inputSchema, tool.inputSchema);
    if (found) return found;
  }
  return undefined;
}

function plainContent(message: Message): Json {
  if (message.role === 'tool') return null;
  const [only] = message.content;
  if (message.content.length === 1 && only?.type === 'text') return only.text;
  return message.content.map((block: AssistantBlock | ImageBlock) => blockIdentity(block));
}

function messageDifference(path: string, recorded: Message, now: Message): Difference | undefined {
  if (recorded.role !== now.role) return difference(`${path}.role`, recorded.role, now.role);
  if (recorded.role === 'tool' && now.role === 'tool') {
    if (recorded.name !== now.name) return difference(`${path}.tool`, recorded.name, now.name);
    if (recorded.callId !== now.callId) return difference(`${path}.id`, recorded.callId, now.callId);
    const field = (message: typeof now) => (message.isError ? 'error' : 'result');
    if (field(recorded) !== field(now)) {
      return {
        path,
        recorded: `${field(recorded)} ${shown(recorded.result)}`,
        now: `${field(now)} ${shown(now.result)}`,
      };
    }
    return firstDifference(`${path}.${field(now)}`, recorded.result, now.result);
  }
  return firstDifference(`${path}.content`, plainContent(recorded), plainContent(now));
}

function messagesDifference(recorded: Message[], now: Message[]): Difference | undefined {
  for (let at = 0; at < Math.max(recorded.length, now.length); at++) {
    const path = `messages[${at}]`;
    const [before, after] = [recorded[at], now[at]];
    if (!before || !after) {
      return {
        path,
        ...(before && { recorded: `a message of ${before.role}` }),
        ...(after && { now: `a message of ${after.role}` }),
      };
    }
    const found = messageDifference(path, before, after);
    if (found) return found;
  }
  return undefined;
}

/** The first thing in which two requests differ, in the order a person would look: provider, model, params, system, tools, messages. */
function compareRequests(recorded: ChatRequest, now: ChatRequest): Difference | undefined {
  return (
    firstDifference('provider', recorded.provider, now.provider) ??
    firstDifference('endpoint', recorded.endpoint, now.endpoint) ??
    firstDifference('model', recorded.model, now.model) ??
    firstDifference('params', recorded.params ?? {}, now.params ?? {}) ??
    textDifference('system', recorded.system, now.system) ??
    toolsDifference(recorded.tools, now.tools) ??
    messagesDifference(recorded.messages, now.messages)
  );
}

/** Every place where two values differ. */
function everyDifference(path: string, recorded: Json | undefined, now: Json | undefined): Difference[] {
  const inner: Difference[] = [];
  if (isObject(recorded) && isObject(now)) {
    const at = (value: JsonObject, key: string) => (Object.hasOwn(value, key) ? value[key] : undefined);
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
      inner.push(...everyDifference(path === '' ? key : `${path}.${key}`, at(recorded, key), at(now, key)));
    }
  } else if (Array.isArray(recorded) && Array.isArray(now)) {
    for (let at = 0; at < Math.max(recorded.length, now.length); at++) {
      inner.push(...everyDifference(`${path}[${at}]`, recorded[at], now[at]));
    }
  }
  if (inner.length > 0) return inner;
  const only = firstDifference(path, recorded, now);
  return only ? [only] : [];
}

function everyToolDifference(recorded: ToolDefinition[] = [], now: ToolDefinition[] = []): Difference[] {
  const list = toolsDifference(recorded, now);
  const found = list?.path.startsWith('tools[') === false ? [list] : [];
  for (const [at, tool] of now.entries()) {
    const old = recorded[at]?.name === tool.name ? recorded[at] : recorded.find(({ name }) => name === tool.name);
    if (!old) continue;
    found.push(...everyDifference(`tools[${at}].description`, old.description, tool.description));
    found.push(...everyDifference(`tools[${at}].input_schema`, old.inputSchema, tool.inputSchema));
  }
  return found;
}

function everyMessageDifference(path: string, recorded: Message, now: Message): Difference[] {
  const first = messageDifference(path, recorded, now);
  if (!first) return [];
  const deeper =
    recorded.role === 'tool' && now.role === 'tool'
      ? everyDifference(`${path}.${now.isError ? 'error' : 'result'}`, recorded.result, now.result)
      : everyDifference(`${path}.content`, plainContent(recorded), plainContent(now));
  // Where they are of different kinds, what stands below is not to be compared.
  return deeper.some((one) => one.path === first.path) ? deeper : [first];
}

/** All in which two requests differ, in the order of `compareRequests`, whose difference is the first of them. */
export function allDifferences(recorded: ChatRequest, now: ChatRequest): Difference[] {
  const [before, after] = [recorded.messages, now.messages];
  const longer = before.length > after.length ? before : after;
  const system = textDifference('system', recorded.system, now.system);
  return [
    ...everyDifference('provider', recorded.provider, now.provider),
    ...everyDifference('endpoint', recorded.endpoint, now.endpoint),
    ...everyDifference('model', recorded.model, now.model),
    ...everyDifference('params', recorded.params ?? {}, now.params ?? {}),
    ...(system ? [system] : []),
    ...everyToolDifference(recorded.tools, now.tools),
    ...longer.flatMap((_, at) => {
      const path = `messages[${at}]`;
      const [old, message] = [before[at], after[at]];
      if (old && message) return everyMessageDifference(path, old, message);
      const only = messagesDifference(before.slice(at, at + 1), after.slice(at, at + 1));
      return only ? [{ ...only, path }] : [];
    }),
  ];
}

/** What an expectation of a kind asks, as the subject of a sentence. */
export function questionOf(kind: NonNullable<Miss['for']>): string {
  return kind === 'similar' ? 'what `similar` asks' : 'the judge’s question';
}

/** Explains a miss in a take whose requests were `recorded`; the nearest is the one at the same place, else the last. */
export function explainMiss(
  now: ChatRequest,
  recorded: readonly ChatRequest[],
  place: { take: number; turn: number; fingerprint: string; exhausted: boolean },
): Miss {
  const { take, turn, fingerprint, exhausted } = place;
  const miss = { take, turn, fingerprint };
  if (exhausted) return { reason: 'exhausted', ...miss };
  const same = recorded[turn - 1];
  if (!same) return { reason: 'longer', ...miss };
  const found = compareRequests(same, now);
  return { reason: 'differs', ...miss, ...(found && { difference: found }) };
}
