// The zod schemas of a suite and of retake.yaml: checked piece by piece, and whole the source of the JSON Schemas.

import { RE2JS } from 're2js';
import { z } from 'zod';
import { WIRE_NAMES } from '../responder/providers/table.ts';
import { KIND_ALIASES, SCORERS } from '../score/index.ts';
import { live, target } from './code-schema.ts';
import { gatesSchema } from './gate-schema.ts';
import { spending } from './price-schema.ts';

const MOST_SECONDS = 86_400;

const text = z.string();
const word = z.string().min(1);
const anything = z.unknown();
const mapping = z.record(z.string(), anything);
const reference = z.strictObject({
  $ref: word.describe('A JSON or YAML file, relative to this one; `#/json/pointer` after it picks a part.'),
});

const title = z
  .string()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters would end up in file names and reports
  .regex(/^(?! )[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*(?<! )$/, {
    message: 'must be one line without spaces at its ends',
  });

const tags = z.array(word).describe('Labels to select by with `--tag`.');
const expected = z
  .union([text, z.number(), z.boolean(), z.array(anything), mapping])
  .describe(
    'The right answer: `final_equals` without a value compares with it, and gates on `accuracy` and `macro_f1` count it.',
  );
const context = anything.describe(
  'What a judge may know besides the input: text or any JSON; never reaches the model.',
);
const scalar = z.union([text, z.number(), z.boolean()]);
const vars = z.record(z.string(), scalar).describe('What `{{name}}` in `system` and `input` stands for.');

/** What of several takes must pass. */
export const REQUIRED = ['all', 'majority', 'any'] as const;
const requirement = {
  require: z.enum(REQUIRED).describe('How many takes must pass; `all` unless set.').optional(),
  require_pass_rate: z
    .number()
    .positive()
    .max(1)
    .describe('The share of takes that must pass, instead of `require`.')
    .optional(),
};

// Checked in read.ts, where the places of `model`, `n` and the like are at hand.
const params = mapping.describe('Sent to the model verbatim. Merged per key down the levels; `null` removes a key.');
const temperature = z.number().min(0).nullable().describe('Short for `params.temperature`.');
const levels = {
  provider: word.describe('A built-in provider such as `anthropic`, `script`, or an entry of `providers:`.').optional(),
  model: word.describe('The model, also as `provider/model`.').optional(),
  params: params.optional(),
  temperature: temperature.optional(),
  max_turns: z.int().min(1).max(1000).describe('How often the model is asked at most; 10 unless set.').optional(),
  repeat: z
    .int()
    .min(1)
    .max(100)
    .describe('How many takes of the case are recorded and judged; 1 unless set.')
    .optional(),
  on_unmocked: z
    .enum(['error', 'null'])
    .nullable()
    .describe('A call that no mock answers: `error` fails the case, `null` gives an empty result.')
    .optional(),
  ...requirement,
};
const transport = {
  timeout_s: z
    .number()
    .positive()
    .max(MOST_SECONDS)
    .describe('Seconds per attempt at a live provider; 120 unless set.')
    .optional(),
  max_retries: z.int().min(0).max(20).describe('Further attempts at a live provider; 3 unless set.').optional(),
};

/** A part of what a user says. */
const partSchema = z
  .strictObject({
    text: text.describe('A text.').optional(),
    image: word.describe('A PNG, JPEG, GIF or WebP file of at most 20 MB, relative to this one.').optional(),
  })
  .meta({ minProperties: 1, maxProperties: 1 });

/** A message of a case's input. */
const messageSchema = z.strictObject({
  role: z.enum(['user', 'assistant']).describe('Who speaks. The system prompt stands under `system:`.'),
  content: z.union([text, z.array(partSchema).min(1)]).describe('What is said, as text or in parts.'),
  images: z.array(word).min(1).describe('Image files that follow the content, relative to this one.').optional(),
});

/** A tool as the suite declares it. */
export const toolSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,128}$/, { message: 'must be 1 to 128 of the characters A-Z a-z 0-9 _ . -' })
    .describe('The name the model calls.'),
  description: text.describe('What the model is told of the tool.').optional(),
  input_schema: mapping.describe('JSON Schema of the arguments, or `$ref:` a file that holds it.').optional(),
});

/** One outcome of a `sequence:`. */
const outcomeSchema = z
  .strictObject({
    return: anything.describe('The tool’s result.').optional(),
    error: text.describe('The tool’s error, in words.').optional(),
    ...live,
  })
  .meta({ minProperties: 1 });

/** One rule of a tool's mock. */
export const ruleSchema = z.strictObject({
  when: mapping.describe('A deep subset of the arguments; without it the rule matches every call.').optional(),
  return: anything.describe('The tool’s result.').optional(),
  error: text.describe('The tool’s error, in words.').optional(),
  ...live,
  sequence: z.array(outcomeSchema).min(1).describe('One outcome for each matching call; the last repeats.').optional(),
});

const rulesSchema = z.array(ruleSchema).describe('The first rule that matches answers.');
const mocksSchema = z
  .record(z.string(), z.union([rulesSchema, reference]))
  .describe('What the tools answer, by tool. A case’s rules replace the suite’s for that tool.');

const scriptedCall = z.strictObject({
  name: word.describe('The tool.'),
  arguments: mapping.describe('The arguments.').optional(),
});

/** One answer of a script. */
export const scriptStepSchema = z
  .strictObject({
    text: text.describe('What the model says.').optional(),
    tool_call: scriptedCall.describe('One call of a tool.').optional(),
    parallel: z.array(scriptedCall).min(1).describe('Several calls in one answer.').optional(),
    fails: word.describe('The provider fails with this message.').optional(),
  })
  .meta({ minProperties: 1 });

const expectationSchema = z
  .strictObject({
    ...Object.fromEntries(Object.entries(SCORERS).map(([kind, { schema }]) => [kind, schema.optional()])),
    ...Object.fromEntries(Object.entries(KIND_ALIASES).map(([word, kind]) => [word, SCORERS[kind].schema.optional()])),
  })
  .meta({ minProperties: 1, maxProperties: 1 });
const expect = z.array(expectationSchema);

const suiteHead = {
  name: title
    .refine((name) => !name.includes('::'), { message: 'must not hold `::`, which parts suite and case' })
    .describe('The suite’s name, unique in the project.'),
  description: text.describe('What the suite is about; never reaches the model.').optional(),
  tags: tags.optional(),
  ...levels,
  ...transport,
  system: text.describe('The system prompt.').optional(),
  system_file: word.describe('A text file with the system prompt, relative to this one.').optional(),
  loose_args: z
    .array(word.regex(/^[^.]+\..+$/, { message: 'must be a tool and an argument: `create_ticket.summary`' }))
    .describe('Arguments whose strings count as wording when two runs are compared, as `tool.path`.')
    .optional(),
  target: target.optional(),
  vars: vars.optional(),
  dataset: word.describe('A JSONL file of more cases, one a line, relative to this one.').optional(),
};
const caseHead = {
  name: title.describe('The case’s name, unique in the suite.'),
  input: z
    .union([text, z.array(messageSchema).min(1), z.array(partSchema).min(1)])
    .describe('What the user says, as text or in parts, or a conversation that ends with the user.'),
  tags: tags.optional(),
  expected: expected.optional(),
  target: target.optional(),
  context: context.optional(),
  vars: vars.optional(),
  ...levels,
  ...transport,
};

/** A suite but for the pieces that are read one by one: tools, mocks, expectations, cases. */
export const suiteHeadSchema = z.strictObject({
  ...suiteHead,
  tools: anything.optional(),
  mocks: anything.optional(),
  expect: anything.optional(),
  cases: anything.optional(),
  gates: anything.optional(),
});

/** A case but for the pieces that are read one by one; its input is no list of parts. */
export const caseHeadSchema = z.strictObject({
  ...caseHead,
  input: z.union([text, z.array(messageSchema).min(1)]),
  mocks: anything.optional(),
  expect: anything.optional(),
  script: anything.optional(),
});

/** A case whose input is a list of parts. */
export const casePartsSchema = caseHeadSchema.extend({ input: z.array(partSchema).min(1) });

/** A whole case. */
const caseSchema = z.strictObject({
  ...caseHead,
  mocks: mocksSchema.optional(),
  expect: expect.describe('What must hold for this case, after what the suite expects.').optional(),
  script: z.array(scriptStepSchema).min(1).describe('The model’s answers, for `provider: script`.').optional(),
});

/** A row of a dataset but for its expectations; every other column is a variable. */
export const rowHeadSchema = z.looseObject({
  name: title.optional(),
  id: z.union([title, z.int()]).optional(),
  input: caseHead.input,
  tags: tags.optional(),
  expected: expected.nullable().optional(),
});

/** A whole suite file. */
export const suiteSchema = z
  .strictObject({
    ...suiteHead,
    tools: z
      .array(z.union([toolSchema, reference]))
      .describe('The tools the model is offered, in order.')
      .optional(),
    mocks: mocksSchema.optional(),
    expect: expect.describe('What must hold for every case.').optional(),
    cases: z.array(caseSchema).min(1).describe('The cases; may be left out where there is a `dataset`.').optional(),
    gates: gatesSchema.optional(),
  })
  .describe('A suite of Retake: cases that share a prompt, tools, mocks and expectations.');

const baseUrl = z.string().superRefine((value, context) => {
  const complain = (message: string) => context.addIssue({ code: 'custom', message });
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:\/\//i.test(value)) complain('must be an http or https URL, such as https://llm.example/v1');
  else if (url.username !== '' || url.password !== '')
    complain('must hold no user name or password; name the key’s variable in `api_key_env`');
  else if (/[?#]/.test(value)) complain('must have no query or fragment');
  else if (/\s/.test(value)) complain('must hold no white space');
});

/** An entry of `providers:`. */
const providerSchema = z.strictObject({
  base_url: baseUrl.describe('The endpoint, without `/chat/completions` or what else the wire appends.'),
  wire: z.enum(WIRE_NAMES).describe('What it speaks; OpenAI’s Chat Completions, `openai`, unless set.').optional(),
  api_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { message: 'must be the name of an environment variable, not the key itself' })
    .describe('The environment variable that holds the key; leave it out where none is needed.')
    .optional(),
});

const cassetteFolder = z.string().superRefine((value, context) => {
  const complain = (message: string) => context.addIssue({ code: 'custom', message });
  if (value.includes('\\')) complain('must be written with `/`');
  else if (/^(?:\/|[A-Za-z]:)/.test(value)) complain('must be relative to retake.yaml');
  else if (value.split('/').includes('..')) complain('must not leave the folder of retake.yaml');
  else if (value.split('/').every((part) => part === '' || part === '.')) complain('must name a folder of its own');
});

const secretPattern = z.string().superRefine((pattern, context) => {
  const complain = (message: string) => context.addIssue({ code: 'custom', message });
  try {
    if (RE2JS.compile(pattern).matcher('').find()) complain('must not match the empty text');
  } catch (error) {
    complain(`is no regular expression of RE2: ${error instanceof Error ? error.message : String(error)}`);
  }
});

/** Where answers come from. */
export const modeSchema = z.enum(['replay', 'record', 'auto', 'off']);

/** What stands under `defaults:`. */
export const defaultsSchema = z.strictObject({ ...levels, ...transport });

const configHead = {
  version: z.literal(1, { error: 'must be 1' }).describe('The version of this file’s format: 1.'),
  suites: z
    .array(word)
    .min(1)
    .describe('Globs of suite files, relative to this file; `**/*.eval.yaml` unless set.')
    .optional(),
  cassettes: z
    .strictObject({
      dir: cassetteFolder
        .describe('The folder of the cassettes, relative to this file; `cassettes` unless set.')
        .optional(),
      mode: modeSchema
        .describe('Where answers come from unless `--mode` says otherwise; `replay` unless set.')
        .optional(),
    })
    .describe('Where recordings are, and how they are used.')
    .optional(),
  providers: z
    .record(
      z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, { message: 'must be letters, digits and . _ -' }),
      providerSchema,
    )
    .describe('Further endpoints by name, and the base URL of `azure`.')
    .optional(),
  ...spending,
  redact: z
    .array(secretPattern)
    .describe('Patterns (RE2 syntax) of further secrets; what they find in requests and answers is never recorded.')
    .optional(),
  concurrency: z.int().min(1).max(256).describe('How many cases run at once; 4 unless set.').optional(),
};

/** retake.yaml but for its defaults, which are read by themselves. */
export const configHeadSchema = z.strictObject({
  ...configHead,
  defaults: anything.optional(),
  gates: anything.optional(),
});

/** A whole retake.yaml. */
export const configSchema = z
  .strictObject({
    ...configHead,
    defaults: defaultsSchema.describe('What holds for every suite that does not say otherwise.').optional(),
    gates: gatesSchema.optional(),
  })
  .describe('The configuration of a Retake project.');
