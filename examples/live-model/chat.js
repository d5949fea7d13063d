// Between OpenAI's chat messages and the text the model was trained on.

/** @typedef {{ id?: string, name: string, arguments: string }} ToolCall `arguments` is JSON text, or what the model wrote instead. */
/** @typedef {{ role: 'system' | 'user' | 'tool', text: string } | { role: 'assistant', text: string, calls: ToolCall[] }} ChatMessage */
/** @typedef {{ name: string, description?: string }} ToolOffer The model never sees schemas: it has no room for them. */

const CALL = /<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g;
const CALL_START = /^\s*\{\s*"name"\s*:\s*"([^"\\]*)"\s*,\s*"arguments"\s*:\s*([\s\S]*)$/;

/**
 * The prompt in tokens: `<|im_start|>ROLE\nTEXT<|im_end|>\n` for each message, then the start of the model's turn.
 * What the system says, what the tools do and the line on tools form one system message, in this order: with the
 * line anywhere but last the model no longer calls tools.
 * @param {import('./tokenizer.js').Tokenizer} tokenizer
 * @param {readonly ChatMessage[]} messages
 * @param {readonly ToolOffer[]} tools
 */
export function renderPrompt(tokenizer, messages, tools) {
  const system = messages.filter(({ role }) => role === 'system').map(({ text }) => text);
  if (tools.length > 0) {
    for (const { name, description } of tools) if (description) system.push(`${name}: ${description}`);
    const names = tools.map(({ name }) => name).join(', ');
    system.push(`You can call tools. Tools: ${names}. To call a tool answer with <tool_call>.`);
  }
  const turns = messages
    .filter(({ role }) => role !== 'system')
    .map((message) => ({ role: message.role, text: textOf(message) }));
  if (system.length > 0) turns.unshift({ role: 'system', text: system.join('\n') });

  const start = tokenizer.special('<|im_start|>');
  const end = tokenizer.special('<|im_end|>');
  const newline = tokenizer.encode('\n');
  const prompt = [];
  for (const { role, text } of turns) prompt.push(start, ...tokenizer.encode(`${role}\n${text}`), end, ...newline);
  prompt.push(start, ...tokenizer.encode('assistant\n'));
  return prompt;
}

/**
 * What the model wrote, as text and tool calls. A call that was cut short or is no JSON keeps its arguments as they
 * were written; one without a name is text.
 * @param {string} written
 * @returns {{ text: string, calls: ToolCall[] }}
 */
export function parseAnswer(written) {
  /** @type {ToolCall[]} */
  const calls = [];
  const text = written.replace(CALL, (whole, /** @type {string} */ body) => {
    const call = parseCall(body);
    if (!call) return whole;
    calls.push(call);
    return '';
  });
  return { text: calls.length > 0 ? text.trim() : written, calls };
}

/** @param {string} body @returns {ToolCall | undefined} */
function parseCall(body) {
  const parsed = parseJson(body);
  if (isObject(parsed) && typeof parsed.name === 'string' && isObject(parsed.arguments)) {
    return { name: parsed.name, arguments: JSON.stringify(parsed.arguments) };
  }
  const [, name, rest] = CALL_START.exec(body) ?? [];
  return name ? { name, arguments: rest ?? '' } : undefined;
}

/** @param {ChatMessage} message */
function textOf(message) {
  if (message.role === 'tool') return spacedJson(message.text);
  if (message.role !== 'assistant') return message.text;
  const calls = message.calls.map(
    (call) =>
      `<tool_call>{"name": ${JSON.stringify(call.name)}, "arguments": ${spacedJson(call.arguments)}}</tool_call>`,
  );
  return [...(message.text === '' ? [] : [message.text]), ...calls].join('\n');
}

/**
 * JSON with the spaces after colons and commas that the model was trained on; other text as it is.
 * @param {string} text
 */
function spacedJson(text) {
  try {
    return write(JSON.parse(text));
  } catch {
    return text;
  }
}

/** @param {unknown} value @returns {string} */
function write(value) {
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${write(inner)}`)
    .join(', ')}}`;
}

/** @param {string} text @returns {unknown} */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
