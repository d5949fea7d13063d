// Reads a text of server-sent events.
// https://html.spec.whatwg.org/multipage/server-sent-events.html

import { parseLossless } from '../../request/numbers.ts';
import type { Json } from '../../request/request.ts';

const END = '[DONE]';

/** The JSON of each event, in order, up to `[DONE]`; undefined where one is not JSON. A last event without its blank line is cut off and does not count. */
export function readEvents(text: string): Json[] | undefined {
  const events: Json[] = [];
  let data: string[] = [];
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)) {
    if (line.startsWith('data:')) {
      data.push(line.slice(line[5] === ' ' ? 6 : 5));
    } else if (line === '' && data.length > 0) {
      const payload = data.join('\n');
      data = [];
      if (payload === END) break;
      try {
        events.push(parseLossless(payload));
      } catch {
        return undefined;
      }
    }
  }
  return events;
}
