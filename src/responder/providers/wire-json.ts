// What the wires have in common: arguments, results and counts as JSON says them.

import { argumentsText, isObject, keepsNumbers } from '../../request/json.ts';
import { losslessText, markedValue } from '../../request/numbers.ts';
import type { ImageBlock, Json, JsonObject, Message, ToolCallBlock, ToolMessage } from '../../request/request.ts';

/** The objects of a list; nothing of what is none. */
export function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A text; undefined for all else and for the empty one. */
export function filledText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A count of tokens; undefined for what is none. */
export function tokens(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** An image as a URL that holds it. */
export function dataUrl({ mediaType, base64 = '' }: ImageBlock): string {
  return `data:${mediaType};base64,${base64}`;
}

type Arguments = Pick<ToolCallBlock, 'arguments' | 'argumentsJson' | 'malformedArguments'>;

/** Arguments from a wire that sends them as text. Whatever it sends is kept. */
export function decodeArguments(text: unknown): Arguments {
  if (isObject(text)) return { arguments: text };
  // A tool without parameters is called with an empty text or with nothing by some.
  const given = text ?? '';
  if (typeof given !== 'string') return { malformedArguments: JSON.stringify(given) };
  if (given.trim() === '') return { arguments: {} };
  try {
    const parsed: Json = JSON.parse(given);
    return { arguments: parsed, ...(!keepsNumbers(given) && { argumentsJson: given }) };
  } catch {
    return { malformedArguments: given };
  }
}

/** Arguments from a wire that sends them as an object; of one that `parseLossless` read no digit is lost. */
export function argumentsOfObject(value: Json | undefined): Arguments {
  if (value === undefined || value === null) return { arguments: {} };
  if (!isObject(value)) return { malformedArguments: JSON.stringify(value) };
  const argumentsJson = losslessText(value);
  return { arguments: value, ...(argumentsJson !== undefined && { argumentsJson }) };
}

/** Arguments for a wire that takes nothing but an object; what is none goes into one. To be written by `writeLossless`. */
export function argumentsObject(call: ToolCallBlock): JsonObject {
  if (isObject(call.arguments)) {
    return call.argumentsJson === undefined ? call.arguments : (markedValue(call.argumentsJson) as JsonObject);
  }
  return { malformed_arguments: argumentsText(call) };
}

/** A value as the text a wire wants: a string as it is, anything else as JSON. */
export function valueText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A tool's result for a wire that cannot mark errors: an error is said to be one. */
export function resultText({ result, isError }: ToolMessage): string {
  return isError ? JSON.stringify({ error: result }) : valueText(result);
}

/** Messages in runs: neighbouring results of tools together, any other message alone. */
export function groupResults(messages: readonly Message[]): (Exclude<Message, ToolMessage> | ToolMessage[])[] {
  const groups: (Exclude<Message, ToolMessage> | ToolMessage[])[] = [];
  for (const message of messages) {
    const last = groups.at(-1);
    if (message.role !== 'tool') groups.push(message);
    else if (Array.isArray(last)) last.push(message);
    else groups.push([message]);
  }
  return groups;
}

/** What stands for a stream that holds no whole answer. */
export function brokenStream(message: string): Json {
  return { error: { message } };
}

/** The message of an error of the usual shape: `{error: {message}}` or `{error: text}`. */
export function errorMessage(body: Json): string | undefined {
  // Gemini's streams and some gateways wrap it in a list.
  const [first] = Array.isArray(body) ? body : [body];
  if (!isObject(first)) return undefined;
  const { error } = first;
  return typeof error === 'string' ? error : isObject(error) ? filledText(error.message) : undefined;
}
