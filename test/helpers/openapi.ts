// GitHub's own description of its REST API, and whether requests and answers are as it says.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

type Node = { [key: string]: unknown };

interface Operation {
  path: string;
  method: string;
  spec: Node;
}

/** The description's own examples of answers, by name: whole objects to build others from. */
export type Examples = Record<string, { value: Node }>;

interface Api {
  ajv: Ajv2020;
  paths: Record<string, Record<string, Node>>;
  examples: Examples;
}

const FILE = createRequire(import.meta.url).resolve('@octokit/openapi/generated/api.github.com.json');

/** OpenAPI 3.0 says `nullable`, JSON Schema a type more. */
function allowNull(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const item of node) allowNull(item);
    return;
  }
  const schema = node as Node;
  for (const [key, value] of Object.entries(schema)) if (key !== 'example' && key !== 'examples') allowNull(value);
  if (schema['nullable'] !== true) return;
  delete schema['nullable'];
  if (typeof schema['type'] === 'string') {
    schema['type'] = [schema['type'], 'null'];
    if (Array.isArray(schema['enum'])) schema['enum'] = [...schema['enum'], null];
    return;
  }
  const rest = { ...schema };
  for (const key of Object.keys(schema)) delete schema[key];
  schema['anyOf'] = [rest, { type: 'null' }];
}

let known: Api | undefined;

/** Read when first asked for: it is large. */
function api(): Api {
  if (known) return known;
  const text = readFileSync(FILE, 'utf8');
  const document = JSON.parse(text) as { paths: Api['paths']; components: { examples: Examples } };
  const { examples } = document.components;
  allowNull(document.paths);
  allowNull((document.components as unknown as Node)['schemas']);
  allowNull((document.components as unknown as Node)['responses']);
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv, ['date-time', 'date', 'uri', 'email']);
  ajv.addSchema(document, 'github');
  known = { ajv, paths: document.paths, examples };
  return known;
}

const compiled = new Map<string, ValidateFunction>();

function validatorAt(pointer: string): ValidateFunction {
  const found = compiled.get(pointer) ?? api().ajv.compile({ $ref: `github#${pointer}` });
  compiled.set(pointer, found);
  return found;
}

const escaped = (part: string) => part.replaceAll('~', '~0').replaceAll('/', '~1');

/** The operation of a request; undefined where GitHub has none. Fixed words win over parameters. */
function operationOf(method: string, path: string): Operation | undefined {
  const parts = path.split('/');
  const fits = (template: string) => {
    const names = template.split('/');
    // A ref may hold slashes; GitHub takes them as they are.
    const isOpen = names.at(-1) === '{ref}' || names.at(-1) === '{basehead}' || names.at(-1) === '{path}';
    if (isOpen ? parts.length < names.length : parts.length !== names.length) return false;
    return names.every((name, at) => /^\{.*\}$/.test(name) || name === parts[at]);
  };
  const parameters = (template: string) => template.split('{').length;
  const [best] = Object.keys(api().paths)
    .filter((template) => fits(template) && api().paths[template]?.[method])
    .sort((one, other) => parameters(one) - parameters(other));
  return best === undefined ? undefined : { path: best, method, spec: api().paths[best]?.[method] as Node };
}

function schemaPointer(operation: Operation, ...inside: string[]): string {
  return `/paths/${escaped(operation.path)}/${operation.method}/${inside.map(escaped).join('/')}/content/application~1json/schema`;
}

function complaint(validate: ValidateFunction, value: unknown): string | undefined {
  if (validate(value)) return undefined;
  const [first] = validate.errors ?? [];
  return `${first?.instancePath ?? ''} ${first?.message ?? 'is wrong'}`;
}

interface Reference {
  $ref?: string;
  content?: Node;
}

/** What is wrong with a request and its answer by GitHub's description; undefined where nothing is. */
export function apiFault(
  asked: { method: string; path: string; body: unknown },
  answer: { status: number; body?: unknown },
): string | undefined {
  const method = asked.method.toLowerCase();
  const operation = operationOf(method, asked.path);
  const name = `${asked.method} ${asked.path}`;
  if (!operation) return `${name}: GitHub has no such operation`;
  const { requestBody } = operation.spec as { requestBody?: { content?: Node } };
  if (asked.body !== undefined) {
    if (!requestBody?.content?.['application/json']) return `${name}: it takes no body`;
    const wrong = complaint(validatorAt(schemaPointer(operation, 'requestBody')), asked.body);
    if (wrong !== undefined && answer.status < 400) return `${name}: the request's ${wrong}`;
  }
  const responses = (operation.spec as { responses: Record<string, Reference> }).responses;
  const response = responses[String(answer.status)];
  // Errors of the network and of limits are everywhere and stand nowhere.
  if (!response) return answer.status >= 400 ? undefined : `${name}: GitHub never answers ${answer.status}`;
  if (answer.body === undefined || answer.status >= 400) return undefined;
  const pointer = response.$ref
    ? `${response.$ref.slice(1)}/content/application~1json/schema`
    : schemaPointer(operation, 'responses', String(answer.status));
  const wrong = complaint(validatorAt(pointer), answer.body);
  return wrong === undefined ? undefined : `${name}: the answer's ${wrong}`;
}

/** A whole object from the description's examples with some of it replaced. */
export function exampleOf(name: string, more: Node = {}): Node {
  const example = api().examples[name];
  if (!example) throw new Error(`GitHub's description has no example ${name}`);
  return { ...structuredClone(example.value), ...more };
}
