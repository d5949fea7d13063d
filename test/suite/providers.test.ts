// Which provider a case asks, with which parameters, and what of that identifies its requests.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { BUILT_IN_NAMES, builtIn } from '../../src/responder/providers/table.ts';
import { requestOf } from '../../src/run/case.ts';
import { faultLines, faultsOf, load, onlyCase } from './project.ts';

const CASES = 'cases:\n  - {name: c, input: Hi}\n';
const suite = (head: string) => `name: s\n${head}\n${CASES}`;
const config = (entry: string) => ({ 'retake.yaml': `version: 1\nproviders:\n  ${entry}\n` });

const AZURE = 'azure: {base_url: "https://my.openai.azure.com/openai/v1/"}';

describe('a case of', () => {
  const pick = (head: string, entry: string) => {
    const planned = onlyCase(suite(head), config(entry));
    const { name, wire, endpoint, apiKeyEnv } = planned.provider;
    const request = requestOf(planned);
    const identity = [request.provider, request.endpoint ?? '-'].join(' ');
    return [`${name} ${wire} ${endpoint ?? '-'} ${apiKeyEnv ?? '-'}`, planned.model, identity];
  };
  const HERE = 'here: {base_url: "https://a.b", wire: anthropic}';

  test.each<[string, string, string[]]>([
    ['model: anthropic/claude', HERE, ['anthropic anthropic - ANTHROPIC_API_KEY', 'claude', 'anthropic -']],
    ['model: gemini/g', HERE, ['gemini gemini - GEMINI_API_KEY', 'g', 'gemini -']],
    [
      'model: openai-responses/m',
      HERE,
      ['openai-responses openai-responses - OPENAI_API_KEY', 'm', 'openai-responses -'],
    ],
    ['model: openrouter/openai/gpt', HERE, ['openrouter openai - OPENROUTER_API_KEY', 'openai/gpt', 'openrouter -']],
    [
      'provider: openrouter\nmodel: openrouter/auto',
      HERE,
      ['openrouter openai - OPENROUTER_API_KEY', 'openrouter/auto', 'openrouter -'],
    ],
    [
      'provider: anthropic\nmodel: anthropic/claude',
      HERE,
      ['anthropic anthropic - ANTHROPIC_API_KEY', 'claude', 'anthropic -'],
    ],
    ['model: ollama/llama3.2', HERE, ['ollama openai - -', 'llama3.2', 'ollama -']],
    ['model: here/m', HERE, ['here anthropic https://a.b -', 'm', 'anthropic https://a.b']],
    [
      'model: azure/my-deployment',
      AZURE,
      [
        'azure openai https://my.openai.azure.com/openai/v1 AZURE_OPENAI_API_KEY',
        'my-deployment',
        'azure https://my.openai.azure.com/openai/v1',
      ],
    ],
    [
      'model: azure/m',
      'azure: {base_url: "https://a.b", wire: openai-responses, api_key_env: MINE}',
      ['azure openai-responses https://a.b MINE', 'm', 'openai-responses https://a.b'],
    ],
  ])('%j with %j', (head, entry, expected) => {
    expect(pick(head, entry)).toEqual(expected);
  });
});

describe('what a wire wants stands among the parameters', () => {
  const paramsOf = (head: string) => onlyCase(suite(head)).params;

  test.each<[string, object | undefined]>([
    ['model: anthropic/claude', { max_tokens: 4096 }],
    ['model: anthropic/claude\nparams: {max_tokens: 9, top_k: 1}', { max_tokens: 9, top_k: 1 }],
    ['model: openai-responses/gpt-5', { include: ['reasoning.encrypted_content'], store: false }],
    ['model: openai-responses/gpt-4.1-mini', { store: false }],
    ['model: openai-responses/gpt-5\nparams: {store: true, include: null}', { store: true }],
    ['model: gemini/g', undefined],
    ['model: openai/gpt', undefined],
  ])('%j', (head, expected) => {
    expect(paramsOf(head)).toEqual(expected);
  });
});

test('docs/suite.md lists every provider with the variable of its key', () => {
  const rows = readFileSync('docs/suite.md', 'utf8').matchAll(
    /^\| `([a-z-]+)` +\|[^|]*\| (?:`(\w+_API_KEY)`|needs none) +\|$/gm,
  );
  const listed = [...rows].map(([, name, key]) => `${name} ${key ?? '-'}`);
  const known = BUILT_IN_NAMES.map((name) => `${name} ${builtIn(name)?.apiKeyEnv ?? '-'}`);
  expect(listed).toEqual([...known, 'script -']);
});

test('azure without its base URL is told how to give it', () => {
  const [fault] = faultsOf(() => load({ 'a.eval.yaml': suite('model: azure/m') }));
  expect(fault?.remedy).toBe(
    'Give it yours in retake.yaml: `providers: {azure: {base_url: https://my-resource.openai.azure.com/openai/v1}}`.',
  );
});

test.each<[string, string[]]>([
  ['xai: {base_url: "https://a.b"}', ['retake.yaml:3:3 `xai` is the name of a built-in provider']],
  [
    'here: {base_url: "https://a.b", wire: antropic}',
    [
      'retake.yaml:3:41 `providers.here.wire` must be `openai` or `openai-responses` or `anthropic` or `gemini`, not the text `antropic`, did you mean `anthropic`?',
    ],
  ],
])('%j is refused', (entry, expected) => {
  expect(faultLines({ ...config(entry), 'a.eval.yaml': suite('model: openai/m') })).toEqual(expected);
});

test('parameters that a wire makes of the case itself are refused', () => {
  const head = 'model: gemini/m\nparams: {contents: [], systemInstruction: x, candidateCount: 2}';
  expect(faultLines({ 'a.eval.yaml': suite(head) })).toEqual([
    'a.eval.yaml:3:10 `contents` may not stand in `params`: a case’s `input:` makes them',
    'a.eval.yaml:3:24 `systemInstruction` may not stand in `params`: write it as `system:` beside `params:`',
    'a.eval.yaml:3:46 `candidateCount` may not stand in `params`: a turn has one answer; `repeat:` takes a case several times',
  ]);
});
