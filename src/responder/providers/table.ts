// The tables of wire families and of built-in providers.

import { anthropic } from './anthropic.ts';
import type { Codec } from './codec.ts';
import { gemini } from './gemini.ts';
import { openai } from './openai.ts';
import { openaiResponses } from './openai-responses.ts';

/** The name of a wire family. */
export type Wire = 'openai' | 'openai-responses' | 'anthropic' | 'gemini';

/** Every wire family. */
export const WIRES = { openai, 'openai-responses': openaiResponses, anthropic, gemini } satisfies Record<Wire, Codec>;

/** The names of the wire families. */
export const WIRE_NAMES = Object.keys(WIRES) as Wire[];

/** The name of a provider that is built in. */
export type BuiltInName =
  | Wire
  | 'xai'
  | 'moonshot'
  | 'zhipu'
  | 'deepseek'
  | 'openrouter'
  | 'mistral'
  | 'groq'
  | 'together'
  | 'ollama'
  | 'azure';

/** A provider that is built in. */
export interface BuiltIn {
  wire: Wire;
  /** Without trailing slash; absent where every customer has an own one, which `providers:` must give. */
  baseUrl?: string;
  /** The variable that holds the key; absent where none is needed. */
  apiKeyEnv?: string;
  /** The header that carries the key bare, where it is not the wire's. */
  keyHeader?: string;
}

/** Every provider that is built in, with what its documentation says. */
const BUILT_IN: Record<BuiltInName, BuiltIn> = {
  openai: { wire: 'openai', baseUrl: 'https://api.openai.com/v1', apiKeyEnv: 'OPENAI_API_KEY' },
  'openai-responses': { wire: 'openai-responses', baseUrl: 'https://api.openai.com/v1', apiKeyEnv: 'OPENAI_API_KEY' },
  anthropic: { wire: 'anthropic', baseUrl: 'https://api.anthropic.com/v1', apiKeyEnv: 'ANTHROPIC_API_KEY' },
  gemini: {
    wire: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    apiKeyEnv: 'GEMINI_API_KEY',
  },
  xai: { wire: 'openai', baseUrl: 'https://api.x.ai/v1', apiKeyEnv: 'XAI_API_KEY' },
  moonshot: { wire: 'openai', baseUrl: 'https://api.moonshot.ai/v1', apiKeyEnv: 'MOONSHOT_API_KEY' },
  zhipu: { wire: 'openai', baseUrl: 'https://open.bigmodel.cn/api/paas/v4', apiKeyEnv: 'ZHIPUAI_API_KEY' },
  deepseek: { wire: 'openai', baseUrl: 'https://api.deepseek.com', apiKeyEnv: 'DEEPSEEK_API_KEY' },
  openrouter: { wire: 'openai', baseUrl: 'https://openrouter.ai/api/v1', apiKeyEnv: 'OPENROUTER_API_KEY' },
  mistral: { wire: 'openai', baseUrl: 'https://api.mistral.ai/v1', apiKeyEnv: 'MISTRAL_API_KEY' },
  groq: { wire: 'openai', baseUrl: 'https://api.groq.com/openai/v1', apiKeyEnv: 'GROQ_API_KEY' },
  together: { wire: 'openai', baseUrl: 'https://api.together.ai/v1', apiKeyEnv: 'TOGETHER_API_KEY' },
  ollama: { wire: 'openai', baseUrl: 'http://localhost:11434/v1' },
  azure: { wire: 'openai', apiKeyEnv: 'AZURE_OPENAI_API_KEY', keyHeader: 'api-key' },
};

/** The names of the built-in providers, in the order of their documentation. */
export const BUILT_IN_NAMES: readonly string[] = Object.keys(BUILT_IN);

/** A built-in provider by its name; undefined for any other name. */
export function builtIn(name: string): BuiltIn | undefined {
  return Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name as BuiltInName] : undefined;
}
