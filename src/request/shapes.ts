// What credentials look like: our own list, frozen for version 1 of the fingerprint.

/** A shape of credentials. */
interface Shape {
  /** Stands in `[redacted:<id>-1]`, so it never changes. */
  id: string;
  /** In words, for messages. */
  title: string;
  /** What stands before the secret and stays. */
  keep?: string;
  /** The secret. */
  secret: string;
}

// Neither part has capturing groups, and no text can be matched in two ways or from many starts: matching is linear.

// No letter or digit stands before, but for that of an escape (`\n`) in text that is JSON itself.
const FREE = '(?:(?<![A-Za-z0-9])|(?<=\\\\[nrt]))';
const FREE_OF_TOKEN = '(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt]))';
const WORD = '[A-Za-z0-9_-]';
// A digit must stand near: words joined by hyphens are no key.
const DIGIT_NEAR = '(?=[A-Za-z._~+/-]{0,100}[0-9])';
const PEM = '(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----';

/** In the order they are tried at one place. */
const SHAPES: readonly Shape[] = [
  { id: 'anthropic-key', title: 'an Anthropic key', secret: `${FREE}sk-ant-${WORD}{16,}` },
  { id: 'openai-key', title: 'an OpenAI key', secret: `${FREE}sk-${DIGIT_NEAR}${WORD}{20,}` },
  { id: 'google-key', title: 'a Google key', secret: `${FREE}AIza${WORD}{35}` },
  { id: 'aws-key', title: 'an AWS key id', secret: `${FREE}A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])` },
  {
    id: 'github-token',
    title: 'a GitHub token',
    secret: `${FREE}(?:gh[oprsu]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})`,
  },
  { id: 'slack-token', title: 'a Slack token', secret: `${FREE}xox[abeoprs]-${DIGIT_NEAR}[A-Za-z0-9-]{10,}` },
  { id: 'stripe-key', title: 'a Stripe key', secret: `${FREE}[rs]k_live_[A-Za-z0-9]{16,}` },
  { id: 'npm-token', title: 'an npm token', secret: `${FREE}npm_[A-Za-z0-9]{30,}` },
  { id: 'pypi-token', title: 'a PyPI token', secret: `${FREE}pypi-${DIGIT_NEAR}${WORD}{32,}` },
  { id: 'huggingface-token', title: 'a Hugging Face token', secret: `${FREE}hf_[A-Za-z0-9]{30,}` },
  { id: 'xai-key', title: 'an xAI key', secret: `${FREE}xai-[A-Za-z0-9]{20,}` },
  { id: 'groq-key', title: 'a Groq key', secret: `${FREE}gsk_[A-Za-z0-9]{20,}` },
  {
    id: 'jwt',
    title: 'a JSON Web Token',
    secret: `${FREE_OF_TOKEN}eyJ${WORD}{10,}\\.${WORD}{10,}(?:\\.${WORD}+){0,3}`,
  },
  {
    id: 'private-key',
    title: 'a private key',
    // To its end, headers and all; where that is missing, as far as its text goes.
    secret:
      `-----BEGIN ${PEM}(?:[^-]*(?:-(?!-)[^-]*){0,40}-----END ${PEM}|` +
      '(?:\\s|\\\\[nr])*(?:[A-Za-z0-9+/=]{16,}(?:\\s|\\\\[nr])*)+)',
  },
  {
    id: 'bearer-token',
    title: 'a bearer token',
    keep: '[Bb]earer[ \\t]{1,3}',
    secret: `${DIGIT_NEAR}[A-Za-z0-9._~+/-]{16,}={0,2}`,
  },
  {
    id: 'url-password',
    title: 'a password in a URL',
    keep: ':\\/\\/[^\\s/:@?#"\'<>\\\\]{0,100}:',
    secret: '[^\\s/@"\'<>\\\\[\\]]{1,256}(?=@)',
  },
];

const EVERY = new RegExp(SHAPES.map(({ keep, secret }) => `(${keep ?? ''})(${secret})`).join('|'), 'g');
/** What every match holds: most texts hold none of it, and that is found out several times as fast. */
const HINT =
  /sk-|[rs]k_live_|AIza|A[KS]IA|gh[oprsu]_|github_pat_|xox|npm_|pypi-|hf_|xai-|gsk_|eyJ|-----BEGIN|earer|:\/\//;

/** A credential in a text. */
export interface FoundShape {
  id: string;
  title: string;
  /** UTF-16 offsets; `end` is exclusive. */
  start: number;
  end: number;
}

/** Every credential in a text, in order, none within another. Linear in the text. */
export function findShapes(text: string): FoundShape[] {
  if (!HINT.test(text)) return [];
  const found: FoundShape[] = [];
  for (const match of text.matchAll(EVERY)) {
    const at = SHAPES.findIndex((_, index) => match[2 * index + 2] !== undefined);
    const { id, title } = SHAPES[at] as Shape;
    const start = match.index + (match[2 * at + 1] as string).length;
    found.push({ id, title, start, end: match.index + match[0].length });
  }
  return found;
}

/** A credential that a text cut short with `…` may still hold the beginning of. */
export const CUT_SHAPE =
  /(?<![A-Za-z0-9])(?:sk-|[rs]k_live_|AIza|A[KS]IA|gh[oprsu]_|github_pat_|xox[abeoprs]-|npm_|pypi-|hf_|xai-|gsk_|eyJ|[Bb]earer[ \t])[A-Za-z0-9._~+/-]{0,400}…/g;
