// Fails a test that opens a connection to anything but this machine.

import dns from 'node:dns';
import net from 'node:net';
import { afterEach } from 'vitest';

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|::1|0:0:0:0:0:0:0:1|::ffff:127(?:\.\d{1,3}){3})$/i;

const refused: string[] = [];

/** Whether a host name or address is this machine's own. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.replace(/^\[|\]$/g, ''));
}

/** What was refused since the last call. */
export function takeRefused(): string[] {
  return refused.splice(0);
}

function refuse(host: string): Error {
  // Kept, because the code under test may well catch the error.
  refused.push(host);
  return Object.assign(new Error(`tests must not reach ${host}: only this machine may be connected to`), {
    code: 'ECONNREFUSED',
  });
}

/** The host a socket is asked to connect to; undefined for pipes. */
function hostOf(args: unknown[]): string | undefined {
  // node:net normalises its arguments into one array and passes that on.
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
  if (typeof first === 'object' && first !== null) {
    const { path, host } = first as net.TcpNetConnectOpts & { path?: string };
    return path ? undefined : (host ?? 'localhost');
  }
  if (typeof first === 'string' && !/^\d+$/.test(first)) return undefined;
  return typeof second === 'string' ? second : 'localhost';
}

const connect = net.Socket.prototype.connect as (...args: unknown[]) => net.Socket;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  const host = hostOf(args);
  if (host === undefined || isLoopback(host)) return connect.apply(this, args);
  const error = refuse(host);
  process.nextTick(() => this.destroy(error));
  return this;
} as typeof net.Socket.prototype.connect;

const lookup = dns.lookup as (...args: unknown[]) => void;
dns.lookup = ((host: string, ...rest: unknown[]) => {
  if (isLoopback(host) || net.isIP(host) !== 0) return lookup(host, ...rest);
  const error = refuse(host);
  const done = rest.at(-1) as (error: Error) => void;
  process.nextTick(() => done(error));
}) as typeof dns.lookup;

afterEach(() => {
  const hosts = takeRefused();
  if (hosts.length > 0) throw new Error(`this test tried to reach ${[...new Set(hosts)].join(', ')}`);
});
