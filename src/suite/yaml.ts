// One YAML document as plain values with places.

import { EVENT_ID, parseEvents, YAMLException } from 'js-yaml';
import type { ErrorCode, Fault } from '../errors.ts';
import { Composer } from './compose.ts';
import { faultAt, type Source } from './faults.ts';
import { parseLeniently, type ReadEvent } from './lenient.ts';
import type { ParseOptions, YamlNode } from './yaml-node.ts';

/** What was read. There is no `root` where nothing can be made of the text. */
export interface Parsed {
  root?: YamlNode;
  faults: Fault[];
  /** Whether any variable was replaced. */
  interpolated: boolean;
  /** The names of the secret variables that were named. */
  secrets: ReadonlySet<string>;
}

function readEvents(source: Source, code: ErrorCode): ReadEvent[] | Fault {
  try {
    return parseEvents(source.text, {});
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // A NUL is refused for its own sake, and the second reader has no limit of depth.
    const events = /null byte|nesting/.test(error.reason) ? undefined : parseLeniently(source.text);
    if (events) return events;
    return faultAt(source, error.mark?.position ?? 0, { code, message: `invalid YAML: ${error.reason}` });
  }
}

/**
 * Reads one YAML 1.2 document (core schema). Faults: syntax, duplicate keys, tags, aliases that explode, several
 * documents, none.
 */
export function parseYaml(source: Source, options: ParseOptions): Parsed {
  const events = readEvents(source, options.code);
  if (!Array.isArray(events)) return { faults: [events], interpolated: false, secrets: new Set() };
  const composer = new Composer(events, source, options);
  const document = events[0];
  if (document?.type !== EVENT_ID.DOCUMENT) {
    composer.complain(0, 'the file is empty');
    return { faults: composer.faults, interpolated: false, secrets: composer.secrets };
  }
  const odd = document.directives.find((directive) => directive.kind === 'tag' || directive.version !== '1.2');
  if (odd) composer.complain(0, `the YAML directive \`%${odd.kind.toUpperCase()}\` is not supported`);
  composer.at = 1;
  const root = composer.node(0);
  composer.at++;
  if (composer.at < events.length) {
    const second = source.text.slice(root.end).search(/^(?:---|\.\.\.)/m);
    composer.complain(
      second === -1 ? root.end : root.end + second,
      'a file holds one YAML document, a second begins here',
    );
  }
  return { root, faults: composer.faults, interpolated: composer.interpolated, secrets: composer.secrets };
}
