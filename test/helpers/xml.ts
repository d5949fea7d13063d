// A strict reader of the XML that we write: elements, attributes and text; throws where a parser would.

/** An element. */
export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const TOKEN = /<\?xml version="1\.0" encoding="UTF-8"\?>\n|<(\/?)([a-z][a-z-]*)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)/y;
/** All that XML 1.0 does not take (its production 2). */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function decoded(text: string): string {
  const rest = text.replace(/&(amp|lt|gt|quot|#39);/g, '');
  if (rest.includes('&')) throw new Error(`an unknown entity in ${text}`);
  if (text.includes(']]>')) throw new Error('the end of a CDATA section in text');
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => NAMED[name] ?? '');
}

/** The root element of a document. */
export function readXml(xml: string): XmlElement {
  if (FORBIDDEN.test(xml)) throw new Error('a character that XML does not take');
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < xml.length; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(xml);
    if (!found) throw new Error(`not well-formed at ${at}: ${xml.slice(at, at + 60)}`);
    const [, close, name, rest = '', empty, text] = found;
    const last = open.at(-1) ?? top;
    if (text !== undefined) last.text += decoded(text);
    if (name === undefined) continue;
    if (close === '/') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    const attributes: Record<string, string> = {};
    for (const [, key = '', value = ''] of rest.matchAll(/ ([a-z]+)="([^"]*)"/g)) {
      if (key in attributes) throw new Error(`${key} stands twice`);
      attributes[key] = decoded(value);
    }
    const element = { name, attributes, children: [], text: '' };
    last.children.push(element);
    if (empty !== '/') open.push(element);
  }
  const root = top.children[0];
  if (open.length !== 1 || !root || top.children.length !== 1) throw new Error('not one root');
  return root;
}
