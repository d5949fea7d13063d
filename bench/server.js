// A provider on the loopback that takes as long as its first word says, in milliseconds. Prints its port.

import { createServer } from 'node:http';

const delayMs = Number(process.argv[2]);
const body = JSON.stringify({
  model: 'm-1',
  choices: [{ message: { role: 'assistant', content: 'Your parcel arrives on Friday.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 40, completion_tokens: 8 },
});

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    setTimeout(() => response.setHeader('content-type', 'application/json').end(body), delayMs);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(address.port);
});
